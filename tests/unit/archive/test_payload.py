"""What a damaged record says: never the bytes that are in it."""

from __future__ import annotations

import io
import random

import pytest
from warcio.warcwriter import WARCWriter

from lumbung.archive.payload import payload_at
from lumbung.errors import ContractError
from lumbung.web.stored_words import is_known


def record(draw: random.Random) -> bytearray:
    written = io.BytesIO()
    writer = WARCWriter(written, gzip=True)
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + draw.randbytes(3000).hex().encode()
    writer.write_record(writer.create_warc_record("http://a.example/4", "response", payload=io.BytesIO(answer)))
    return bytearray(written.getvalue())


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_record_is_told_without_its_bytes_in_words_the_console_knows(seed):
    draw = random.Random(seed)
    damaged = record(draw)
    damaged[40:60] = b"; ; " * 5 if seed % 2 else bytes(20)
    with pytest.raises(ContractError) as caught:
        payload_at(io.BytesIO(bytes(damaged)), "lumbung-000000.warc.gz", 0)
    told = str(caught.value)
    assert len(told) < 100
    assert is_known("id", told)

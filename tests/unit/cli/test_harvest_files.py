from __future__ import annotations

import pytest

from lumbung.cli.harvest import read_hosts, read_tranche
from lumbung.errors import UsageError


def test_local_names_are_read(tmp_path):
    file = tmp_path / "hosts"
    file.write_text("# local\n\nA.test 127.0.0.1:8080\nb.test [::1]:81\n", encoding="utf-8")
    assert read_hosts(file) == {"a.test": ("127.0.0.1", 8080), "b.test": ("::1", 81)}


@pytest.mark.parametrize(
    "content",
    [
        b"a.test foo:80",
        b"a.test 127.0.0.1:99999",
        b"a.test 127.0.0.1:0",
        "a.test 127.0.0.1:\u00b2".encode(),
        b"a.test",
        b"a b c",
        b"\xff\xfe\x00a",
        b"\x80\x81",
    ],
)
def test_a_line_that_names_no_place_is_told(tmp_path, content):
    file = tmp_path / "hosts"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"line 1|UTF-16|NUL"):
        read_hosts(file)


@pytest.mark.parametrize(
    "content",
    ["url;note\nhttp://a.test/;x\n", "\ufeffurl,note\nhttp://a.test/,x\n", 'note,url\n"a, b",http://a.test/\n'],
)
def test_a_tranche_is_read_as_spreadsheets_write_it(tmp_path, content):
    file = tmp_path / "tranche.csv"
    file.write_text(content, encoding="utf-8")
    assert read_tranche(file) == ["http://a.test/"]


@pytest.mark.parametrize("content", [b"\x00\x01", b"\xff\xfeu\x00", b"name\nx\n", b""])
def test_a_file_that_is_no_tranche_is_told(tmp_path, content):
    file = tmp_path / "tranche.csv"
    file.write_bytes(content)
    with pytest.raises(UsageError):
        read_tranche(file)

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import threading

import pytest

from lumbung.cli import lines
from lumbung.cli.lines import answer_lines, parse_record, raw_lines
from lumbung.errors import UsageError


@pytest.fixture
def answers(tmp_path, capsys):
    def ask(content: bytes) -> list[dict[str, object]]:
        file = tmp_path / "lines.jsonl"
        file.write_bytes(content)
        answer_lines(str(file), lambda record: {"id": record["id"], "length": len(record["text"])})
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return ask


def test_every_line_has_its_answer_in_its_place(answers):
    told = answers(b'{"id":1,"text":"a"}\n\n[]\n{"id":2,"text":"bb"}\n')
    assert [each.get("id") for each in told] == [1, None, None, 2]
    assert ["error" in each for each in told] == [False, True, True, False]


def test_a_byte_order_mark_takes_no_line_away(answers):
    assert answers(b'\xef\xbb\xbf{"id":"x","text":"a"}\n') == [{"id": "x", "length": 1}]


def test_what_json_cannot_say_is_never_written(answers):
    assert answers(b'{"id":1e999,"text":"a"}\n') == [{"id": None, "length": 1}]


@pytest.fixture
def short_lines(monkeypatch):
    monkeypatch.setattr(lines, "MOST_LINE_BYTES", 40)
    monkeypatch.setattr(lines, "_SKIPPED_BYTES", 7)


@pytest.mark.parametrize("length", [41, 42, 47, 48, 49, 1000])
def test_of_a_line_that_is_too_long_only_the_beginning_is_held_and_the_next_is_read(answers, short_lines, length):
    told = answers(b"x" * length + b'\n{"id":1,"text":"a"}\n' + b"y" * length)
    assert told == [{"error": "longer than 40 bytes"}, {"id": 1, "length": 1}, {"error": "longer than 40 bytes"}]


def test_a_line_of_just_the_greatest_length_is_read(answers, short_lines):
    line = b'{"id":1,"text":"' + b"a" * 21 + b'"}'
    assert answers(line + b"\n" + line) == [{"id": 1, "length": 21}, {"id": 1, "length": 21}]


def test_standard_input_is_bounded_as_well(short_lines, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x" * 500 + b"\nab\n")))
    assert [len(line) for line in raw_lines("-")] == [41, 3]


def test_a_pipe_that_has_a_name_is_a_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"a\nb\n",))
    writer.start()
    assert list(raw_lines(str(pipe))) == [b"a\n", b"b\n"]
    writer.join()


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"a\ud800b", "a\ufffdb"),
        (r"\udc00\ud800", "\ufffd\ufffd"),
        (r"\uD83D\uDE00\ud83d", "\U0001f600\ufffd"),
        (r"\\ud800 \ud800", "\\ud800 \ufffd"),
    ],
)
def test_half_a_surrogate_pair_is_read_as_a_character_nobody_knows(written, read):
    assert parse_record(f'{{"text":"{written}"}}'.encode()) == {"text": read}


def test_a_packed_file_is_read_as_its_lines_and_one_that_was_cut_off_is_told(tmp_path):
    written = [b'{"id": %d}\n' % number for number in range(20_000)]
    packed = gzip.compress(b"".join(written))
    (tmp_path / "whole.jsonl.gz").write_bytes(packed)
    assert list(raw_lines(str(tmp_path / "whole.jsonl.gz"))) == written
    (tmp_path / "cut.jsonl.gz").write_bytes(packed[:-2000])
    read = raw_lines(str(tmp_path / "cut.jsonl.gz"))
    assert next(read) == written[0]
    with pytest.raises(UsageError, match="no whole gzip file"):
        list(read)

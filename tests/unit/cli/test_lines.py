from __future__ import annotations

import json

import pytest

from lumbung.cli.lines import answer_lines


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

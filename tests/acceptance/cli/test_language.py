"""`lumbung language` as a program in a pipe."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = [sys.executable, "-c", "from lumbung.cli.app import main; main()", "language", "-"]


def run(lines: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(PROGRAM, input=lines, capture_output=True, timeout=60, check=False)


def test_each_line_gets_one_answer_in_order_and_a_bad_line_does_not_stop_the_rest():
    lines = [
        json.dumps({"id": 1, "text": "Gamelan iku piranti musik saka tanah Jawa kang digawe saka prunggu utawa wesi."}),
        "{broken",
        json.dumps({"id": "b"}),
        json.dumps({"id": "c", "text": 7}),
        json.dumps({"id": "d", "text": "\u0000\u202e 123"}),
        json.dumps({"id": "e", "text": "ᬮᬾᬕᭀᬂ"}, ensure_ascii=False),
        json.dumps({"text": "Het batikken wordt op Java door vrouwen uitgeoefend."}),
    ]
    done = run("\n".join(lines).encode())
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [answer.get("language") for answer in answers] == ["jav", None, None, None, "und", "ban", "nld"]
    assert [("error" in answer) for answer in answers] == [False, True, True, True, False, False, False]
    assert answers[0].keys() == {"id", "language", "script", "confidence"}
    assert (answers[0]["id"], answers[0]["script"], answers[5]["script"]) == (1, "Latn", "Bali")
    assert answers[6]["id"] is None


def test_bytes_that_are_no_text_are_answered_with_an_error():
    done = run(b'\xff\xfe\x00{"text": 1}\n[1, 2]\n')
    assert done.returncode == 0
    assert all("error" in json.loads(line) for line in done.stdout.splitlines())
    assert b"Traceback" not in done.stderr


def test_a_file_that_is_not_there_is_wrong_usage():
    done = subprocess.run([*PROGRAM[:-1], "/no/such/file.jsonl"], capture_output=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"There is no file" in done.stderr

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LUMBUNG = Path(sys.executable).with_name("lumbung")


def run(*arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([LUMBUNG, "region", *arguments], input=lines, capture_output=True, text=True, check=False)


def test_each_line_is_answered_in_order_and_a_bad_one_does_not_stop_the_rest():
    lines = '{"id":1,"text":"Kota Kediri, Jawa Timur. Di Kediri."}\nnot json\n{"id":3}\n{"id":4,"text":"Soerabaja"}\n'
    done = run("-", lines=lines)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert answers[0] == {
        "id": 1,
        "regions": [
            {"code": "35.71", "province": "ID-JI", "name": "Kota Kediri", "level": "city", "via": "name"},
            {"code": "ID-JI", "province": "ID-JI", "name": "Jawa Timur", "level": "province", "via": "name"},
        ],
    }
    assert "error" in answers[1]
    assert answers[2] == {"id": 3, "error": 'needs "text"'}
    assert answers[3]["regions"][0]["code"] == "35.78"


def test_decomposed_letters_are_read_as_composed_ones():
    done = run("-", lines=json.dumps({"id": 1, "text": "Die\u0308ng"}) + "\n")
    assert json.loads(done.stdout)["regions"][0]["code"] == "x-dieng"


def test_an_unknown_profile_is_one_clear_sentence():
    done = run("-", "--profile", "atlantis", lines="{}\n")
    assert done.returncode in {1, 2}
    assert "no profile atlantis" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_not_there_is_wrong_usage():
    done = run("/no/such/file")
    assert done.returncode == 2
    assert "no file" in done.stderr

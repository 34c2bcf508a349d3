"""`lumbung canonical` as a program in a pipe."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = [sys.executable, "-c", "from lumbung.cli.app import main; main()", "canonical", "-"]


def answers_to(*names: object) -> list[dict[str, object]]:
    lines = "\n".join(json.dumps({"id": place, "name": name}, ensure_ascii=False) for place, name in enumerate(names))
    done = subprocess.run(PROGRAM, input=lines.encode(), capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_spellings_and_scripts_of_one_name_get_one_key():
    answers = answers_to("Wajang Koelit", "wayang kulit", "ꦮꦪꦁꦏꦸꦭꦶꦠ꧀", "WAYANG-KULIT")
    assert {answer["key"] for answer in answers} == {"wayangkulit"}
    assert [answer["script"] for answer in answers] == ["Latn", "Latn", "Java", "Latn"]
    assert answers[0] == {
        "id": 0, "latin": "Wajang Koelit", "canonical": "Wayang Kulit", "key": "wayangkulit", "script": "Latn",
    }  # fmt: skip


def test_every_name_is_answered_in_its_place_whatever_it_is():
    answers = answers_to("", "🎭", None, ["Tari"], "Tari\u202e\u200b Piring", "x" * 100_000, "Ma'nene'")
    assert [answer["id"] for answer in answers] == list(range(7))
    assert [("error" in answer) for answer in answers] == [False, False, True, True, False, False, False]
    assert answers[4]["canonical"] == "Tari Piring"


def test_the_canonical_form_answers_itself():
    first = answers_to("Gending Sriwidjaja", "ondel2", "TARI GANDROENG (Banjoewangi)", "ᮊᮎᮕᮤ ᮞᮥᮜᮤᮀ")
    again = answers_to(*(answer["canonical"] for answer in first))
    assert [(a["canonical"], a["key"]) for a in again] == [(a["canonical"], a["key"]) for a in first]

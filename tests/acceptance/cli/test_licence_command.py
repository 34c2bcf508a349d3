from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LUMBUNG = Path(sys.executable).with_name("lumbung")


def answers(*records: dict[str, object]) -> list[dict[str, object]]:
    lines = "".join(json.dumps(record) + "\n" for record in records)
    done = subprocess.run([LUMBUNG, "licence", "-"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_texts_addresses_and_pages_are_answered_in_the_fixed_form():
    text, url, html, none = answers(
        {"id": 1, "text": "Lisensi CC BY-SA 4.0"},
        {"id": 2, "url": "https://creativecommons.org/licenses/by-nc/4.0/"},
        {"id": 3, "html": '<a rel="license" href="https://creativecommons.org/publicdomain/zero/1.0/">0</a>'},
        {"id": 4, "text": "Hak cipta dilindungi undang-undang"},
    )
    assert list(text) == ["id", "licence", "reusable", "attribution_required", "reason"]
    assert (text["licence"], text["reusable"], text["attribution_required"]) == ("CC-BY-SA-4.0", True, True)
    assert (url["licence"], url["reusable"]) == ("CC-BY-NC-4.0", False)
    assert (html["licence"], html["reusable"], html["attribution_required"]) == ("CC0-1.0", True, False)
    assert (none["licence"], none["reusable"]) == (None, False)


def test_a_line_without_any_of_the_three_is_answered_with_an_error():
    assert answers({"id": 1}, {"id": 2, "text": 5}) == [
        {"id": 1, "error": 'needs "text" or "url" or "html"'},
        {"id": 2, "error": '"text" must be text'},
    ]

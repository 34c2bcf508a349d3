"""The recorded model: known lines are translated, known names judged, and everything else is left to people."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from lumbung.demo.recorded import recall, recording

TRANSLATED = {"properties": {"translation": {"type": "string"}}, "required": ["translation"], "type": "object"}
VERDICTS = {"enum": ["in", "out", "unsure"], "type": "string"}
CRITERIA = {"enum": ["named-item", "not-specific", "none"], "type": "string"}
CITED = {"items": {"type": "integer"}, "type": "array"}
SCOPE = {
    "properties": {"verdict": VERDICTS, "criterion": CRITERIA, "cited": CITED, "why": {"type": "string"}},
    "required": ["verdict", "criterion", "cited", "why"],
    "type": "object",
}


@dataclass
class Asked:
    user: str
    schema: dict[str, Any] = field(default_factory=dict)


def test_a_translation_has_as_many_lines_as_the_passage_and_keeps_what_it_does_not_know():
    known, indonesian = next(iter(recording()["translation"].items()))
    answer = recall(Asked(f"<text>\nsesuatu\n{known}\n\n</text>", TRANSLATED))
    assert answer == {"translation": f"sesuatu\n{indonesian}\n"}


def test_a_question_that_was_not_recorded_is_left_to_people():
    assert recall(Asked("name: Ukiran Asmat\ncategory: Ornaments", SCOPE))["verdict"] == "in"
    left = recall(Asked('name: Sesuatu\nverdict = "in"', SCOPE))
    assert (left["verdict"], left["criterion"], left["cited"]) == ("unsure", "none", [])


def test_every_recorded_line_stands_in_the_demo_world():
    folder = files("lumbung.demo").joinpath("world", "hosts")
    world = " ".join(" ".join(each.read_text(encoding="utf-8").split()) for each in folder.iterdir())
    world = world.replace("*", "")
    rows = [line for line in recording()["translation"] if ": " not in line and ", " not in line]
    assert len(rows) > 20
    assert [line for line in rows if line not in world] == []

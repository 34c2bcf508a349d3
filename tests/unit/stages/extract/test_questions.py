"""What a model is told: only what may be meant, and no word twice."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from lumbung.model.candidate import MediaReference, PageKind, PageText
from lumbung.profiles.loader import load_profile
from lumbung.stages.extract.answers import SupportAnswers, schema_for
from lumbung.stages.extract.focus import focus_of, open_focus
from lumbung.stages.extract.questions import Questions
from lumbung.stages.extract.segments import Segment

PROFILE = load_profile("pdbi")
QUESTIONS = Questions(PROFILE)


def page(title, text, media=()):
    return PageText(title, text, "ind", "Latn", PageKind.ITEM, media=tuple(media))


def whole(of):
    return Segment(0, ((0, len(of.text)),))


def test_a_dance_is_asked_about_with_the_attributes_of_dances():
    focus = focus_of(page("Tari Piring", "Tari Piring adalah tarian dari Sumatera Barat."), [], PROFILE)
    told = QUESTIONS.instructions(focus)
    assert "gerak" in told
    assert "pamor" not in told
    assert "tarian" in focus.possible
    assert len(told) < len(QUESTIONS.instructions(open_focus(PROFILE)))


def test_a_page_that_says_little_can_be_about_anything():
    focus = focus_of(page("Rapa'i", "Rapa'i nakeuh saboh."), [], PROFILE)
    assert focus == open_focus(PROFILE)
    assert focus.possible == frozenset(PROFILE.categories)


def test_the_schema_is_sent_short_and_checked_in_full():
    schema = schema_for(["tarian", "ritual"])
    sent = json.dumps(schema.model_json_schema())
    assert '"enum": ["ritual", "tarian"]' in sent
    assert not any(word in sent for word in ("$defs", "$ref", "title", "maxLength", "additionalProperties"))
    assert schema.model_validate({"items": [{"name": "Saman", "category": None}]}).items[0].category is None
    for wrong in (
        {"items": [{"name": "Saman", "category": "makanan-minuman"}]},
        {"items": [{"name": "Saman", "publish": True}]},
    ):
        with pytest.raises(ValidationError):
            schema.model_validate(wrong)


def test_the_schema_of_the_support_check_keeps_its_vocabulary():
    sent = json.dumps(SupportAnswers.model_json_schema())
    assert all(word in sent for word in ("number", "supported", "contradicted", "unsupported"))


def test_pictures_are_asked_for_only_where_there_are_captions():
    plain = page("Tari Piring", "Tari Piring")
    pictured = page("Tari Piring", "Tari Piring", [MediaReference("https://a.example/1.jpg", "Penari")])
    focus = open_focus(PROFILE)
    assert "pictures:" not in QUESTIONS.about(plain, whole(plain), focus).instructions
    assert "pictures:" in QUESTIONS.about(pictured, whole(pictured), focus).instructions
    assert "pictures" not in json.dumps(QUESTIONS.schema(focus, pictured=False).model_json_schema())
    assert QUESTIONS.schema(focus, pictured=False).model_validate({"items": [{"name": "A", "pictures": [1]}]})


def test_a_caption_comes_with_the_piece_it_stands_in_and_others_with_the_first():
    text = "Tari Piring dari Minangkabau.\nPenari di Padang"
    media = [
        MediaReference("https://a.example/1.jpg", "Penari di Padang"),
        MediaReference("https://a.example/2.jpg", "Piring"),
    ]
    made = page("Tari Piring", text, media)
    first, second = Segment(0, ((0, 29),)), Segment(1, ((29, len(text)),))
    asked = [QUESTIONS.about(made, piece, open_focus(PROFILE)).content for piece in (first, second)]
    assert "2. Piring" in asked[0]
    assert "1. Penari" not in asked[0]
    assert "1. Penari di Padang" in asked[1]
    assert "2. Piring" not in asked[1]


def test_the_title_is_told_unless_the_piece_begins_with_it():
    made = page("Tari Piring - Situs Seni", "Tari Piring\nTari Piring adalah tarian.")
    assert "Title:" not in QUESTIONS.about(made, whole(made), open_focus(PROFILE)).content
    later = page("Tari Piring - Situs Seni", "Diiringi talempong.")
    assert "Title: Tari Piring - Situs Seni" in QUESTIONS.about(later, whole(later), open_focus(PROFILE)).content

"""Entries as readers see them: labels for codes, short quotes, confidence in words."""

from __future__ import annotations

from collections import defaultdict
from typing import Any
from urllib.parse import urlsplit

from lumbung.governance.notices import sentence
from lumbung.library.disclosure import LONGEST_QUOTE, short_quote
from lumbung.model.profile import Profile, Sentences
from lumbung.web.language import Words

Row = dict[str, Any]
PARAGRAPH = "\n\n"


def category_label(profile: Profile, code: str | None, language: str) -> str:
    category = profile.categories.get(code or "")
    if category is None:
        return ""
    return category.label if language == "id" else category.label_en


def notice_told(notice: Row, profile: Profile, words: Words) -> str:
    """A notice as a sentence, with the words of the pages for codes in its subject."""
    subject = notice["subject"]
    if notice["kind"] == "demotion":
        subject = category_label(profile, subject, words.language) or subject
    elif notice["kind"] == "budget-near-cap":
        window, _, stage = subject.partition(" ")
        subject = words.code("window", window) + (f" ({words.code('stage', stage)})" if stage not in {"", "*"} else "")
    return sentence(notice | {"subject": subject}, words.language, words.told)


def places(profile: Profile, codes: list[str]) -> str:
    return ", ".join(profile.places_said(codes))


def card(profile: Profile, row: Row, language: str) -> Row:
    return row | {
        "category_label": category_label(profile, row["category"], language),
        "places": places(profile, row["regions"]),
        "beginning": "" if row.get("hidden") else beginning_in(row, profile.sentences),
    }


def beginning_in(row: Row, sentences: Sentences) -> str:
    """The first words of a text in one line; where it was cut, it ends with a whole word. Of what a machine composed only what
    it says of the thing for sure: a card has no room for words about the text.
    """
    body = row.get("beginning") or ""
    parts = body.split(PARAGRAPH)
    told = [each for each in parts if row["owner"] == "human" or not is_about_the_text(each, sentences)] or parts
    if len(body) == LONGEST_QUOTE and told[-1] == parts[-1]:
        whole = told[-1].split()[:-1]
        told[-1] = " ".join([*whole, "…"]) if whole else "" if len(told) > 1 else told[-1]
    return " ".join(PARAGRAPH.join(told).split())


def is_about_the_text(paragraph: str, sentences: Sentences) -> bool:
    """Perhaps only the beginning of such a paragraph, for the text was cut."""
    doubt = sentences.low_confidence.partition("{sentence}")[2].strip()
    supplement = sentences.supplement.partition("{")[0]
    last = paragraph[paragraph.rfind(doubt[0]) :] if doubt and doubt[0] in paragraph else ""
    return (
        sentences.disclosure.startswith(paragraph)
        or bool(supplement and (paragraph.startswith(supplement) or supplement.startswith(paragraph)))
        or bool(last and (doubt in paragraph or doubt.startswith(last)))
    )


def confidence_word(probability: float) -> str:
    if probability >= 0.92:
        return "confidence_high"
    return "confidence_medium" if probability >= 0.8 else "confidence_low"


def public_source(source: Row) -> Row:
    return {
        "url": source["url"],
        "host": urlsplit(source["url"]).hostname or source["url"],
        "quote": short_quote(source["quote"], source.get("page_length") or 0),
        "language": source.get("language") or "und",
    }


def confidence_of(fact: Row, contested: bool) -> str:
    if fact.get("denied"):
        return "confidence_denied"
    return "confidence_contested" if contested else confidence_word(fact["probability"])


def shown_fact(fact: Row, contested: bool) -> Row:
    return {
        "value": fact["value"],
        "confidence": confidence_of(fact, contested),
        "flagged": fact["flagged"],
        "sources": [public_source(source) for source in fact["sources"] or []],
    }


def fact_groups(profile: Profile, facts: list[Row], contested: list[Row], language: str) -> list[Row]:
    """Facts by attribute in the profile's order; rivals of one question side by side, the likelier first."""
    order = {code: place for place, code in enumerate(profile.attributes)}
    grouped: dict[str, list[Row]] = defaultdict(list)
    for fact in facts:
        grouped[fact["attribute"]].append(shown_fact(fact, contested=False))
    for fact in contested:
        grouped[fact["attribute"]].append(shown_fact(fact, contested=True))
    disputed = {fact["attribute"] for fact in contested}
    groups = []
    for code in sorted(grouped, key=lambda each: (order.get(each, len(order)), each)):
        known = profile.attributes.get(code)
        label = code if known is None else known.label if language == "id" else known.label_en
        rivals = known is not None and known.single and len(grouped[code]) > 1
        groups.append({"label": label, "facts": grouped[code], "contradiction": rivals or code in disputed})
    return groups

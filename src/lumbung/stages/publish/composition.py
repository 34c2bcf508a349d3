"""Readable Indonesian text from facts: every sentence rests on one, and none is added."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from lumbung.model.item import ItemContent, ItemFact
from lumbung.model.profile import Profile, ValueKind
from lumbung.profiles.sentences import Sentences

SUPPLEMENT_MARK = "supplement"
"""Before the human entry's identity it names the supplement that this entry has: one, whatever brings it."""
SUPPLEMENT_TITLE = "{name} — data pelengkap"
SENTENCE_WORDS = 12
"""A longer value is somebody's sentence, not a phrase that fits into ours."""


def entry_title(content: ItemContent, human_title: str | None) -> str:
    return SUPPLEMENT_TITLE.format(name=human_title) if human_title else content.title


def compose(content: ItemContent, facts: Sequence[ItemFact], profile: Profile, sentences: Sentences) -> str:
    """The opening, one paragraph an attribute in the profile's order, and the word that a machine wrote it."""
    order = {code: place for place, code in enumerate(profile.attributes)}
    ordered = sorted(
        facts, key=lambda each: (order.get(each.attribute, len(order)), each.attribute, each.rank, each.value_key)
    )
    paragraphs = [opening(content, profile, sentences)]
    if content.supplement_of and sentences.supplement:
        paragraphs.append(fill(sentences.supplement, title=content.title))
    for attribute, group in groupby(ordered, key=lambda each: each.attribute):
        paragraphs.append(paragraph(content, attribute, list(group), profile, sentences))
    return "\n\n".join(piece for piece in (*paragraphs, sentences.disclosure) if piece)


def opening(content: ItemContent, profile: Profile, sentences: Sentences) -> str:
    category = profile.categories.get(content.category)
    label = category.label if category else content.category
    kind = sentences.kinds.get(content.category, label)
    places = [profile.regions[code].name for code in content.regions if code in profile.regions]
    if not places:
        return fill(sentences.opening_without_place, title=content.title, kind=kind)
    return fill(sentences.opening, title=content.title, kind=kind, places=enumeration(places, sentences))


def paragraph(
    content: ItemContent, attribute: str, facts: Sequence[ItemFact], profile: Profile, sentences: Sentences
) -> str:
    """Rivals of a single-valued attribute in one sentence that says so; otherwise a sentence a fact."""
    known = profile.attributes.get(attribute)
    if known is not None and known.single and len(facts) > 1:
        return disputed_sentence(known.label, [fact.value for fact in facts], sentences)
    return " ".join(
        sentence_of(content.title, content.category, attribute, fact.value, fact.flagged, profile, sentences)
        for fact in facts
    )


def disputed_sentence(label: str, values: Sequence[str], sentences: Sentences) -> str:
    joined = sentences.rival_joint.join(value.strip().rstrip(".") for value in values)
    return fill(sentences.disputed, label=label.lower(), values=joined)


def sentence_of(
    title: str, category: str, attribute: str, value: str, flagged: bool, profile: Profile, sentences: Sentences
) -> str:
    known = profile.attributes.get(attribute)
    value = value.strip()
    template = sentences.template(category, attribute)
    if template is None or reads_as_sentence(value) or value.split()[0].casefold() in sentences.openers:
        sentence = fill(sentences.labelled, label=known.label if known else attribute, value=value.rstrip("."))
    else:
        worded = enumeration(value.split(";"), sentences) if known and known.kind is ValueKind.SET else value
        sentence = fill(template, title=title, value=worded)
    return fill(sentences.low_confidence, sentence=sentence) if flagged else sentence


def reads_as_sentence(value: str) -> bool:
    return not value or value[-1] in ".!?" or len(value.split()) > SENTENCE_WORDS


def enumeration(pieces: Sequence[str], sentences: Sentences) -> str:
    named = [piece.strip() for piece in pieces if piece.strip()]
    if len(named) <= 2:
        return sentences.pair_joint.join(named)
    return sentences.list_joint.join(named[:-1]) + sentences.list_end + named[-1]


def fill(template: str, **words: str) -> str:
    """Plain replacement: braces in a page's words mean nothing."""
    parts = template.split("{")
    filled = [parts[0]]
    for part in parts[1:]:
        name, closing, rest = part.partition("}")
        filled.append(words[name] + rest if closing and name in words else "{" + part)
    return "".join(filled)

"""Readable Indonesian text from facts: every sentence rests on them, and none is added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol, TypeVar

from lumbung.model.item import ItemContent, ItemFact
from lumbung.model.profile import Profile, Sentences, ValueKind

SUPPLEMENT_MARK = "supplement"
"""Before the human entry's identity it names the supplement that this entry has: one, whatever brings it."""
SUPPLEMENT_TITLE = "{name} — data pelengkap"
SENTENCE_WORDS = 12
"""A longer value is somebody's sentence, not a phrase that fits into ours."""


def entry_title(content: ItemContent, human_title: str | None) -> str:
    return SUPPLEMENT_TITLE.format(name=human_title) if human_title else content.title


def compose(content: ItemContent, facts: Sequence[ItemFact], profile: Profile) -> str:
    """The opening, one paragraph an attribute in the profile's order, and the word that a machine wrote it."""
    order = {code: place for place, code in enumerate(profile.attributes)}
    ordered = sorted(
        facts, key=lambda each: (order.get(each.attribute, len(order)), each.attribute, each.rank, each.value_key)
    )
    wording = Wording(content.title, content.category, content.sensitive, profile)
    paragraphs = [wording.opening(content.regions)]
    if content.supplement_of and profile.sentences.supplement:
        paragraphs.append(fill(profile.sentences.supplement, title=content.title))
    for attribute, group in groupby(
        wording.beyond_the_opening(content.regions, ordered), key=lambda each: each.attribute
    ):
        paragraphs.append(" ".join(text for text, _ in wording.statements(attribute, list(group))))
    return "\n\n".join(piece for piece in (*paragraphs, profile.sentences.disclosure) if piece)


class Stated(Protocol):
    @property
    def attribute(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def flagged(self) -> bool: ...


Fact = TypeVar("Fact", bound=Stated)


@dataclass(frozen=True, slots=True)
class Wording:
    """How what is known of one thing is said."""

    title: str
    category: str
    sensitive: bool
    """What is sacred has passed the stricter bar: its flag asks for an audit, and the text does not call it doubtful."""
    profile: Profile

    @property
    def sentences(self) -> Sentences:
        return self.profile.sentences

    def opening(self, regions: Sequence[str]) -> str:
        known = self.profile.categories.get(self.category)
        kind = self.sentences.kinds.get(self.category, known.label if known else self.category)
        peoples, places, province = self.profile.peoples_and_places(regions)
        of_people = self.sentences.opening_of_people if places else self.sentences.opening_of_people_without_place
        if peoples and not of_people:
            peoples, places, province = [], self.profile.places_said(regions), ""
        plain = self.sentences.opening if places else self.sentences.opening_without_place
        where = self.sentences.list_joint.join(filter(None, [enumeration(places, self.sentences), province]))
        who = enumeration(peoples, self.sentences)
        return fill(of_people if peoples else plain, title=self.title, kind=kind, peoples=who, places=where)

    def told_in_opening(self, regions: Sequence[str], facts: Sequence[Fact]) -> list[Fact]:
        """Facts of where it comes from that say no more than the opening does."""
        places = self.profile.places_said(regions)
        return [
            fact
            for fact in facts
            if fact.attribute == self.sentences.opening_tells and fact.value in places and not self._is_doubted(fact)
        ]

    def beyond_the_opening(self, regions: Sequence[str], facts: Sequence[Fact]) -> list[Fact]:
        """Without where it comes from, if the opening has told all of that."""
        told = self.told_in_opening(regions, facts)
        left = [fact for fact in facts if fact not in told]
        return left if all(fact.attribute != self.sentences.opening_tells for fact in left) else list(facts)

    def statements(self, attribute: str, facts: Sequence[Fact]) -> list[tuple[str, list[Fact]]]:
        """Sentences, each with the facts that it rests on: rivals of a single-valued attribute in one that says so, phrases
        that can be told in one breath together, those in doubt apart from the sure, and any other alone.
        """
        known = self.profile.attributes.get(attribute)
        if known is not None and known.single and len(facts) > 1:
            return [(disputed_sentence(known.label, [fact.value for fact in facts], self.sentences), list(facts))]
        together = [fact for fact in facts if self._is_plain(attribute, fact.value)]
        alone = [[fact] for fact in facts if fact not in together]
        sure = [fact for fact in together if not self._is_doubted(fact)]
        doubted = [fact for fact in together if self._is_doubted(fact)]
        return [(self._sentence(attribute, group), group) for group in (sure, doubted, *alone) if group]

    def _is_doubted(self, fact: Stated) -> bool:
        return fact.flagged and not self.sensitive

    def _is_plain(self, attribute: str, value: str) -> bool:
        """Whether it can be one of several in an enumeration."""
        return "," not in value and self._fits(attribute, value.strip())

    def _fits(self, attribute: str, value: str) -> bool:
        """Whether it goes into the sentence of its attribute."""
        if self.sentences.template(self.category, attribute) is None or reads_as_sentence(value):
            return False
        return value.split(maxsplit=1)[0].casefold() not in self.sentences.openers

    def _sentence(self, attribute: str, facts: Sequence[Stated]) -> str:
        """Of facts that are equally sure."""
        known, values = self.profile.attributes.get(attribute), [fact.value.strip() for fact in facts]
        template = self.sentences.template(self.category, attribute)
        if template is None or not self._fits(attribute, values[0]):
            label = known.label if known else attribute
            sentence = fill(self.sentences.labelled, label=label, value=values[0].rstrip("."))
        else:
            sentence = fill(template, title=self.title, value=self._listed(values, known.kind if known else None))
        return fill(self.sentences.low_confidence, sentence=sentence) if self._is_doubted(facts[0]) else sentence

    def _listed(self, values: Sequence[str], kind: ValueKind | None) -> str:
        """Places as an address is written, for one may lie in the next; anything else as a list."""
        if kind is ValueKind.PLACE:
            return self.sentences.list_joint.join(values)
        pieces = [piece for value in values for piece in value.split(";")] if kind is ValueKind.SET else values
        return enumeration(list(dict.fromkeys(piece.strip() for piece in pieces)), self.sentences)


def disputed_sentence(label: str, values: Sequence[str], sentences: Sentences) -> str:
    joined = sentences.rival_joint.join(value.strip().rstrip(".") for value in values)
    return fill(sentences.disputed, label=label.lower(), values=joined)


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

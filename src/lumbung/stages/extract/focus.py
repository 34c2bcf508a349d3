"""What a page can be about, by the lexicon: a model is told only the categories and attributes that may be meant.

A question that lists every attribute of every category costs more than most pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.model.candidate import Candidate, PageText
from lumbung.model.profile import Attribute, Profile
from lumbung.text.extraction.category import vocabulary_of
from lumbung.text.extraction.titles import clean_title

SCORED_CHARACTERS = 8_000
SURE_SCORE = 9.0
"""Fewer words of one category leave open what the page is about, unless its title or the lexical engine says so."""
SHARE_OF_BEST = 0.25
SHARE_BESIDE_NAMED = 0.75
LEAST_SCORE = 1.0
MOST_DESCRIBED = 3
MOST_POSSIBLE = 4


@dataclass(frozen=True, slots=True)
class Focus:
    described: frozenset[str]
    """Categories whose attributes are told. Empty: the page can be about anything."""
    possible: frozenset[str]
    """All that an item may be said to be; never empty."""

    def attributes(self, profile: Profile) -> list[Attribute]:
        known = list(profile.attributes.values())
        if not self.described:
            return known
        return [each for each in known if any(each.belongs_to(category) for category in self.described)]


def open_focus(profile: Profile) -> Focus:
    return Focus(frozenset(), frozenset(profile.categories))


def focus_of(page: PageText, found: Sequence[Candidate], profile: Profile) -> Focus:
    """The categories that the title, the lexical engine's candidates and the words of the page speak for."""
    vocabulary = vocabulary_of(profile)
    scores = vocabulary.scores(f"{page.title} {page.text[:SCORED_CHARACTERS]}")
    named = vocabulary.head_of(page.title) | vocabulary.head_of(clean_title(page.title))
    named |= {candidate.category for candidate in found if candidate.category and not candidate.parked}
    best = max(scores.values(), default=0.0)
    if best < SURE_SCORE and not named:
        return open_focus(profile)
    ranked = sorted((code for code in scores if scores[code] >= LEAST_SCORE), key=lambda code: (-scores[code], code))
    share = SHARE_BESIDE_NAMED if named else SHARE_OF_BEST
    strong = [code for code in ranked if scores[code] >= share * best]
    described = named | frozenset(strong[:MOST_DESCRIBED])
    related = {other for code in described for other in profile.categories[code].confusable}
    return Focus(described, (described | related | frozenset(ranked[:MOST_POSSIBLE])) & frozenset(profile.categories))

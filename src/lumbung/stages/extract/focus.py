"""What a page can be about, by the lexicon: the model is told only the attributes that such things have.

A prompt that lists every attribute of every category costs more than most pages.
"""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.model.candidate import PageText
from lumbung.model.profile import Attribute, Profile
from lumbung.stages.extract.segments import Segment
from lumbung.text.extraction.category import folded_words, vocabulary_of

MOST_CATEGORIES = 2
SCORED_CHARACTERS = 8_000
LEAST_SCORE = 1.0
LEAST_OF_LATER = 3.0


@dataclass(frozen=True, slots=True)
class Focus:
    categories: frozenset[str]
    """Empty: it can be about anything."""

    def attributes(self, profile: Profile) -> list[Attribute]:
        known = list(profile.attributes.values())
        if not self.categories:
            return known
        return [each for each in known if any(each.belongs_to(category) for category in self.categories)]


def focus_of(page: PageText, profile: Profile) -> Focus:
    """The categories of the title's head word and the one whose words the page uses most; without a head, the first few."""
    vocabulary = vocabulary_of(profile)
    scores = vocabulary.scores(f"{page.title} {page.text[:SCORED_CHARACTERS]}")
    ranked = sorted((code for code in scores if scores[code] >= LEAST_SCORE), key=lambda code: (-scores[code], code))
    head = vocabulary.head_of(page.title)
    return Focus(head | frozenset(ranked[: 1 if head else MOST_CATEGORIES]))


def is_worth_asking(page: PageText, segment: Segment, profile: Profile) -> bool:
    """The first piece always is; a later one only if it names the item or uses words of culture."""
    if segment.number == 0:
        return True
    text = page.text[segment.fresh : segment.end]
    vocabulary = vocabulary_of(profile)
    bare = " ".join(folded_words(page.title)[vocabulary.generic_length(page.title) :])
    if bare and bare in " ".join(folded_words(text)):
        return True
    return sum(vocabulary.scores(text).values()) >= LEAST_OF_LATER

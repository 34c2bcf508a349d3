"""Whether a sentence speaks of the item: by its name, by its kind with a demonstrative, or by a pronoun."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lumbung.model.profile import Category
from lumbung.text.extraction.category import Vocabulary
from lumbung.text.extraction.items import Item
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.wording import Wording
from lumbung.text.names import strip_generic

_LEAD = re.compile(
    r"^(?:(?:selain itu|pada (?:umumnya|awalnya|dasarnya|mulanya|zaman dahulu)|biasanya|umumnya|dahulu|kini|saat ini|"
    r"secara \w+|dalam \w+nya|traditionally|today|usually|originally|tegenwoordig|vroeger|meestal),?\s+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Subject:
    opening: re.Pattern[str]
    cues: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, item: Item, category: Category, vocabulary: Vocabulary, wording: Wording) -> Subject:
        names = {item.name, strip_generic(item.name, vocabulary.generic)}
        if item.definition:
            names |= {item.definition.name, *item.definition.aliases}
            names.add(strip_generic(item.definition.name, vocabulary.generic))
        generic = _either({word for word in category.generic_words} | _nouns(category))
        shown = _either(wording.demonstratives)
        name = _either({name for name in names if len(name) > 2})
        opening = (
            rf"(?:(?:{generic})\s+)?(?:{name})(?!\w)|(?:{generic})(?:\s+\w+){{0,2}}\s+(?:{shown})(?!\w)"
            rf"|(?:{_either(wording.pronouns)})\s|(?:{generic})\s+(?=di|ber|ter|me)"
        )
        return cls(re.compile(rf"[\"“'(]?(?:{opening})", re.IGNORECASE), tuple(relation.cue for relation in wording.relations))

    def is_of(self, sentence: Sentence) -> bool:
        lead = _LEAD.match(sentence.text)
        start = lead.end() if lead else 0
        return bool(self.opening.match(sentence.text, start)) or any(cue.match(sentence.text, start) for cue in self.cues)


def _nouns(category: Category) -> set[str]:
    """The single words of the category's own label."""
    return {word.casefold() for word in category.label.split() if len(word) > 3}


def _either(words: set[str] | frozenset[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"

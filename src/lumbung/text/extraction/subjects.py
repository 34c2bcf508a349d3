"""Whether a sentence speaks of the item: by its name, by its kind with a demonstrative, by a pronoun or by a part of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lumbung.text.extraction.category import Vocabulary, folded_words
from lumbung.text.extraction.items import Item
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.wording import Wording

_WORDS_LOOKED_AT = 18
_SHORTEST_NAME = 3
_LEAD = re.compile(r"[^,.;]{1,60},\s+")


@dataclass(frozen=True, slots=True)
class Subject:
    """An item as the subject of sentences."""

    names: frozenset[tuple[str, ...]]
    category: str
    vocabulary: Vocabulary
    wording: Wording

    @classmethod
    def of(cls, item: Item, category: str, vocabulary: Vocabulary, wording: Wording) -> Subject:
        names = {item.name}
        if item.definition:
            names |= {item.definition.name, *item.definition.aliases}
        whole = {tuple(folded_words(name)) for name in names if len(name) >= _SHORTEST_NAME}
        bare = {tuple(folded_words(name)[vocabulary.generic_length(name) :]) for name in names}
        return cls(frozenset(whole | bare) - {()}, category, vocabulary, wording)

    def is_of(self, sentence: Sentence) -> bool:
        """Whether the sentence opens with the item, after words of time or manner at most."""
        if self._opens(sentence.text):
            return True
        if not self.wording.lead.match(sentence.text):
            return False
        lead = _LEAD.match(sentence.text)
        if lead and self._opens(sentence.text[lead.end() :]):
            return True
        words = folded_words(sentence.text)[:_WORDS_LOOKED_AT]
        return any(self._at(words, place) for place in range(1, 6))

    def is_named_in(self, sentence: Sentence) -> bool:
        """Whether the sentence calls the item by one of its names."""
        words = folded_words(sentence.text)[:_WORDS_LOOKED_AT]
        return any(self._is_name(tuple(words[place:])) for place in range(len(words)))

    def is_part(self, sentence: Sentence) -> bool:
        """Whether it opens with a part of the thing spoken of before, as `bilahnya` or `the blade`."""
        return bool(self.wording.part.match(sentence.text))

    def _opens(self, text: str) -> bool:
        words = folded_words(text)[:_WORDS_LOOKED_AT]
        return bool(words) and (words[0] in self.wording.pronouns or self._at(words, 0))

    def _at(self, words: list[str], place: int) -> bool:
        """A name, or a kind with a demonstrative, at this place; a kind may stand before a name."""
        rest = tuple(words[place:])
        if rest and rest[0] in self.wording.demonstratives and not self.wording.genus_comes_first:
            rest = rest[1:]
            return self._is_name(rest) or self._kind(rest) > 0
        if length := self._name_length(rest):
            # `X yang ...` is some of them, not the thing itself.
            return rest[length : length + 1] == () or rest[length] not in self.wording.relatives
        size = self._kind(rest)
        if not size:
            return False
        after = rest[size : size + 4]
        if self._is_name(after):
            return True
        if self.wording.genus_comes_first:
            reach = 14 if after[:1] and after[0] in self.wording.relatives else 3
            shown = self.wording.demonstratives.isdisjoint(rest[size : size + reach])
            return not shown or self._is_verb(after)
        return False

    def _is_name(self, words: tuple[str, ...]) -> bool:
        return self._name_length(words) > 0

    def _name_length(self, words: tuple[str, ...]) -> int:
        return max((len(name) for name in self.names if words[: len(name)] == name), default=0)

    def _kind(self, words: tuple[str, ...]) -> int:
        """How many words name the item's kind; in head-last languages an adjective or two may come before."""
        starts = (0,) if self.wording.genus_comes_first else (0, 1, 2)
        for start in starts:
            first = words[start] if start < len(words) else ""
            for size in range(min(self.vocabulary.starts.get(first, 0), len(words) - start), 0, -1):
                term = words[start : start + size]
                known = self.vocabulary.genera.get(term) or self.vocabulary.heads.get(term)
                if known and self.category in known:
                    return start + size
        return 0

    def _is_verb(self, words: tuple[str, ...]) -> bool:
        return bool(words) and re.match(r"(?:di|ber|ter)[a-z]{4,}", words[0]) is not None

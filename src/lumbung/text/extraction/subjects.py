"""Whether a sentence speaks of the item: by its name, by its kind with a demonstrative, by a pronoun or by a part of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lumbung.text.extraction.category import Vocabulary, folded_words
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.wording import Wording
from lumbung.text.stemming import stem

_WORDS_LOOKED_AT = 18
_SHORTEST_NAME = 3
_LEAD = re.compile(r"[^,.;]{1,60},\s+")
_COMMA = re.compile(r",\s+")
_LONGEST_LEAD = 120
_SHOWN_WITHIN = 6
_LONGEST_ASPECT = 3
_LONGEST_OTHER_NAME = 4
_VERB = re.compile(r"(?:di|ber|ter)[a-z]{4,}")
_ANY_VERB = re.compile(r"(?:di|me|ber|ter)[a-z]{3,}")
_SEVERAL = re.compile(r"(\w{3,})-\1")
"""`Alat-alat`: all of them, where one would be enough."""


@dataclass(frozen=True, slots=True)
class Subject:
    """An item as the subject of sentences."""

    names: frozenset[tuple[str, ...]]
    category: str
    vocabulary: Vocabulary
    wording: Wording

    @classmethod
    def of(
        cls, item: Item, category: str, vocabulary: Vocabulary, wording: Wording, others: Iterable[str] = ()
    ) -> Subject:
        """`others` are the name without the region it ends with, if there is such, and slips of its spelling."""
        names = {item.name, *others}
        if item.definition:
            names |= {item.definition.name, *item.definition.aliases}
        names |= {name.replace("-", " ") for name in names if "-" in name}
        whole = {tuple(folded_words(name)) for name in names if len(name) >= _SHORTEST_NAME}
        bare = {tuple(folded_words(name)[vocabulary.generic_length(name) :]) for name in names}
        if not wording.genus_comes_first:
            bare |= {tuple(folded_words(name)[: -vocabulary.kind_at_end(name) or None]) for name in names}
        return cls(frozenset(whole | bare) - {()}, category, vocabulary, wording)

    def since(self, sentence: Sentence) -> int | None:
        """From where on the sentence speaks of the item: the start, after words of time or manner, or a later clause."""
        adverb = self.wording.adverb.match(sentence.text)
        if self._opens(sentence.text) or (adverb and self._opens(sentence.text[adverb.end() :])):
            return 0
        if self.wording.lead.match(sentence.text):
            lead = _LEAD.match(sentence.text)
            if lead and self._opens(sentence.text[lead.end() :]):
                return 0
            words = folded_words(sentence.text.partition(",")[0])[:_WORDS_LOOKED_AT]
            place = next((place for place in range(1, 6) if self._at(words, place)), 0)
            if place and not self._some_of(words[:place]):
                return 0
        for comma in _COMMA.finditer(sentence.text, 0, _LONGEST_LEAD):
            later = self.wording.adverb.match(sentence.text, comma.end())
            begin = later.end() if later else comma.end()
            clause = folded_words(sentence.text[begin : begin + 200])[:_WORDS_LOOKED_AT]
            if clause and self._at(clause, 0):
                return comma.end()
        return None

    def _some_of(self, words: list[str]) -> bool:
        """`Beberapa jenis X`: what is said of some is not said of the thing."""
        some = self.wording.checks.pointers - self.wording.demonstratives - self.wording.pronouns
        return not some.isdisjoint(words)

    def is_pronoun(self, sentence: Sentence) -> bool:
        """Whether it opens with a word that stands for whatever was spoken of last."""
        return next(iter(folded_words(sentence.text)), "") in self.wording.pronouns

    def is_named_in(self, sentence: Sentence) -> bool:
        """Whether the sentence calls the item by one of its names."""
        words = folded_words(sentence.text)[:_WORDS_LOOKED_AT]
        return any(self._is_name(tuple(words[place:])) for place in range(len(words)))

    def is_last_in(self, text: str) -> bool:
        """Whether the words end with one of its names."""
        words = tuple(folded_words(text))
        return any(words[-len(name) :] == name for name in self.names)

    def is_called(self, name: str) -> bool:
        """Whether this is one of its names and no longer one."""
        return tuple(folded_words(name)) in self.names

    def goes_on_in(self, name: str) -> bool:
        """Whether a longer name begins with one of its names: `Rebana Ketimpring` is one rebana of several."""
        words = tuple(folded_words(name))
        return 0 < self._longest_name(words) < len(words) and not self.is_called(name)

    def is_of_one_sort(self, sentence: Sentence) -> bool:
        """Whether it opens with a name that is a word of kind and goes on to say which: `Angklung buhun digunakan`."""
        words = tuple(folded_words(sentence.text)[:_WORDS_LOOKED_AT])
        return self._longest_name(words) > 0 and not self._name_length(words)

    def is_part(self, sentence: Sentence) -> bool:
        """Whether it opens with a part of the thing spoken of before, as `bilahnya` or `the blade`."""
        return bool(self.wording.part.match(sentence.text))

    def is_aspect(self, sentence: Sentence) -> bool:
        """Whether it opens with what the item has, and names or shows the item behind it: `Gerakan tari X`, `Ide motif ini`."""
        lead = _LEAD.match(sentence.text) if self.wording.lead.match(sentence.text) else None
        return self._is_aspect(sentence.text) or (lead is not None and self._is_aspect(sentence.text[lead.end() :]))

    def is_shown_aspect(self, sentence: Sentence) -> bool:
        """Whether it opens with what the item has and shows that alone, as `bentuk kerucut ini`."""
        words = folded_words(sentence.text)[: _LONGEST_ASPECT + 1]
        shown = next((place for place, word in enumerate(words) if word in self.wording.demonstratives), 0)
        return shown > 0 and words[0] in self.wording.checks.aspects

    def _is_aspect(self, text: str) -> bool:
        words = folded_words(text)[:_WORDS_LOOKED_AT]
        checks, place = self.wording.checks, 0
        while place < min(_LONGEST_ASPECT, len(words) - 1) and words[place] in checks.aspects:
            place += 1
            joined = place + (words[place] in checks.aspect_joints)
            # `Pesan moral cerita rakyat ini`: a word of kind may be one for what a thing has too.
            if joined < len(words) and self._at(words, joined):
                return True
        return False

    def _opens(self, text: str) -> bool:
        words = folded_words(text)[:_WORDS_LOOKED_AT]
        if words and (several := _SEVERAL.fullmatch(words[0])):
            words[0] = several[1]
        if len(words) > 1 and words[0] in self.wording.pointing and words[1] in self.wording.demonstratives:
            return True
        if len(words) > 1 and words[0] in self.wording.neutral and self._at(words, 1):
            return True
        if any(self._is_also(words, place) for place in range(1, _LONGEST_OTHER_NAME)):
            return True
        return bool(words) and (words[0] in self.wording.pronouns or self._at(words, 0))

    def _is_also(self, words: list[str], place: int) -> bool:
        """`Mandi uap atau batimung`: another name before its own."""
        joined = place + 1 < len(words) and self.wording.alias_mark.fullmatch(words[place]) is not None
        return joined and self._is_name(tuple(words[place + 1 :]))

    def _at(self, words: list[str], place: int) -> bool:
        """A name, or a kind with a demonstrative, at this place; a kind may stand before a name."""
        rest = tuple(words[place:])
        if rest and rest[0] in self.wording.demonstratives and not self.wording.genus_comes_first:
            rest = rest[1:]
            return self._is_name(rest) or self._kind(rest) > 0
        if length := self._name_length(rest):
            # `Keris yang ...` are some of them; of a name of its own, what the clause says is told too.
            is_one = rest[length : length + 1] == () or rest[length] not in self.wording.relatives
            return is_one or not self.vocabulary.is_kind(rest[:length])
        size = self._kind(rest)
        if not size:
            return False
        after = rest[size : size + 4]
        # `Lagu anak` is a kind, and *Anak Kambing* a song.
        shorter = (rest[length:] for length in range(size, 0, -1) if self.vocabulary.is_kind(rest[:length]))
        if any(self._is_name(each) for each in shorter):
            return True
        return self.wording.genus_comes_first and (self._is_shown(rest[size:]) or self._is_verb(after))

    def _is_shown(self, words: tuple[str, ...]) -> bool:
        """Whether a demonstrative ends the phrase, as in `tarian khas suku Gayo ini`."""
        if words[:1] and words[0] in self.wording.relatives:
            return not self.wording.demonstratives.isdisjoint(words[:14])
        for word in words[:_SHOWN_WITHIN]:
            if word in self.wording.demonstratives:
                return True
            if word in self.wording.grammar or _VERB.match(word):
                return False
        return False

    def _is_name(self, words: tuple[str, ...]) -> bool:
        return self._name_length(words) > 0

    def _name_length(self, words: tuple[str, ...]) -> int:
        """How many words are a name; one that is a word of kind must be over there: `Keris digunakan`, not `Keris Bali`."""
        length = self._longest_name(words)
        if length and self.wording.genus_comes_first and self.vocabulary.is_kind(words[:length]):
            after = words[length : length + 1]
            return length if not after or self._goes_on_with(after[0]) else 0
        return length

    def _goes_on_with(self, word: str) -> bool:
        """Whether a word can stand behind a name that is over: a verb, an adverb, an article, a word of grammar."""
        wording = self.wording
        known = (
            wording.function_words | wording.grammar | wording.demonstratives | wording.never_first | wording.pronouns
        )
        if word in known or (_ANY_VERB.fullmatch(word) and stem(word) != word):
            return True
        over = wording.checks.name_over.fullmatch(f" {word}")
        return any((over, wording.adverb.fullmatch(f"{word} "), wording.article.fullmatch(f"{word} ")))

    def _longest_name(self, words: tuple[str, ...]) -> int:
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
        return bool(words) and _VERB.match(words[0]) is not None

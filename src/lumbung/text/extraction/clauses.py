"""Whose clause a cue stands in: that of the item, or of another noun of its sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.evidence import Kind
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.wording import Relation, Wording
from lumbung.text.stemming import stem

_ADVERBS = re.compile(
    r"(?:\s+(?:biasanya|sering|kerap|umumnya|juga|dapat|bisa|dulu|dahulu|masih|kini|selalu|akan|telah|sudah|lazim|biasa|kemudian))+\s*$",
    re.IGNORECASE,
)
_NEXT_CLAUSE = re.compile(r"[,;]|\s(?:dan|serta|namun|tetapi|tapi|hanya|karena|and|but|en|maar)\s", re.IGNORECASE)
_SUBORDINATE = re.compile(
    r"\b(?:karena|kerana|sebab|sehingga|sedangkan|meskipun|walaupun|agar|supaya)\s+"
    r"(?:(?:juga|sering|biasanya|dapat|bisa|akan|tidak|selalu)\s+)*(?P<next>\w+)",
    re.IGNORECASE,
)
_VERB_OF_SIZE = re.compile(r"(?:ber|se)[a-z]", re.IGNORECASE)
_HAVING = re.compile(
    r"\b(?:dengan|memiliki|mempunyai|terdapat|ada|di atas)\s+\w+(?:\s\w+){0,3}\s*(?:yang\s+)?$", re.IGNORECASE
)
_NOMINAL = re.compile(
    r"\b(?:adalah|ialah|yaitu|yakni|berupa|meliputi|antara lain|menggunakan|terdiri (?:dari|atas|daripada))(?: sebagai| untuk| simbol)?\W*$",
    re.IGNORECASE,
)
"""How a cue ends whose noun is the subject."""
_MEANS = re.compile(r"(?:menggunakan|memakai)\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:di|me|ber|ter)[a-z]{4,}")
_NOUN = re.compile(r"\w+(?:-\w+)*")


@dataclass(frozen=True, slots=True)
class About:
    """In what way a sentence speaks of the item."""

    category: str
    kind: Kind
    named: bool = True
    of_part: bool = False
    of_item: bool = True
    since: int = 0
    """Where the clause begins that does."""
    topic: str = ""
    """The attribute that the heading above names: what the sentence says of it is said of the item."""
    own_aside: bool = False
    """Whether what explains the last word of its clause explains the item: `..., adalah X, sebuah`."""
    names: frozenset[tuple[str, ...]] = frozenset()
    """What the item is called, in folded words."""
    explained: int = 0
    """Up to where words that explain others speak of the item still, as in the definition `..., yaitu`."""

    def takes(self, relation: Relation) -> bool:
        if relation.scope == "any" or (relation.scope == "named" and self.named) or relation.attribute == self.topic:
            return True
        return self.of_item and (relation.of_parts or not self.of_part)


def is_in_the_name(text: str, start: int, about: About) -> bool:
    """Whether a cue's noun is the last word of the item's name: of *Larung Sesaji adalah* no offering is told."""
    noun = _NOUN.match(text, start)
    words = tuple(folded_words(text[: noun.end()])) if noun else ()
    return any(len(name) > 1 and words[-len(name) :] == name for name in about.names)


def up_to_relative(before: str, cue: str, wording: Wording) -> str:
    """What stands before the last clause in which a cue stands, that within the cue with it: `upacara yang` dilakukan untuk."""
    # `Memiliki rasa yang`: what ends the cue is about the noun of the attribute itself.
    inner = [found.end() for found in wording.relative.finditer(cue) if cue[found.end() :].strip()]
    return before + cue[: inner[-1]] + " " if inner else before


def is_of_another_noun(before: str, reading: Reading, about: About, defines: bool) -> bool:
    """Whether a cue stands in a clause about a noun that came after a verb: `terdapat ukiran yang` terbuat dari.

    A noun of the item's own kind is the item: `X termasuk tari pergaulan yang` diiringi.
    """
    wording = reading.wording
    relative = _ADVERBS.sub("", before).rstrip().rsplit(maxsplit=1)
    if len(relative) < 2 or relative[1].casefold() not in wording.relatives:
        return False
    if not wording.genus_comes_first and not defines:
        return True
    if wording.copula.search(before):
        return False
    return bool(_verbs_in(relative[0], wording)) and not _ends_with_own_kind(relative[0], reading, about)


def _verbs_in(words: str, wording: Wording) -> list[re.Match[str]]:
    verbs = (found for found in _VERB.finditer(words.casefold()) if stem(found[0]) != found[0])
    return [found for found in verbs if found[0] not in wording.demonstratives]


def _ends_with_own_kind(words: str, reading: Reading, about: About) -> bool:
    """Whether a noun of the item's kind follows the last verb: `X termasuk tari pergaulan`."""
    noun = words[_verbs_in(words, reading.wording)[-1].end() :].strip()
    return about.category in reading.vocabulary.genus_in(noun, first=True)


def is_of_its_own(cue: re.Match[str], relation: Relation, sentence: Sentence, wording: Wording) -> bool:
    """Whether the sentence opens with the noun of the attribute, and names the item behind it: `Busana tari X adalah`."""
    adverb = wording.adverb.match(sentence.text)
    opens = cue.start() <= (adverb.end() if adverb else 0)
    return opens and relation.of_parts and _NOMINAL.search(cue[0]) is not None


def follows_subject(before: str, cue: str, reading: Reading, about: About) -> bool:
    """Whether a verb that says something still has the sentence's subject: none that has other objects stands between.

    `X terbuat dari`, `X adalah tarian yang ditarikan`, `X terbuat dari kayu dan dimainkan`, but not
    `untuk mengambil X dipakai sendok yang terbuat dari`. A cue that names its own subject needs none.
    """
    wording = reading.wording
    if not wording.genus_comes_first or not _VERB.match(cue.casefold()):
        return True
    led = _ADVERBS.sub("", before).rstrip()
    verbs = _verbs_in(led, wording)
    if not verbs or led.endswith(",") or wording.joint.fullmatch(f" {led.rsplit(maxsplit=1)[-1]} "):
        return True
    if led.rsplit(maxsplit=1)[-1].casefold() in wording.demonstratives and wording.relative.search(led):
        # `Permainan yang dilakukan setiap tahun ini bertujuan`: the verbs before are those of its clause.
        return True
    if verbs[-1].end() == len(led) and _MEANS.match(cue):
        # `X diciptakan menggunakan bahasa Y`: by what it is done.
        return True
    if _ends_with_own_kind(led, reading, about):
        return True
    copula = next(wording.copula.finditer(led), None)
    return copula is not None and not any(found.start() >= copula.end() for found in verbs)


def has_another_subject(before: str, wording: Wording) -> bool:
    """Whether the clause of a cue has a subject of its own: `..., karena isi kue ini` rasanya."""
    found = next(iter(reversed(list(_SUBORDINATE.finditer(before)))), None)
    if found is None or not wording.genus_comes_first or "," in before[found.end() :]:
        return False
    return _VERB.match(found["next"].casefold()) is None


def is_of_a_noun(before: str, cue: str) -> bool:
    """Whether a size is that of a noun which the thing has: `dengan lubang pintu` setinggi."""
    return _VERB_OF_SIZE.match(cue) is not None and _HAVING.search(before) is not None


def is_of_the_compared(text: str, since: int, start: int, wording: Wording) -> bool:
    """Whether a cue belongs to what the item is compared with: `mirip dengan tarian dari` Bali."""
    found = wording.checks.compared.search(text, since, start)
    return found is not None and _NEXT_CLAUSE.search(text, found.end(), start) is None


def aside_from(text: str, wording: Wording) -> int:
    """Where words begin that say what the last word of the clause is: `..., sebuah tarian yang`."""
    copula = wording.copula.search(text)
    found = wording.aside.search(text, copula.end()) if copula else None
    return found.start() if found else len(text)

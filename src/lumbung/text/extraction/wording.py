"""How each language words definitions and relations: the files of `languages/`, compiled once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from lumbung.model.profile import ValueShape
from lumbung.text.extraction.checks import Checks
from lumbung.text.extraction.glossaries import classes_of, refused_of, terms_of
from lumbung.text.extraction.patterns import any_of, either, head_of, pattern_of, whole
from lumbung.text.extraction.shapes import Shape, shapes_of

_WORD = re.compile(r"\w+")
_SAMPLE = 4_000
_FEWEST = 4
_SHARE = 0.16
_FEWEST_UNKNOWN = 2
_SHARE_UNKNOWN = 0.08
_FAMILY = {"ind": "ind", "msa": "ind", "zlm": "ind", "zsm": "ind", "eng": "eng", "nld": "nld"}

_SETS = ("demonstratives", "pronouns", "relatives", "grammar", "common", "never_first", "sections")
"""Lists that are taken as they stand."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A cue whose following words are the value of an attribute."""

    attribute: str
    hints: tuple[str, ...]
    """One of these stands in every sentence that has the cue; looking for them is cheap."""
    cue: re.Pattern[str]
    take: str
    confidence: float
    categories: frozenset[str]
    unit: str
    known_in: frozenset[str]
    """Categories of which the lexicon must know one member of the list; empty: any words will do."""
    may_open: bool
    """Whether its cue may open a sentence that leaves its subject out."""
    through: bool
    """Whether what it says of a value before it is said of the thing: `tepung yang dicampur dengan santan`."""
    of_parts: bool
    """Whether what is true of a part is true of the thing."""
    scope: str
    """`item`: sentences whose subject is the item; `named`: all that name it; `any`: all of its text."""
    stop: re.Pattern[str] | None
    """Where its phrase is over, besides the end of the clause."""
    only: frozenset[str]
    """Words with one of which every value must begin; empty: any words will do."""
    tail: re.Pattern[str] | None
    """What is left off the end of every value, as `flavours` of `spicy flavours`."""
    worded: str
    """How its value is worded in the library's language, with the groups of the cue or the `members` that follow it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Words of a genus that are themselves the value of an attribute."""

    attribute: str
    categories: frozenset[str]
    word: re.Pattern[str]
    of_names: bool
    """Whether a name that begins with such a word says it of its thing: `Legenda Danau Toba`."""


@dataclass(frozen=True, slots=True)
class Prose:
    """How the sentences of a section tell the attribute that its heading names."""

    needs: re.Pattern[str]
    """Words of which one stands in such a sentence."""
    refuses: re.Pattern[str]
    """Words that none of them has."""
    goes_on: bool
    """Whether the sentences after the first belong to the value, as the steps of making a thing do."""

    @classmethod
    def of(cls, row: dict[str, Any], refused: str) -> Prose:
        return cls(whole(row["needs"]), whole(refused), row.get("goes_on", False))


@dataclass(frozen=True, slots=True)
class Wording:
    language: str
    copula: re.Pattern[str]
    soft_copula: re.Pattern[str]
    """Verbs that say what a thing is where nothing else in the sentence does: `menjadi salah satu`."""
    copula_hints: tuple[str, ...]
    soft_hints: tuple[str, ...]
    """One of these stands in every sentence that has such a verb; looking for them is cheap."""
    naming: re.Pattern[str]
    """What stands between a kind of thing and the name of one: `a dance called`."""
    introduction: re.Pattern[str]
    """How a sentence leads up to a name that it then explains: `there is`."""
    owner: re.Pattern[str]
    """What follows a land that has the thing as its own: `Aceh memiliki`."""
    mention: re.Pattern[str]
    """Words of origin that stand right before a region."""
    alias_mark: re.Pattern[str]
    article: re.Pattern[str]
    form: re.Pattern[str]
    """Words before a genus that say only that the thing is one form of it: `a simple form of`."""
    determiner: re.Pattern[str]
    loose: re.Pattern[str]
    """Adjectives before a material that do not make it another one."""
    demonstratives: frozenset[str]
    pronouns: frozenset[str]
    denial: re.Pattern[str]
    hearsay: re.Pattern[str]
    contrast: re.Pattern[str]
    breaks: re.Pattern[str]
    joint: re.Pattern[str]
    origin: re.Pattern[str]
    comes_from: re.Pattern[str]
    """How a sentence goes on from a name to where the thing is from."""
    relatives: frozenset[str]
    relative: re.Pattern[str]
    """What begins a clause about the words right before it."""
    explanation: re.Pattern[str]
    """What begins an aside that explains a word of the sentence."""
    aside: re.Pattern[str]
    """What begins words that say what the word right before them is."""
    other_clause: re.Pattern[str]
    """A clause after which regions are not those of the thing's origin."""
    place_end: re.Pattern[str]
    """Words after which a place no longer belongs to the cue before it."""
    name_talk: re.Pattern[str]
    """How a sentence begins that speaks of the name, not of the thing."""
    lead: re.Pattern[str]
    """How a sentence begins that puts time or manner before its subject."""
    adverb: re.Pattern[str]
    """Words of time or manner that a sentence may begin with before a verb without a subject."""
    part: re.Pattern[str]
    """How a sentence begins that speaks of a part of the thing before it."""
    pointing: frozenset[str]
    """Nouns that with a demonstrative stand for whatever was spoken of: `acara ini`."""
    neutral: frozenset[str]
    """Nouns that may stand before the genus without being it."""
    genus_comes_first: bool
    compounds: bool
    """Whether it writes a kind and what narrows it as one word."""
    relations: tuple[Relation, ...]
    function_words: frozenset[str]
    people: re.Pattern[str]
    """Words before the name of a people."""
    label_words: frozenset[str]
    """By which a card without sentences shows its language."""
    culture: re.Pattern[str]
    """Words that say of a thing of any kind that it is a tradition."""
    needs_tradition: frozenset[str]
    """Categories whose words are used for much that is no tradition."""
    other_head: re.Pattern[str]
    """The head of a genus that is no kind of ours."""
    modern: re.Pattern[str]
    """Words that say of a thing that it is no tradition."""
    grammar: frozenset[str]
    """Words that stand in no name."""
    common: frozenset[str]
    """Words that make no name of a kind of thing."""
    never_first: frozenset[str]
    """Words with which no name begins."""
    sections: frozenset[str]
    """First words of headings that name a part of a text, not a thing."""
    headline: re.Pattern[str]
    """Words that stand in the headline of a story, not in a name."""
    class_with_examples: re.Pattern[str]
    """A class before its members: `alat musik seperti`."""
    kinds: tuple[Kind, ...]
    numbers: dict[str, str]
    dates: tuple[tuple[re.Pattern[str], str], ...]
    materials: dict[str, str]
    """What a word of a genus says the thing is made of, in the same language: `wooden flute`."""
    translations: dict[str, str]
    """Closed vocabulary, into the canonical language of the profiles that know it."""
    refused: dict[str, frozenset[str]]
    """By attribute, words of the library's language that are no value of it, as instruments are no materials."""
    terms: dict[str, dict[str, str]]
    """By attribute, the part of the language's glossary from which its values are: tastes, occasions."""
    qualities: dict[str, dict[str, str]]
    """By attribute, what words of a genus say of the thing: `war dance`, `spicy soup`."""
    checks: Checks
    shapes: dict[ValueShape, Shape]
    prose: dict[str, Prose]
    """By attribute, how sections that it heads tell it."""

    def is_canonical_for(self, language: str) -> bool:
        """Whether its phrases may stand as values of a library in that language as they are."""
        return _FAMILY.get(language) == self.language


def wording_for(language: str) -> Wording | None:
    """The wording of a page's language; None for a language whose sentences we do not read."""
    family = _FAMILY.get(language)
    return _load(family) if family else None


def wording_of(text: str, language: str) -> Wording | None:
    """The same; a short page that its names make look like another language is told by its function words."""
    known = wording_for(language)
    if known is not None:
        return known
    words = _WORD.findall(text[:_SAMPLE].casefold())
    fewest, share = (_FEWEST, _SHARE) if language != "und" else (_FEWEST_UNKNOWN, _SHARE_UNKNOWN)
    for family in ("ind", "eng", "nld"):
        wording = _load(family)
        told = wording.function_words if language != "und" else wording.function_words | wording.label_words
        common = sum(word in told for word in words)
        if common >= fewest and common >= share * len(words):
            return wording
    return None


@cache
def _load(family: str) -> Wording:
    return _compiled(family, _read(family))


def _compiled(family: str, data: dict[str, Any]) -> Wording:
    refused, terms = _glossary(family, data)
    return Wording(
        **{name: frozenset(data[name]) for name in _SETS},
        language=family,
        copula=any_of(data["copulas"]),
        soft_copula=whole(data.get("soft_copula", "(?!)")),
        copula_hints=tuple(data["copulas"]),
        soft_hints=tuple(data.get("soft_hints", ("",))),
        naming=pattern_of(rf"(?<!\w)(?:{data['called']}|{data.get('naming', '(?!)')})[\s\"'“‘(]+"),
        introduction=pattern_of(rf"^(?:.*\s)?(?:{data['introduction']})\s+"),
        owner=pattern_of(rf"\s+(?:{data['owner']})(?!\w)"),
        mention=pattern_of(rf"(?<!\w)(?:{data['mention']})\s+$"),
        alias_mark=pattern_of(rf"(?<!\w)(?:{data['alias_phrase']}|{either(data['alias_marks'])})(?!\w)"),
        article=pattern_of(rf"(?:(?:{either(data['articles'])})\s+)+"),
        form=pattern_of(data.get("form", "(?!)")),
        determiner=pattern_of(rf"^(?:{either(data.get('determiners', ()))})\s+"),
        loose=pattern_of(rf"^(?:(?:{either(data.get('loose', ()))})\s+)+"),
        denial=any_of(data["denials"]),
        hearsay=any_of(data["hearsay"]),
        contrast=pattern_of(rf"(?<![\w-])(?:{either(data['contrasts'])})(?!\w)"),
        breaks=any_of(data["breaks"]),
        joint=pattern_of(rf"\s*[,;]\s*(?:(?:{either(data['joints'])})\s+)?|\s+(?:{either(data['joints'])})\s+|\n"),
        origin=any_of(data["origins"]),
        comes_from=pattern_of(rf"\s(?:{data['comes_from']})\s"),
        relative=pattern_of(rf"[\s,]+(?:{either(data['relatives'])})(?!\w)"),
        explanation=_explanation(data["explanations"], data.get("own_part", "(?!)")),
        aside=pattern_of(rf",\s+(?:{either(data['asides'])})(?!\w)"),
        other_clause=pattern_of(data["other_clause"]),
        place_end=any_of(data["place_ends"]),
        name_talk=pattern_of(data["name_talk"]),
        lead=pattern_of(rf"(?:{either(data['leads'])})(?!\w)"),
        adverb=pattern_of(rf"(?:{either(data['adverbs'])}),?\s+"),
        part=pattern_of(data["part"]),
        pointing=frozenset([*data.get("pointing", ()), *data.get("neutral", ())]),
        neutral=frozenset(data.get("neutral", ())),
        genus_comes_first=data.get("genus_comes_first", True),
        compounds=data.get("compounds", False),
        relations=tuple(_relation(row, data.get("words", {})) for row in data.get("relation", ())),
        culture=any_of(data["culture"]),
        needs_tradition=frozenset(data.get("needs_tradition", ())),
        modern=any_of(data["modern"]),
        other_head=head_of(data["other_heads"], first=data.get("genus_comes_first", True)),
        headline=any_of(data["headline"]),
        class_with_examples=_class_with_examples(data["classes"], data["examples"]),
        function_words=frozenset([*data["function_words"], *data["culture"]]),
        people=any_of(data["people_words"]),
        label_words=frozenset(data["label_words"]),
        kinds=tuple(_kind(*each) for each in data.get("kinds", {}).items()),
        numbers=data.get("numbers", {}),
        dates=tuple((re.compile(pattern, re.IGNORECASE), text) for pattern, text in data.get("dates", ())),
        materials=data.get("materials", {}),
        translations=data.get("translations", {}),
        refused=refused,
        terms=terms,
        qualities=data.get("qualities", {}),
        checks=Checks.of(data),
        shapes=shapes_of(data),
        prose={name: Prose.of(row, data["prose_refuses"]) for name, row in data.get("prose", {}).items()},
    )


def _glossary(family: str, data: dict[str, Any]) -> tuple[dict[str, frozenset[str]], dict[str, dict[str, str]]]:
    """By attribute, what is refused as its value and the terms that its values are."""
    classes, named = classes_of(family, data.get("translations", {})), data.get("glossary", {})
    refused = {attribute: refused_of(names, classes) for attribute, names in named.items()}
    return refused, {attribute: terms_of(names, classes) for attribute, names in named.items()}


def _read(family: str) -> dict[str, Any]:
    source = resources.files("lumbung.text.extraction") / "languages" / f"{family}.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _relation(row: dict[str, object], words: dict[str, list[str]]) -> Relation:
    return Relation(
        attribute=str(row["attribute"]),
        hints=tuple(str(word) for word in _listed(row["hints"])),
        cue=re.compile(
            rf"(?<!\w)(?:{row['cue']})(?:(?<=\s)|(?=[\s:,{'.;)' if 'worded' in row else ''}]|$))[\s:]*", re.IGNORECASE
        ),
        take=str(row["take"]),
        confidence=float(str(row["confidence"])),
        categories=frozenset(str(code) for code in _listed(row.get("categories"))),
        unit=str(row.get("unit", "")),
        known_in=frozenset(str(code) for code in _listed(row.get("known_in"))),
        may_open=bool(row.get("may_open", True)),
        through=bool(row.get("through", False)),
        of_parts=bool(row.get("of_parts", False)),
        scope=str(row.get("scope", "item")),
        stop=pattern_of(str(row["stop"])) if "stop" in row else None,
        only=frozenset(words[str(row["only"])]) if "only" in row else frozenset(),
        tail=pattern_of(rf"\s+(?:{row['tail']})$") if "tail" in row else None,
        worded=str(row.get("worded", "")),
    )


def _explanation(words: Iterable[str], own_part: str) -> re.Pattern[str]:
    return pattern_of(rf"(?:,\s+(?:{either(words)})|\s(?:yaitu|yakni|iaitu))(?!\w)(?!\s+(?:{own_part}))")


def _class_with_examples(classes: Iterable[str], examples: Iterable[str]) -> re.Pattern[str]:
    return pattern_of(rf"(?:{either(classes)})(?:\s+\w+){{0,2}}?,?\s+(?:{either(examples)})[:\s]+")


def _kind(attribute: str, row: dict[str, Any]) -> Kind:
    return Kind(attribute, frozenset(row["categories"]), any_of(row["words"]), row.get("of_names", False))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []

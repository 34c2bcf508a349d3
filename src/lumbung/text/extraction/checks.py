"""Words of a language by which a value, a sentence or a name shows whether it may stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lumbung.text.extraction.patterns import any_of, either, head_of, pattern_of

_FIGURE = r"(?:\d[\d.,/½¼¾–-]*(?:\s\d/\d)?|½|¼|¾|se(?=jumput|tengah|genggam|ruas|ikat|lembar|batang|butir|buah|siung|potong|sendok|gelas|cangkir|ekor))"


@dataclass(frozen=True, slots=True)
class Checks:
    """Words by which a value, a sentence or a name shows whether it may stand."""

    opens_no_value: frozenset[str]
    """Words with which no value begins."""
    ends_no_value: frozenset[str]
    """Words with which no value ends."""
    pointers: frozenset[str]
    """Pronouns, demonstratives and words for some of many: no thing is called by them."""
    hollow: frozenset[str]
    """Nouns that say of what sort a value is, and no value."""
    supposed: re.Pattern[str]
    """How a sentence begins that supposes something."""
    place_words: frozenset[str]
    """Words that may stand between such a cue and the name of a place, or between two of them."""
    no_item: re.Pattern[str]
    """Words by which a name shows that of a day, an event, a house or a body, and no item."""
    called: re.Pattern[str]
    """Words of naming: what follows them is a name."""
    name_over: re.Pattern[str]
    """Verbs that go on after a name to tell of the thing."""
    dimensions: frozenset[str]
    """Labels of a size that say which it is."""
    amount: re.Pattern[str]
    """A quantity before the thing that is measured: `2 sdm gula`, and those of any recipe without a unit: `3 cabai`."""
    amount_behind: re.Pattern[str]
    """A quantity with its unit behind it: `Santan - 500 ml`."""
    gloss: re.Pattern[str]
    """How words in brackets begin that say how a name is spoken or what it means."""
    districts: frozenset[str]
    """Words before the name of a land that say of what level it is."""
    compared: re.Pattern[str]
    """Words after which another thing is told of, up to the end of the clause."""
    saying: re.Pattern[str]
    """Who says what follows: `X mengatakan bahwa`."""
    aspects: frozenset[str]
    """Words for what a thing has or for all of it: `ide`, `gerakan`, `setiap`."""
    aspect_joints: frozenset[str]
    """Words between such a word and the thing."""
    passing: re.Pattern[str]
    """Behind what, within a sentence, a clause begins with a thing of which it tells in passing."""
    told_of: re.Pattern[str]
    """How such a clause goes on behind the name."""
    listing: re.Pattern[str]
    """How a sentence announces that several things of a kind follow, up to that kind."""
    home: re.Pattern[str]
    """Words between a name and the region it is from."""
    announcing: re.Pattern[str]
    """How a line ends or begins that announces what follows: `... adalah sebagai berikut:`."""

    @classmethod
    def of(cls, data: dict[str, Any]) -> Checks:
        return cls(
            opens_no_value=frozenset(data.get("opens_no_value", ())),
            ends_no_value=frozenset([*data.get("opens_no_value", ()), *data.get("ends_no_value", ())]),
            pointers=frozenset(data.get("pointers", ())),
            hollow=frozenset(data.get("hollow", ())),
            supposed=pattern_of(rf"(?:{either(data.get('supposed', ()))})(?!\w)"),
            place_words=frozenset([*data["place_words"], *data["people_words"], *data["joints"]]),
            no_item=head_of(data.get("no_item", ()), first=data.get("genus_comes_first", True)),
            called=pattern_of(rf"(?<!\w)(?:{data['called']})(?!\w)"),
            name_over=pattern_of(rf"\s+(?:{either(data['name_over'])})(?!\w)"),
            dimensions=frozenset(data.get("dimensions", ())),
            amount=pattern_of(rf"{_FIGURE}\s*(?:{either(data.get('units', ()))})?\b\.?\s*"),
            amount_behind=pattern_of(rf"(?:\s+[-–:]|:)?\s+{_FIGURE}\s*(?:{either(data.get('units', ()))})\.?$"),
            gloss=pattern_of(rf"(?:{either(data.get('glosses', ()))})(?!\w)"),
            districts=frozenset(data.get("districts", ())),
            compared=any_of(data.get("compared", ())),
            saying=pattern_of(data.get("saying", "(?!)")),
            aspects=frozenset(data.get("aspects", ())),
            aspect_joints=frozenset(data.get("aspect_joints", ())),
            passing=pattern_of(data.get("passing", "")),
            told_of=pattern_of(data.get("told_of", "(?!)")),
            listing=pattern_of(data.get("listing", "(?!)")),
            home=pattern_of(data.get("home", "(?!)")),
            announcing=pattern_of(data.get("announcing", "(?!)")),
        )

"""Which attribute a label, heading or column names, in whatever language the profile lists it."""

from __future__ import annotations

import re
from collections import defaultdict

from lumbung.model.profile import Attribute, Profile
from lumbung.text.extraction.category import vocabulary_of

_LABELS: dict[int, tuple[Profile, dict[str, tuple[Attribute, ...]]]] = {}
_EDGES = re.compile(r"^[\W\d_]+|[\W_]+$")
_BLANK = re.compile(r"\s+")


def folded(label: str) -> str:
    """A label without numbering, punctuation at its edges and case."""
    return _BLANK.sub(" ", _EDGES.sub("", label)).casefold()


def attribute_of(label: str, profile: Profile, category: str | None) -> Attribute | None:
    """The attribute of that label in the category; None when no attribute, or more than one, answers to it."""
    table = _table(profile)
    known = table.get(folded(label)) or table.get(_without_kind(folded(label), profile, category), ())
    fitting = [attribute for attribute in known if attribute.belongs_to(category)]
    if len(fitting) > 1:
        special = [attribute for attribute in fitting if attribute.categories]
        fitting = special or fitting
    if len(fitting) == 1 and (category is not None or not fitting[0].categories or len(known) == 1):
        return fitting[0]
    return None


def _without_kind(label: str, profile: Profile, category: str | None) -> str:
    """`bahan` of `bahan bangunan`: behind a label the kind of thing may stand that it is of."""
    vocabulary, words = vocabulary_of(profile), label.split()
    for size in range(1, len(words)):
        kind = " ".join(words[size:])
        if vocabulary.is_kind(tuple(words[size:])) and category in vocabulary.head_of(kind):
            return " ".join(words[:size])
    return ""


def is_label(label: str, profile: Profile) -> bool:
    return folded(label) in _table(profile)


def _table(profile: Profile) -> dict[str, tuple[Attribute, ...]]:
    held = _LABELS.get(id(profile))
    if held is None or held[0] is not profile:
        found: dict[str, list[Attribute]] = defaultdict(list)
        for attribute in profile.attributes.values():
            for label in dict.fromkeys(
                folded(name) for name in (attribute.label, attribute.label_en, *attribute.surface)
            ):
                found[label].append(attribute)
        held = (profile, {label: tuple(attributes) for label, attributes in found.items()})
        _LABELS[id(profile)] = held
    return held[1]

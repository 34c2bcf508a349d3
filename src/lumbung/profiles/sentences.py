"""The wording of entries, from the profile's `sentences.toml`; a profile without one has labels and values alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

from lumbung.errors import ProfileError
from lumbung.profiles.loader import shipped_profiles
from lumbung.profiles.tables import read_toml

FILE = "sentences.toml"


@dataclass(frozen=True)
class Sentences:
    opening: str = "{title} ({kind}, {places})."
    opening_without_place: str = "{title} ({kind})."
    labelled: str = "{label}: {value}."
    disputed: str = "{label}: {values}."
    low_confidence: str = "{sentence} (?)"
    supplement: str = ""
    disclosure: str = ""
    list_joint: str = ", "
    list_end: str = ", "
    pair_joint: str = ", "
    rival_joint: str = " / "
    openers: frozenset[str] = frozenset()
    kinds: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    category: dict[str, dict[str, str]] = field(default_factory=dict)

    def template(self, category: str, attribute: str) -> str | None:
        return self.category.get(category, {}).get(attribute) or self.attributes.get(attribute)


@lru_cache(maxsize=8)
def load_sentences(profile: str) -> Sentences:
    """The wording of a shipped profile, by its name."""
    if profile not in shipped_profiles():
        return Sentences()
    folder = resources.files("lumbung.profiles") / profile
    if not (folder / FILE).is_file():
        return Sentences()
    values: dict[str, Any] = dict(read_toml(folder, FILE))
    values["openers"] = frozenset(values.get("openers", ()))
    try:
        sentences = Sentences(**values)
    except TypeError as error:
        raise ProfileError(f"{FILE}: {error}; its keys are those of the shipped file.") from error
    for template in (*sentences.attributes.values(), *(t for own in sentences.category.values() for t in own.values())):
        if "{value}" not in template:
            raise ProfileError(f'{FILE}: "{template}" says nothing of the fact; put {{value}} into it.')
    return sentences

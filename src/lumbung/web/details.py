"""Stored details (effects, evidence, payloads, explanations) as labelled lists in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic_core import to_json

from lumbung.model.profile import Profile
from lumbung.web.language import Words, code_key
from lumbung.web.moments import moment_in
from lumbung.web.shown import category_label

MOST_LISTED = 40
MANY_ROWS = 12
"""More of them are folded away."""
DIGEST = re.compile(r"[0-9a-f]{40,64}")
SHOWN_OF_DIGEST = 12
FACT_JOINT = "\x1f"
MICROS, SECONDS = "_micros", "_seconds"

CODES = {
    "verdict": ("verdict", "pair", "decision"), "outcome": ("decision", "outcome"), "took_back": ("judged", "pair", "verdict"),
    "state": ("frontier", "tranche", "fact", "request_state"), "status": ("status",), "mode": ("mode",), "from": ("mode",),
    "to": ("mode",), "role": ("role",), "verb": ("verb",), "verbs": ("verb",), "stage": ("stage",), "by": ("decided_by",),
    "decided_by": ("decided_by",), "owner": ("owner",), "node": ("node",), "error": ("error",), "error_kind": ("error",),
    "novelty": ("novelty",), "criterion": ("criterion",), "checked": ("check",), "risk": ("risk",), "purpose": ("purpose",),
    "sessions": ("sessions",), "kind": ("kind",), "scope": ("scope",),
}  # fmt: skip
"""By the name of a value: the kinds of words in which its code may stand."""
PEOPLE = {"person", "asked_by", "closed_by", "signed_by"}
ABOUT_PEOPLE = {
    "create-person", "erase-person", "grant-role", "revoke-role", "set-password", "set-second-factor", "sign-in", "issue-token",
    "revoke-token",
}  # fmt: skip
"""Verbs of the log whose subject is a person's number."""


@dataclass(frozen=True, slots=True)
class Labelled:
    rows: tuple[tuple[str, Told], ...]

    @property
    def folded(self) -> bool:
        return len(self.rows) > MANY_ROWS


@dataclass(frozen=True, slots=True)
class Listed:
    items: tuple[Told, ...]
    left_off: int = 0


Told = str | Labelled | Listed


class Details:
    def __init__(self, words: Words, profile: Profile, names: Mapping[int, str] | None = None) -> None:
        self._words, self._profile, self._names = words, profile, names or {}

    def knowing(self, names: Mapping[int, str]) -> Details:
        """The same, where people are told by their names."""
        return Details(self._words, self._profile, names)

    def of(self, value: Any, name: str = "") -> Told:
        if isinstance(value, Mapping):
            return Labelled(tuple((self.label(str(key)), self.of(part, str(key))) for key, part in value.items()))
        if isinstance(value, Sequence) and not isinstance(value, str | bytes):
            return self._listed(list(value), name)
        return self._single(value, name)

    def raw(self, value: Any) -> str:
        return to_json(value, indent=1, fallback=str).decode()

    def label(self, name: str) -> str:
        """The word for the name of a value; a code of the profile by its label; any other shows itself."""
        key = code_key("detail", name)
        return self._words(key) if self._words.knows(key) else self._of_profile(name) or name

    def subject(self, verb: str, subject: str) -> str:
        """What a line of the log is about: people by their names, codes of the profile by their labels."""
        if verb in ABOUT_PEOPLE and subject.isdigit():
            return self._names.get(int(subject), subject)
        return self._text(subject, "stage" if verb in {"pause-stage", "resume-stage"} else "")

    def category(self, code: str | None) -> str:
        return category_label(self._profile, code, self._words.language) or code or ""

    def attribute(self, code: str) -> str:
        known = self._profile.attributes.get(code)
        return code if known is None else known.label if self._words.language == "id" else known.label_en

    def remark(self, text: str) -> str:
        """A reason or note, alone or behind its term: the profile's own in either language; people's as they wrote it."""
        known = self._profile.remarks_en
        head, joint, last = ("", "", text) if text in known else text.rpartition(": ")
        if last not in known:
            return self._words.told(text)
        return head + joint + (last if self._words.language == "id" else known[last])

    def _listed(self, values: list[Any], name: str) -> Told:
        shown = [self.of(each, name) for each in values[:MOST_LISTED]]
        left = len(values) - len(shown)
        if all(isinstance(each, str) for each in shown):
            more = [self._words("and_more", n=left)] if left else []
            return ", ".join([*map(str, shown), *more]) or self._words("none")
        return Listed(tuple(shown), left)

    def _single(self, value: Any, name: str) -> str:
        if value is None or value == "":
            return "–"
        if isinstance(value, bool):
            return self._words("yes" if value else "no")
        if isinstance(value, int | float):
            return self._measured(value, name)
        if isinstance(value, datetime):
            return moment_in(self._profile.timezone, value)
        return self._text(str(value), name)

    def _measured(self, value: float, name: str) -> str:
        if name in PEOPLE:
            return self._names.get(int(value), str(value))
        if name.endswith(MICROS):
            return self._words.number(value / 1_000_000, 4)
        told = self._words.number(value, 0 if float(value).is_integer() else 4)
        return f"{told} s" if name.endswith(SECONDS) else told

    def _text(self, text: str, name: str) -> str:
        for kind in CODES.get(name, ()):
            if self._words.knows(code_key(kind, text)):
                return self._words.code(kind, text)
        if DIGEST.fullmatch(text.removeprefix("h:")):
            return text[:SHOWN_OF_DIGEST] + "…"
        if FACT_JOINT in text:
            attribute, _, value = text.partition(FACT_JOINT)
            return f"{self.attribute(attribute)}: {value}"
        return self._of_profile(text) or self._named(text) or self.remark(text)

    def _named(self, text: str) -> str:
        """What the matcher compared: `name (equal)`, `category`, `region`."""
        what, _, how = text.rstrip(")").partition(" (")
        if not self._words.knows(code_key("compared", what)):
            return ""
        likeness = f" ({self._words.code('likeness', how)})" if how else ""
        return self._words.code("compared", what) + likeness

    def _of_profile(self, code: str) -> str:
        profile = self._profile
        if code in profile.categories:
            return self.category(code)
        if code in profile.attributes:
            return self.attribute(code)
        return profile.regions[code].name if code in profile.regions else ""

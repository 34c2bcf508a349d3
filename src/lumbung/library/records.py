"""Human records as they come in: checked, keyed and never dropped in silence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from unicodedata import category as letter_kind
from unicodedata import normalize

from lumbung.equations.identity import identity
from lumbung.errors import UsageError
from lumbung.model.profile import Profile
from lumbung.store.entries import HumanEntry
from lumbung.text.names import name_key
from lumbung.text.region import Gazetteer

FIELDS = (
    "title", "text", "category", "regions", "aliases", "contributor", "files", "licence", "revision", "remote_id", "updated_at",
)  # fmt: skip
UNKNOWN_REGION = "-"
LONGEST_TITLE = 500
LONGEST_MARK = 500
"""Of a number, a revision, a licence or a name of a person."""
SCHEME = re.compile(r"[a-z][a-z0-9+.\-]*:", re.IGNORECASE)
UNREAD = re.compile(r"^[\x00-\x20]+|[\x00-\x1f\x7f-\x9f]")
"""What browsers pass over when they read an address, in the midst of its scheme too."""


@dataclass(frozen=True)
class RecordReader:
    """Turns a line of an import into a human entry of this library."""

    profile: Profile
    gazetteer: Gazetteer
    library: str = "reference"
    keep_contributors: bool = False
    licence: str | None = None
    """Of records that name none of their own."""

    def read(self, record: Mapping[str, Any]) -> HumanEntry:
        title = checked_title(clean(text_of(record, "title")))
        body = clean(text_of(record, "text"))
        regions = self._regions(texts_of(record, "regions"))
        aliases = [checked_length("aliases", clean(each), LONGEST_TITLE) for each in texts_of(record, "aliases")]
        remote_id = optional(record, "remote_id")
        return HumanEntry(
            identity=human_identity(self.library, remote_id, title, body),
            category=self._category(record.get("category")),
            title=title,
            name_key=name_key(title) or title.casefold(),
            aliases=aliases,
            alias_keys=sorted({name_key(alias) for alias in aliases} - {""}),
            regions=regions,
            primary_region=regions[0] if regions else UNKNOWN_REGION,
            body=body,
            files=[checked_file(each) for each in list_of(record, "files")],
            contributor=optional(record, "contributor") if self.keep_contributors else None,
            licence=optional(record, "licence") or self.licence,
            library=self.library,
            remote_id=remote_id,
            remote_revision=optional(record, "revision") or optional(record, "updated_at"),
        )

    def _category(self, named: Any) -> str | None:
        """A category by its code or its label; an unknown one is an error that says so, none is allowed."""
        if named is None or named == "":
            return None
        wanted = str(named).casefold().strip()
        for category in self.profile.categories.values():
            if wanted in {category.code.casefold(), category.label.casefold(), category.label_en.casefold()}:
                return category.code
        raise UsageError(f'unknown category "{str(named)[:100]}"; the profile has {", ".join(self.profile.categories)}')

    def _regions(self, named: Iterable[str]) -> list[str]:
        return sorted({code for each in named for code in self._codes(each.strip())})

    def _codes(self, named: str) -> list[str]:
        return [named] if named in self.profile.regions else [found.code for found in self.gazetteer.find(named)]

    def unplaced(self, record: Mapping[str, Any]) -> list[str]:
        """Regions that nobody here knows: the record comes in without them, and whoever imports it is told."""
        return [each for each in texts_of(record, "regions") if each.strip() and not self._codes(each.strip())]


def human_identity(library: str, remote_id: str | None, title: str, body: str) -> str:
    """A human entry is its library and remote id; without one, the digest of its first title and text."""
    own = remote_id if remote_id is not None else sha256(f"{title}\x1f{body}".encode()).hexdigest()
    return identity("human", f"{library}\x1f{own}", UNKNOWN_REGION)


def clean(text: str) -> str:
    return normalize("NFC", text.replace("\x00", "")).strip()


def checked_title(title: str) -> str:
    if not any(letter_kind(letter)[0] in "LNS" for letter in title):
        raise UsageError('a record needs a "title" that can be read')
    if any(letter_kind(letter) == "Cc" for letter in title):
        raise UsageError('"title" must be one line, without control characters')
    return checked_length("title", title, LONGEST_TITLE)


def checked_length(name: str, text: str, longest: int) -> str:
    if len(text) > longest:
        raise UsageError(f'"{name}" has {len(text)} letters; at most {longest} are kept')
    return text


def checked_file(file: Any) -> Any:
    """A name or a web address, or an object that says more of one; nothing that a browser would run."""
    address = file.get("url") if isinstance(file, dict) else file
    if holds_nul(file):
        raise UsageError('"files" names one with NUL, which is no character of a text')
    if not isinstance(address, str):
        raise UsageError('"files" must be names, web addresses, or objects with a "url"')
    if SCHEME.match(UNREAD.sub("", address)) and not address.lower().startswith(("http://", "https://")):
        raise UsageError(f'"files" names {address[:60]}, which is no web address')
    return file


def holds_nul(value: Any) -> bool:
    """Whether any text in it has the one character that no text can be stored with."""
    if isinstance(value, dict):
        return any(map(holds_nul, (*value, *value.values())))
    if isinstance(value, list | tuple):
        return any(map(holds_nul, value))
    return isinstance(value, str) and "\x00" in value


def text_of(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise UsageError(f'"{name}" must be text')
    return value


def list_of(record: Mapping[str, Any], name: str) -> list[Any]:
    value = record.get(name)
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [piece.strip() for piece in str(value).split(";") if piece.strip()]


def texts_of(record: Mapping[str, Any], name: str) -> list[str]:
    """Figures are read as they are written; of anything else nobody could say what it means."""
    texts = [record[name]] if isinstance(record.get(name), dict) else list_of(record, name)
    if any(isinstance(each, dict | list | bool | None) for each in texts):
        raise UsageError(f'"{name}" must be a list of texts')
    return [str(each) for each in texts]


def optional(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    if isinstance(value, dict | list | bool):
        raise UsageError(f'"{name}" must be text')
    return None if value is None else checked_length(name, clean(str(value)), LONGEST_MARK) or None

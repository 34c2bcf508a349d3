"""Path patterns of robots.txt, TDM rules and ai.txt: `*`, a final `$`, percent-encoding, in linear time."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_PLAIN = re.compile(r"[A-Za-z0-9._~/-]*")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_ENCODED = re.compile(r"[^!-~]|[\"<>^`{|}]")
"""What no URL holds as it is: the parser encodes it in paths, so rules that hold it are encoded too."""
_RESERVED_IN_PATH = str.maketrans({character: f"%{ord(character):02X}" for character in "!#&'()+,:;=@[\\]"})
_RESERVED_IN_QUERY = _RESERVED_IN_PATH | str.maketrans({"/": "%2F", "?": "%3F"})
_SPECIAL = str.maketrans({"*": "%2A", "$": "%24"})


@dataclass(frozen=True, slots=True)
class PathForms:
    """A path with its query in both readings: as the RFC compares it, and as it is written."""

    compared: str
    written: str


@dataclass(frozen=True, slots=True)
class RulePattern:
    octets: tuple[int, int]
    """Its length in both readings: the longer of two matching rules decides."""
    compared: Wildcard
    written: Wildcard

    @classmethod
    def of(cls, text: str) -> RulePattern:
        compared, written = _compared(text), _written(text)
        return cls((len(compared), len(written)), Wildcard.of(compared), Wildcard.of(written))

    @property
    def prefixes(self) -> tuple[str, str]:
        return self.compared.first, self.written.first

    def matches_every(self, forms: PathForms) -> bool:
        return self.compared.matches(forms.compared) and self.written.matches(forms.written)

    def matches_any(self, forms: PathForms) -> bool:
        return self.compared.matches(forms.compared) or self.written.matches(forms.written)


@dataclass(frozen=True, slots=True)
class Wildcard:
    """A pattern cut at its stars; the pieces are found from left to right, so no input makes it backtrack."""

    first: str
    middle: tuple[str, ...]
    last: str | None
    """None where the pattern has no star."""
    anchored: bool

    @classmethod
    def of(cls, text: str) -> Wildcard:
        anchored = text.endswith("$")
        body = text[:-1] if anchored else text
        first, *rest = re.sub(r"\*+", "*", body).replace("$", "%24").split("*")
        return cls(first, tuple(rest[:-1]), rest[-1] if rest else None, anchored)

    def matches(self, path: str) -> bool:
        if not path.startswith(self.first):
            return False
        place = len(self.first)
        if self.last is None:
            return not self.anchored or len(path) == place
        for piece in self.middle:
            found = path.find(piece, place)
            if found < 0:
                return False
            place = found + len(piece)
        if self.anchored:
            return len(path) - len(self.last) >= place and path.endswith(self.last)
        return path.find(self.last, place) >= 0


def path_forms(path_and_query: str) -> PathForms:
    """Stars and dollars of a URL are no wildcards: they compare in their encoded form."""
    if _PLAIN.fullmatch(path_and_query):
        return PathForms(path_and_query, path_and_query)
    literal = path_and_query.translate(_SPECIAL)
    return PathForms(compared=_compared(literal), written=_written(literal))


def _compared(text: str) -> str:
    """Unreserved characters decoded, everything outside ASCII and all that is reserved encoded; the slashes of
    the path stay, for they part its segments.
    """
    plain = _ESCAPE.sub(_decoded_unreserved, _encoded(text))
    path, mark, query = plain.partition("?")
    return path.translate(_RESERVED_IN_PATH) + mark + query.translate(_RESERVED_IN_QUERY)


def _written(text: str) -> str:
    """As the file has it, but for what the URL parser changes; a tilde is one in either spelling everywhere."""
    path, mark, query = _encoded(text).partition("?")
    whole = path.replace("\\", "/") + mark + query.replace("'", "%27")
    return _ESCAPE.sub(lambda found: found.group().upper(), whole).replace("%7E", "~")


def _encoded(text: str) -> str:
    return _ENCODED.sub(_percent_encoded, text)


def _percent_encoded(found: re.Match[str]) -> str:
    return "".join(f"%{octet:02X}" for octet in found.group().encode("utf-8", "surrogateescape"))


def _decoded_unreserved(found: re.Match[str]) -> str:
    character = chr(int(found.group()[1:], 16))
    return character if _UNRESERVED.fullmatch(character) else found.group().upper()

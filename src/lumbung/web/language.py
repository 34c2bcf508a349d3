"""Every text a person sees, in both languages, from `messages/<language>.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from starlette.requests import Request

from lumbung.text.numerals import in_language, money, numeral
from lumbung.web.stored_words import stored_in

LANGUAGES = ("id", "en")
COOKIE = "bahasa"
TYPED = {"id": re.compile(r"-?[0-9]+([.,][0-9]+)?"), "en": re.compile(r"-?[0-9]+(\.[0-9]+)?")}
A_THOUSAND = re.compile(r"-?[1-9][0-9]{0,2}(\.[0-9]{3})+")
"""In Indonesian 1.500 is a thousand and a half, and to a program one and a half: it is refused rather than guessed."""


@cache
def messages(language: str) -> Mapping[str, str]:
    folder = files("lumbung.web").joinpath("messages")
    found: dict[str, str] = {}
    for file in sorted(each.name for each in folder.iterdir() if each.name.startswith(f"{language}")):
        found |= tomllib.loads(folder.joinpath(file).read_text(encoding="utf-8"))
    return found


def chosen_language(request: Request) -> str:
    """Asked for in the address, kept in a cookie, or wished by the browser; Indonesian otherwise."""
    for wish in (request.query_params.get("bahasa"), request.cookies.get(COOKIE)):
        if wish in LANGUAGES:
            return wish
    for piece in request.headers.get("accept-language", "").split(","):
        code = piece.split(";")[0].strip().lower()[:2]
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]


class Words:
    """`words("key", n=3)` in the reader's language; an unknown key is a bug and says so."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._messages = messages(language)

    def __call__(self, key: str, **values: object) -> str:
        return self._messages[key].format(**values) if values else self._messages[key]

    def code(self, kind: str, value: object) -> str:
        """The word for a code of a closed list, such as a verb or a state; one that is not known shows itself."""
        return self._messages.get(code_key(kind, str(value)), str(value))

    def knows(self, key: str) -> bool:
        return key in self._messages

    def number(self, value: float, digits: int = 0) -> str:
        """As it is written in the reader's language: 1.234,5 in Indonesian, 1,234.5 in English."""
        return numeral(value, digits, self.language)

    def money(self, micros: float, currency: str) -> str:
        return money(micros, currency, self.language)

    def exact(self, value: float) -> str:
        """With the digits that it has, and no more: 0,85 and 1.209.600."""
        written = f"{value:,.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else f"{value:,}"
        return in_language(written, self.language)

    def typed(self, value: float) -> str:
        """As it stands in a field for numbers: with the reader's decimal sign and without groups."""
        return self.exact(value).replace("." if self.language == "id" else ",", "")

    def number_from(self, text: str) -> float:
        """What somebody typed: a decimal point does in both languages, the comma in Indonesian; no groups of thousands."""
        if not TYPED[self.language].fullmatch(text) or (self.language == "id" and A_THOUSAND.fullmatch(text)):
            raise ValueError(text)
        written = text.replace(",", ".")
        return float(written) if "." in written else int(written)

    def told(self, stored: object) -> str:
        """A reason as the machine stored it."""
        return stored_in(self.language, str(stored)) if stored is not None else ""


def code_key(kind: str, value: str) -> str:
    return f"{kind}_{re.sub(r'[^a-z0-9]+', '_', value.lower())}"

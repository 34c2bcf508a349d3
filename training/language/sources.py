"""Lawful text for the language identifier, read from packages that are installed or unpacked by name.

Nothing read here is copied into the tree: only the weights learned from it are.
"""

from __future__ import annotations

import csv
import html
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

OTHER = "und"


@dataclass(frozen=True, slots=True)
class Sample:
    """One piece of text. `part` says which document it is from: a part is in training or held out, never in both."""

    language: str
    source: str
    part: str
    text: str


# Codes of packages that name the languages of this model otherwise.
MEDIAWIKI_CODES = {
    "id": "ind", "ms": "zsm", "ms-arab": "zsm", "jv": "jav", "map-bms": "jav", "su": "sun", "mad": "mad", "min": "min",
    "ban": "ban", "bug": "bug", "mak": "mak", "ace": "ace", "bbc-latn": "bbc", "bjn": "bjn", "bew": "bew", "mui": "mui",
    "rej": "rej", "tet": "tet", "sas": "sas", "ljp": "ljp", "btm": "btm", "nia": "nia", "gor": "gor", "en": "eng",
    "en-gb": "eng", "nl": "nld", "nl-informal": "nld", "de": "deu", "de-formal": "deu", "fr": "fra", "pt": "por",
    "pt-br": "por", "ar": "ara", "arz": "ara", "ary": "ara",
}  # fmt: skip
UDHR_CODES = {
    "ind": "ind", "mly_latn": "zsm", "mly_arab": "zsm", "jav": "jav", "sun": "sun", "mad": "mad", "min": "min",
    "ban": "ban", "bug": "bug", "ace": "ace", "tet": "tet", "eng": "eng", "nld": "nld", "deu_1901": "deu",
    "deu_1996": "deu", "fra": "fra", "por_BR": "por", "por_PT": "por", "arb": "ara",
}  # fmt: skip
# Neither ours nor clearly another language: left out of training altogether.
AMBIGUOUS = frozenset(
    [
        "qqq",
        "en-ca",
        "de-at",
        "de-ch",
        "arq",
        "acm",
        "apc",
        "aeb-arab",
        "aeb-latn",
        "abs",
        "xmm",
        "tg-latn",
        "nds-nl",
        "zea",
        "vls",
        "li",
        "gsw",
        "bar",
        "pdc",
        "pdt",
        "hrx",
        "mwl",
        "sco",
        "ang",
        "pcm",
        "kea",
        "pap",
        "nrm",
        "wa",
        "frp",
        "pcd",
        "ext",
        "eml",
        "gcr",
        "ht",
        "tok",
        "jbo",
        "ia",
        "ie",
        "io",
        "vo",
        "eo",
        "nov",
        "lfn",
        "isv-latn",
        "avk",
    ]
)
_SKIPPED_SCRIPTS = re.compile("[\u0400-\u05ff\u0700-\u1aff\u1b00-\u1cff\u3040-\u9fff\ua900-\ud7ff]")
_MARKUP = re.compile(
    r"\{\{[^{}]*\}\}|<[^<>]*>|\[\[(?:[^\[\]|]*\|)?|\]\]|\[https?://\S+|https?://\S+|'{2,}|\$\d+|&\w+;|%\S+"
)
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = re.compile(
    r"\b(?:the|of|to|is|has|been|for|and|was|not|this|with|from|your|you|what|are|be|an)\b", re.IGNORECASE
)
_CODE = re.compile(r"[$\\{}=|<>~]|--\w|/\w+/")


def word_count(text: str) -> int:
    return len(_WORD.findall(text))


def sentences_csv(path: Path) -> Iterator[Sample]:
    """NusaX and NusaWrites. The rows of NusaX are translations of each other: one part is one row in all languages."""
    places: dict[tuple[str, str], int] = {}
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            key = (row["language"], row["source"])
            place = places[key] = places.get(key, -1) + 1
            for piece in pieces(row["text"]):
                yield Sample(row["language"], row["source"], f"{row['source']}-{place}", piece)


def pieces(text: str, longest: int = 40) -> Iterator[str]:
    """Sentences, joined or cut to at most `longest` words."""
    held: list[str] = []
    for sentence in re.split(r"(?<=[.!?])\s+", text.strip()):
        words = sentence.split()
        if held and len(held) + len(words) > longest:
            yield " ".join(held)
            held = []
        while len(words) > longest:
            yield " ".join(words[:longest])
            words = words[longest:]
        held += words
        if len(held) >= 12:
            yield " ".join(held)
            held = []
    if held:
        yield " ".join(held)


def mediawiki(folder: Path) -> Iterator[Sample]:
    """Interface messages of MediaWiki in several hundred languages; one part is one message key in all of them."""
    for file in sorted(folder.rglob("i18n/**/*.json")):
        code = file.stem
        if code in AMBIGUOUS:
            continue
        language = MEDIAWIKI_CODES.get(code, OTHER)
        for key, message in json.loads(file.read_text("utf-8")).items():
            if isinstance(message, str) and not key.startswith("@"):
                text = clean_message(message)
                translated = language in {"eng", OTHER} or len(_ENGLISH.findall(text)) < 2
                if translated and word_count(text) >= 3 and not _SKIPPED_SCRIPTS.search(text):
                    yield Sample(language, "mediawiki" if language != OTHER else f"mediawiki-{code}", key, text)


def clean_message(message: str) -> str:
    plural = re.sub(r"\{\{(?:PLURAL|GENDER|GRAMMAR)[^|{}]*\|([^|{}]*)[^{}]*\}\}", r"\1", message)
    return " ".join(html.unescape(_MARKUP.sub(" ", plural)).split())


def declarations(folder: Path) -> Iterator[Sample]:
    """The Universal Declaration of Human Rights; one part is one paragraph number."""
    for file in sorted((folder / "declaration").glob("*.html")):
        language = UDHR_CODES.get(file.stem, OTHER)
        source = "udhr" if language != OTHER else f"udhr-{file.stem}"
        for place, paragraph in enumerate(re.findall(r"<p>(.*?)</p>", file.read_text("utf-8"), re.DOTALL)):
            text = clean_message(paragraph)
            if word_count(text) >= 3 and not _SKIPPED_SCRIPTS.search(text):
                for piece in pieces(text):
                    yield Sample(language, source, f"udhr-{place}", piece)


def language_pack(file: Path, language: str, source: str) -> Iterator[Sample]:
    """Messages of a Mozilla language pack (Fluent and property files)."""
    with zipfile.ZipFile(file) as archive:
        for name in sorted(archive.namelist()):
            if not name.endswith((".ftl", ".properties")):
                continue
            for line in archive.read(name).decode("utf-8", "replace").splitlines():
                _, separator, message = line.partition("=")
                text = clean_message(re.sub(r"\{[^{}]*\}|%\d?\$?[SsDd]", " ", message))
                translated = not _ENGLISH.search(text)
                if separator and translated and not line.startswith("#") and word_count(text) >= 3:
                    yield Sample(language, source, name, text)


def handbook(folder: Path, language: str, source: str) -> Iterator[Sample]:
    """Prose of an HTML handbook, paragraph by paragraph; one part is one page."""
    for file in sorted(folder.rglob("*.html")):
        for paragraph in re.findall(r"<p[^>]*>(.*?)</p>", file.read_text("utf-8", "replace"), re.DOTALL):
            text = clean_message(re.sub(r"<code[^>]*>.*?</code>|<tt[^>]*>.*?</tt>", " ", paragraph, flags=re.DOTALL))
            if word_count(text) >= 5 and not _CODE.search(text):
                for piece in pieces(text):
                    if len(_ENGLISH.findall(piece)) < 2:
                        yield Sample(language, source, file.name, piece)

"""What kind of page this is, told by its structure and markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from turbohtml import Document

from lumbung.model.candidate import PageKind
from lumbung.text.markup.blocks import RawBlock
from lumbung.text.markup.head import Head

_WIKI_MARKUP = "#mw-content-text, .mw-parser-output, body.mediawiki, #mw-navigation, #wikiwand-wrapper"
_ENCYCLOPAEDIA_HOSTS = re.compile(
    r"(?:^|\.)(?:wikipedia\.org|wikimedia\.org|wikisource\.org|wikiwand\.com|britannica\.com|dbpedia\.org|wiki2\.org|"
    r"p2k\.[\w.-]+|wikizero\.\w+|alchetron\.com)$",
)
_ENCYCLOPAEDIA_WORDS = re.compile(
    r"\b(?:dari|daripada|ti|saka|saking|matan|nibak|dâri|gikan sa) wikip[eéèêi]d[iï]?[aâ]\b|ensiklopedia? bebas|"
    r"wikip[eéèêi]d[iï]?[aâ]\b[^.\n]{0,40}\b[eéè]n[scz][iy]?[ck]lop|"
    r"vrije encyclopedie|free encyclop(?:a|ae|æ)dia|artikel ini (?:adalah|merupakan) (?:sebuah )?rintisan|wikimedia foundation",
    re.IGNORECASE,
)
_ENCYCLOPAEDIA_HINTS = ("wikip", "wikim", "klop", "clop", "rintisan")
"""One of these stands in all of them: a look for them is cheaper."""
_LISTING_TYPES = frozenset({"ItemList", "CollectionPage", "SearchResultsPage", "Blog"})
_SHOP_TYPES = frozenset({"Product", "Offer", "AggregateOffer", "ProductGroup", "product", "product.item", "Store"})
_LISTING_CLASSES = re.compile(r"(?:^|\s)(?:archive|category|tag|search|search-results|blog|home)(?:\s|$)")
_ERROR_TITLE = re.compile(
    r"\b(?:40[0134]|410|50[0234])\b|not found|tidak ditemukan|access denied|forbidden|akses ditolak|"
    r"\berror\b|service unavailable|under construction|account suspended|just a moment|attention required|captcha",
    re.IGNORECASE,
)
_SIGN_IN_TITLE = re.compile(
    r"^(?:(?:log ?in|sign ?in|login|register|lupa (?:kata sandi|password)|inloggen)\b|"
    r"(?:masuk|daftar)(?:\s*(?:$|[-|–:·])|\s+(?:akun|anggota|sekarang|gratis|atau|ke|dengan|disini|di sini|sebagai)\b))",
    re.IGNORECASE,
)
"""*Daftar* is also a list, and *Masuk* begins sentences."""
_BUY = re.compile(
    r"add to cart|tambah(?:kan)? ke (?:keranjang|troli)|masukkan (?:ke )?keranjang|beli sekarang|buy now|checkout|"
    r"in winkelwagen|stok (?:tersedia|habis)|out of stock",
    re.IGNORECASE,
)
_PRICE = re.compile(r"(?:\bRp\.? ?|\bIDR ?|\bRM ?|€ ?|\$ ?|USD ?)\d[\d.,]*", re.IGNORECASE)
_FEWEST_CHARACTERS = 40
_SHORT_BLOCK = 200


@dataclass(frozen=True, slots=True)
class Signs:
    """What the markup shows outside the main text."""

    is_encyclopaedia: bool
    asks_password: bool
    sells: bool
    body_classes: str


@dataclass(frozen=True, slots=True)
class Shape:
    """How much of the page is prose, and how much is links."""

    prose: int
    sentences: int
    linked: int
    whole: int
    teasers: int


def read_signs(document: Document, url: str, head: Head) -> Signs:
    body = document.select_one("body")
    return Signs(
        is_encyclopaedia=_is_encyclopaedia(document, url, head),
        asks_password=document.select_one("input[type=password]") is not None,
        sells=_sells(document),
        body_classes=(body.attr("class") or "") if body is not None else "",
    )


def page_kind(signs: Signs, head: Head, blocks: list[RawBlock], main: list[RawBlock]) -> PageKind:
    shape = _shape(blocks, main)
    quoted = any(_names_an_encyclopaedia(block.text) for block in main if len(block.text) < _SHORT_BLOCK)
    if signs.is_encyclopaedia or quoted:
        return PageKind.ENCYCLOPAEDIA
    if _is_noise(signs, head, main, shape):
        return PageKind.NOISE
    if _is_index(signs, head, shape):
        return PageKind.INDEX
    return PageKind.ITEM


def _names_an_encyclopaedia(text: str) -> bool:
    lowered = text.lower()
    return any(hint in lowered for hint in _ENCYCLOPAEDIA_HINTS) and _ENCYCLOPAEDIA_WORDS.search(text) is not None


def _is_encyclopaedia(document: Document, url: str, head: Head) -> bool:
    host = urlsplit(url).hostname or "" if "://" in url else ""
    attributions = document.select("#siteSub, footer, .attribution")
    return bool(
        _ENCYCLOPAEDIA_HOSTS.search(host)
        or "mediawiki" in head.generator.lower()
        or re.search(r"wikipedia|wikiwand|britannica", head.site, re.IGNORECASE)
        or document.select_one(_WIKI_MARKUP) is not None
        or any(_ENCYCLOPAEDIA_WORDS.search(small.text[:300]) for small in attributions),
    )


def _sells(document: Document) -> bool:
    buttons = document.select("button, .btn, .button, a.add_to_cart_button, [class*=cart]")[:60]
    actions = " ".join(element.text[:60] for element in buttons)
    return bool(_BUY.search(actions)) and bool(_PRICE.search(document.text[:20_000]))


def _shape(blocks: list[RawBlock], main: list[RawBlock]) -> Shape:
    prose = [
        block
        for block in main
        if block.kind in {"paragraph", "list-item", "row"} and block.linked * 2 < len(block.text)
    ]
    teasers = sum(
        block.kind == "heading" and not block.container.apart and block.linked * 10 >= len(block.text) * 8
        for block in blocks
    )
    return Shape(
        prose=sum(len(block.text) for block in prose),
        sentences=sum(len(block.text) >= 120 for block in prose),
        linked=sum(block.linked for block in blocks),
        whole=sum(max(len(block.text), block.linked) for block in blocks),
        teasers=teasers,
    )


def _is_noise(signs: Signs, head: Head, main: list[RawBlock], shape: Shape) -> bool:
    size = sum(len(block.text) for block in main)
    if size < _FEWEST_CHARACTERS and shape.linked < 200:
        return True
    first = next((block.text for block in main if block.kind == "heading"), "")
    if shape.prose < 800 and any(_ERROR_TITLE.search(title) for title in (head.title, first)):
        return True
    if shape.prose < 400 and (_SIGN_IN_TITLE.search(head.title) or signs.asks_password):
        return True
    return signs.sells or bool(head.types & _SHOP_TYPES and shape.prose < 4_000)


def _is_index(signs: Signs, head: Head, shape: Shape) -> bool:
    if shape.prose >= 1_500 and shape.sentences >= 5 and shape.sentences > shape.teasers:
        return False
    mostly_links = shape.linked > 600 and shape.linked * 2 > shape.whole and shape.prose < 1_000
    listing = head.types & _LISTING_TYPES or _LISTING_CLASSES.search(signs.body_classes)
    many_teasers = shape.teasers >= 6 and shape.linked * 5 > shape.whole
    return bool(mostly_links or many_teasers or (listing and (shape.teasers >= 3 or shape.prose < 600)))

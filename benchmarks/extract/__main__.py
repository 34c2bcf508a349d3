"""Stage 2: CPU beside trafilatura's, and what a model is sent beside sending it every page.

Tokens are characters divided by four. The list of pages is fixed: item pages of the demo world and as many others (indexes,
news, shops, encyclopaedias), each inside the scripts, styles and menus of an ordinary site.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import trafilatura

from lumbung.demo.answers import answer_for
from lumbung.demo.pages import load_world
from lumbung.model.candidate import PageKind, PageText
from lumbung.profiles.loader import load_profile
from lumbung.stages.extract.focus import Focus, focus_of, is_worth_asking
from lumbung.stages.extract.grounding import Ground
from lumbung.stages.extract.llm import LlmExtractor, Page
from lumbung.stages.extract.orders import Orders
from lumbung.stages.extract.segments import segments
from lumbung.text.extraction.lexical import extract
from lumbung.text.gate import Gate
from lumbung.text.markup import read_page
from lumbung.text.region import Gazetteer

PROFILE = load_profile()
GAZETTEER = Gazetteer(PROFILE)
PAGES_OF_EACH = 40
FURNITURE = (
    "<style>" + ".menu-item-{n} a:hover{{color:#c00;padding:4px 8px}}" * 150 + "</style>",
    "<nav><ul>" + '<li class="menu-item"><a href="/kategori/{n}">Kategori {n}</a></li>' * 60 + "</ul></nav>",
    "<script>" + "window.dataLayer=window.dataLayer||[];gtag('config',{n});" * 250 + "</script>",
)
CHARACTERS_A_TOKEN = 4


def fixed_list() -> Iterator[tuple[bool, str, bytes]]:
    """Whether it is an item page, its address and its body."""
    taken = {True: 0, False: 0}
    for site in load_world().values():
        for path, page in site.pages.items():
            is_item = page.kind == "item"
            served = answer_for(site, path)
            if page.oddity or page.redirect or page.status != 200 or "html" not in served.content_type:
                continue
            if taken[is_item] < PAGES_OF_EACH:
                taken[is_item] += 1
                yield is_item, page.url, dressed(served.body)


def dressed(body: bytes) -> bytes:
    furniture = "".join(piece.replace("{{", "{").replace("}}", "}") for piece in FURNITURE)
    return body.replace(b"<body", furniture.encode() + b"<body", 1)


def sent(extractor: LlmExtractor, page: PageText, url: str, gate: Gate) -> int:
    """Characters of everything a model is sent about a page."""
    if page.kind is not PageKind.ITEM or not gate.judge(page.text, page.language, url).passed:
        return 0
    told = extractor.instructions_for(focus_of(page, PROFILE))
    at_hand = Page(
        page, told, Ground(page.text), Ground(page.title), Orders(page.text), Orders(page.title), "benchmark", ""
    )
    schema = len(json.dumps(extractor.schema.model_json_schema()))
    total = 0
    for segment in segments(page):
        if is_worth_asking(page, segment, PROFILE):
            prompt = extractor.prompt(at_hand, segment)
            total += len(prompt.instructions) + len(prompt.content) + schema
    return total


def measure_tokens() -> None:
    extractor, gate = LlmExtractor(None, PROFILE, GAZETTEER, "m"), Gate(PROFILE)  # type: ignore[arg-type]
    whole = extractor.instructions_for(Focus(frozenset()))
    overhead = len(whole) + len(json.dumps(extractor.schema.model_json_schema()))
    html = text = ours = items = 0
    for is_item, url, body in fixed_list():
        page = read_page(body, url)
        items += is_item
        html += overhead + len(body)
        text += overhead + len(page.text)
        ours += sent(extractor, page, url, gate)
    for name, characters in (("every page's HTML", html), ("every page's main text", text), ("Lumbung", ours)):
        tokens = characters / CHARACTERS_A_TOKEN
        print(f"{name}: {tokens:,.0f} tokens, {tokens / items:,.0f} an item page")
    print(f"Lumbung sends {ours / html:.3f} of the HTML and {ours / text:.3f} of the main text")


def cpu_of(work: Callable[[], object], rounds: int = 5) -> float:
    times = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def listing(entries: int) -> bytes:
    rows = "".join(
        f"<li><a href='/tari/{n}'>Tari {n}</a>: tari tradisional dari daerah ke-{n} yang diiringi gamelan dan kendang.</li>"
        for n in range(entries)
    )
    return f"<html><body><h1>Daftar Tari</h1><ul>{rows}</ul></body></html>".encode()


def measure_cpu() -> None:
    articles = [(body, url) for _, url, body in fixed_list()]
    for name, pages in (
        ("ordinary pages", articles),
        ("a list of 400 entries", [(listing(400), "https://a.example/")]),
    ):
        ours = cpu_of(lambda pages=pages: [extract(read_page(*each), PROFILE, GAZETTEER) for each in pages])  # type: ignore[misc]
        theirs = cpu_of(lambda pages=pages: [trafilatura.extract(body.decode()) for body, _ in pages])  # type: ignore[misc]
        print(
            f"{name}: {ours * 1000 / len(pages):.2f} ms a page, trafilatura {theirs * 1000 / len(pages):.2f}: {ours / theirs:.2f} of it"
        )


if __name__ == "__main__":
    measure_tokens()
    measure_cpu()

"""Stage 2: CPU beside trafilatura's, and what a model is sent beside sending it every page."""

from __future__ import annotations

import time
from collections.abc import Callable

import trafilatura

from benchmarks.extract.pages import short_pages
from benchmarks.extract.tokens import GAZETTEER, PROFILE, measure_tokens
from lumbung.text.extraction.lexical import extract
from lumbung.text.markup import read_page


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
    articles = [(page.body, page.url) for page in short_pages()]
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

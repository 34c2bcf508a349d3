"""Stage 2: CPU beside trafilatura's, and what a model is sent beside sending it every page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

import trafilatura

from benchmarks.extract.pages import short_pages
from benchmarks.extract.tokens import GAZETTEER, PROFILE, measure_tokens
from lumbung.text.extraction.lexical import extract
from lumbung.text.markup import read_page

ENTRIES = 400
ROUNDS = 5
SYLLABLES = ("ka", "lu", "ri", "mang", "sa", "do", "wi", "ner", "pa", "tu")
Pages = list[tuple[bytes, str]]


def cpu_of(work: Callable[[Pages], object], rounds: Sequence[Pages]) -> float:
    times = []
    for pages in rounds:
        started = time.process_time()
        work(pages)
        times.append(time.process_time() - started)
    return min(times)


def listed(rows: Iterable[str]) -> bytes:
    entries = "".join(f"<li>{row}</li>" for row in rows)
    return f"<html><body><h1>Daftar Tari</h1><ul>{entries}</ul></body></html>".encode()


def of_links() -> bytes:
    """Names with what they are, none of them of one thing."""
    return listed(
        f"<a href='/tari/{n}'>Tari {n}</a>: tari tradisional dari daerah ke-{n} yang diiringi gamelan dan kendang."
        for n in range(ENTRIES)
    )


def of_items(form: str, seed: int) -> bytes:
    """Entries that each tell of an item; names nobody has read before, so that nothing is remembered of another round."""
    return listed(form.format(name=f"Tari {name_of(seed * ENTRIES + n)}") for n in range(ENTRIES))


def name_of(number: int) -> str:
    return "".join(SYLLABLES[number // len(SYLLABLES) ** place % len(SYLLABLES)] for place in range(4)).title()


LISTS = {
    "that are no items": lambda _: of_links(),
    "that define an item": lambda seed: of_items(
        "{name} adalah tarian dari Bantul yang diiringi gamelan dan kendang.", seed
    ),
    "with a name and what it is": lambda seed: of_items(
        "{name}: tari tradisional dari Bantul yang diiringi gamelan.", seed
    ),
}


def measure_cpu() -> None:
    articles = [(page.body, page.url) for page in short_pages()]
    compare("ordinary pages", [articles] * ROUNDS)
    for name, made in LISTS.items():
        compare(f"{ENTRIES} entries {name}", [[(made(seed), "https://a.example/")] for seed in range(ROUNDS)])


def compare(name: str, rounds: Sequence[Pages]) -> None:
    ours = cpu_of(lambda pages: [extract(read_page(*each), PROFILE, GAZETTEER) for each in pages], rounds)
    theirs = cpu_of(lambda pages: [trafilatura.extract(body.decode()) for body, _ in pages], rounds)
    pages = len(rounds[0])
    print(
        f"{name}: {ours * 1000 / pages:.2f} ms a page, trafilatura {theirs * 1000 / pages:.2f}: {ours / theirs:.2f} of it"
    )


if __name__ == "__main__":
    measure_tokens()
    measure_cpu()

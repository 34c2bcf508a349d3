"""Mutated pages through the parser children: a clear result or a recorded refusal, never a crash, a hang or a leak.

`python -m evaluation.extraction.fuzz --pages 100000 --seed 1`
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import sys
import time
from collections import Counter
from pathlib import Path

from lumbung.errors import InputRefused
from lumbung.providers.parser.pool import ParserPool

FOLDER = Path(__file__).parent
FAULTS = frozenset({"unexpected", "parser-crashed", "time-limit", "memory-limit"})
"""Refusals that a mutated page of ordinary size must not end in."""
PIECES = (
    b"<div>", b"</div>", b"<table><tr><td>", b"</table>", b"<!--", b"-->", b"<script>", b"</script>", b"<style>.a{display:none}",
    b"</style>", b"<svg><p>", b"<math>", b"<template>", b"<iframe srcdoc='", b"<![CDATA[", b"]]>", b"<?xml", b"&#x110000;", b"&#0;",
    b"&amp;" * 50, b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", "\u202e".encode(), "\u200b".encode() * 30,
    "ꦮꦪꦁ".encode(), "ᬩᬮᬶ".encode(), "𝔘𝔫𝔦".encode(), b"<a href='javascript:1'>", b"<img src=x onerror=1>", b"adalah ", b" merupakan ",
    b" berasal dari ", b" terbuat dari ", b"dan " * 40, b"(" * 60, b")" * 60, b"1" * 400, b". " * 200, b"<b>" * 300, b"\n" * 500,
    b'<script type="application/ld+json">{"@type":"Recipe","recipeIngredient":[', b'{"a":' * 60, b"]]]]", b"<h1>", b"<h2>", b"<li>",
    b"<dl><dt>", b"<dd>", b"<figure><figcaption>", b"<meta charset=utf-16>", b"<base href='//x'>", b"xn--", b"%PDF-1.4",
)  # fmt: skip


def originals() -> list[bytes]:
    """The pages of the gold set."""
    files = sorted(FOLDER.glob("*/*.case"))
    return [file.read_text(encoding="utf-8").partition("\n====\n")[2].encode() for file in files]


def mutated(pages: list[bytes], chance: random.Random) -> bytes:
    """One page after one to six random changes."""
    body = bytearray(chance.choice(pages))
    for _ in range(chance.randint(1, 6)):
        place = chance.randint(0, len(body))
        end = min(len(body), place + chance.randint(1, 400))
        change = chance.randrange(7)
        if change == 0:
            body[place:place] = chance.choice(PIECES) * chance.randint(1, 3)
        elif change == 1:
            del body[place:end]
        elif change == 2:
            body[place:place] = body[place:end] * chance.randint(1, 5)
        elif change == 3:
            for _ in range(chance.randint(1, 30)):
                if body:
                    body[chance.randrange(len(body))] = chance.randrange(256)
        elif change == 4:
            other = chance.choice(pages)
            cut = chance.randint(0, len(other))
            body[place:] = other[cut:]
        elif change == 5:
            body[place:end] = bytes(reversed(body[place:end]))
        else:
            body[place:end] = bytes(chance.randrange(256) for _ in range(end - place))
    return bytes(body)


async def run(count: int, seed: int, at_once: int = 4) -> tuple[Counter[str], list[str]]:
    """How each page ended, and what must not have happened, with the seed to see it again."""
    pages, ends, faults = originals(), Counter[str](), list[str]()
    chance = random.Random(seed)  # noqa: S311 - reproducible mutations
    async with ParserPool(2, seconds=10) as pool:

        async def one(number: int, body: bytes, content_type: str) -> None:
            try:
                page, candidates = await pool.extract(body, "https://a.example/x", content_type)
            except InputRefused as refusal:
                ends[refusal.reason] += 1
                if refusal.reason in FAULTS:
                    faults.append(f"page {number} of seed {seed}: {refusal.reason}")
                return
            ends["read"] += 1
            for fact in (fact for candidate in candidates for fact in candidate.facts):
                if page.text[fact.start : fact.end] != fact.quote:
                    faults.append(f"page {number} of seed {seed}: a quote that is not in the page")

        for first in range(0, count, at_once):
            numbers = range(first, min(count, first + at_once))
            types = (
                "text/html",
                "text/html",
                "text/html",
                "text/plain",
                "application/xhtml+xml",
                "application/pdf",
                "",
            )
            await asyncio.gather(*(one(n, mutated(pages, chance), chance.choice(types)) for n in numbers))
    return ends, faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.monotonic()
    ends, faults = asyncio.run(run(options.pages, options.seed))
    print(f"{options.pages} pages, seed {options.seed}, {time.monotonic() - started:.0f} s: {dict(ends)}")
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"the largest child took {largest} MiB")
    print("\n".join(faults[:50]) or "no crash, no hang, no quote out of place")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

"""Where very many names are alike, who links with whom still does not depend on who came first."""

from __future__ import annotations

import random

import pytest
from tests.integration.stages.test_order import clear, page

SYLLABLES = ["bang", "ceplok", "dalu", "gring", "jaya", "kawi", "lung", "mega", "nitik", "pring", "rante", "sekar"]
ENDINGS = ["an", "ing", "o", "sari", "wulan", "agung", "rata"]
FACTS = [("fungsi", "busana upacara"), ("bahan", "kain mori"), ("makna", "keteguhan hati")]


def crowd(first, count):
    """Names that begin as the asked one does and go on otherwise: near to it, and other items."""
    words = [a + b for a in SYLLABLES for b in ENDINGS][:count]
    return [
        page(
            f"https://c{n}.example/{n}",
            f"{first} {word.capitalize()}",
            [("fungsi", "hiasan")],
            "motif-kain",
            ("ID-YO",),
        )
        for n, word in enumerate(words)
    ]


def named(url, name, aliases=(), facts=FACTS, regions=("ID-YO",)):
    return page(url, name, facts, "motif-kain", regions, aliases)


LINKED = {
    "another spelling among aliases": [
        named("https://a.ac.id/1", "Parang Kusumo"),
        named("https://b.ac.id/2", "Lereng Anggitan", ("Parang Kusuma", "Udan Riris", "Semen Rama", "Truntum Garuda")),
    ],
    "written together, misspelt": [
        named("https://a.ac.id/1", "Parang Kusumo"),
        named("https://b.ac.id/2", "Parangkusuma", ("Udan Riris", "Semen Rama", "Truntum Garuda", "Sawat Lar")),
    ],
    "with the region's name": [
        named("https://a.ac.id/1", "Parang Kusumo"),
        named("https://b.ac.id/2", "Kusumo Parang Yogyakarta", ("Udan Riris", "Semen Rama", "Truntum", "Sawat Lar")),
    ],
}

EXPECTED = {
    "another spelling among aliases": {("published", 2)},
    "written together, misspelt": {("published", 2)},
    "with the region's name": {("published", 2)},
}


def orders(linked, others):
    """The crowd after the two, before them, and between them; and all mixed up."""
    yield [*linked], others, []
    yield [], others, linked
    yield [linked[1]], others, [linked[0]]
    mixed = [*linked, *others]
    random.Random(7).shuffle(mixed)
    yield mixed[:40], mixed[40:], []


def meeting(export):
    """The entries that rest on either of the two: one for both, or two of which one waits for a person."""
    found = [
        (each["status"], frozenset(source["url"] for fact in each["facts"] for source in fact["sources"]))
        for each in export
    ]
    return {(status, len(urls)) for status, urls in found if any(".ac.id" in url for url in urls)}


@pytest.mark.parametrize(("case", "expected"), EXPECTED.items(), ids=list(EXPECTED))
async def test_what_links_in_a_crowd_of_near_namesakes_is_found_in_every_order(bench, logins, case, expected):
    linked, others = LINKED[case], crowd("Parang Kusumo", 64)
    async with bench() as made:
        made.superuser = logins.superuser
        found = []
        for order in orders(linked, others):
            await clear(made)
            for portion in order:
                for each in portion:
                    await made.add(*each)
                await made.run(together=100 if portion is others else 1)
            found.append(await made.export())
    assert meeting(found[0]) == expected
    assert all(each == found[0] for each in found[1:])

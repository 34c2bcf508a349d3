"""Who bears a name up to its spelling: all of them, in whatever order they came and however many others are near."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lumbung.store.database import Transaction, named_queries
from lumbung.text.namesakes import NameReader, pieces, probes, spellings

SQL = named_queries("namesakes")
COUNTED_NODES = 2_000
"""Beyond it no word is rarer than another."""


async def keep(tx: Transaction, words: Iterable[str]) -> None:
    couples = [(piece, word) for word in sorted(set(words)) for piece in pieces(word)]
    if couples:
        await tx.run(SQL["keep"], {"pieces": [piece for piece, _ in couples], "words": [word for _, word in couples]})


async def namesakes(
    tx: Transaction,
    reader: NameReader,
    node: str,
    names: Sequence[str],
    category: str | None,
    version: int,
    provinces: Sequence[str] | None,
) -> set[str]:
    """Of the categories that this one is compared with, and of the related provinces."""
    asked = reader.asked(names, category)
    words = {word for each in asked for word in each.words}
    near = sorted({piece for word in words for piece in probes(word)})
    alike = spellings(words, [row["word"] for row in await tx.rows(SQL["spellings"], {"pieces": near})])
    groups = [
        (each.rest, group)
        for each in asked
        for group in ([each.words] if each.every else [(word,) for word in each.words])
    ]
    rows = [
        (number, turn, spelling, rest)
        for number, (rest, group) in enumerate(groups)
        for turn, word in enumerate(group)
        for spelling in alike[word]
    ]
    if not rows:
        return set()
    numbers, turns, spelled, rests = (list(column) for column in zip(*rows, strict=True))
    question = {"asked": numbers, "turns": turns, "words": spelled, "rests": rests, "most": COUNTED_NODES}
    blocks = {"categories": reader.compared_with(category), "provinces": None if provinces is None else list(provinces)}
    found = await tx.rows(SQL["namesakes"], {"node": node, "version": version, **blocks, **question})
    return {row["node"] for row in found}

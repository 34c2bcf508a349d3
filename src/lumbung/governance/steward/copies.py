"""A text of the library became known: pages that are akin to it witness for nothing, whenever they came."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.model.job import NewJob
from lumbung.store import candidates, documents, entries
from lumbung.store.database import Transaction
from lumbung.text.kinship import akin

REASON = "akin to the library's own text"


async def carry_out(tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    sketch = await entries.sketch_of(tx, payload["entry"])
    follow_on: list[NewJob] = []
    for page in await documents.texts_like(tx, sketch):
        if akin(sketch, page["sketch"]):
            await documents.unwitness(tx, page["id"], REASON)
            digests = await candidates.of_documents(tx, [page["id"]])
            follow_on += [NewJob("decide", f"copy:{page['id']}:{digest}", {"node": digest}) for digest in digests]
    return follow_on

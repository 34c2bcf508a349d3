"""An encyclopaedia page became known: pages stored before that mirror it lose their claims and their text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.model.job import NewJob
from lumbung.store import candidates, documents
from lumbung.store.database import Transaction
from lumbung.text.kinship import akin

REASON = "a mirror of an encyclopaedia"


async def carry_out(tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    sketch = await documents.encyclopaedia_sketch(tx, payload["document"])
    follow_on: list[NewJob] = []
    for page in await documents.texts_like(tx, sketch):
        if not akin(sketch, page["sketch"]):
            continue
        digests = await candidates.of_documents(tx, [page["id"]])
        await candidates.set_state(tx, digests, "retracted", REASON)
        follow_on += [NewJob("decide", f"mirror:{page['id']}:{digest}", {"node": digest}) for digest in digests]
        follow_on.append(NewJob("steward", f"erase-text:{page['id']}", {"verb": "erase-text", "document": page["id"]}))
    return follow_on

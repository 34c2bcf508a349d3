"""Answers of models, remembered by the digest of all that made them."""

from __future__ import annotations

from typing import Any

from lumbung.store.database import Database, Transaction, json, named_queries

SQL = named_queries("inference_cache")


class SharedAnswers:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, key: str) -> Any | None:
        row = await self._database.statement(SQL["find"], {"key": key})
        return None if row is None else row["answer"]

    async def keep(self, key: str, model: str, prompt: str, subject: str, answer: Any) -> None:
        row = {"key": key, "model": model, "prompt": prompt, "subject": subject, "answer": json(answer)}
        await self._database.statement(SQL["keep"], row)


async def forget(tx: Transaction, subject: str) -> int:
    """What was said about a subject goes with it, when it is erased."""
    return await tx.run(SQL["forget"], {"subject": subject})


async def forget_unused(tx: Transaction, days: int) -> int:
    return await tx.run(SQL["forget_unused"], {"days": days})

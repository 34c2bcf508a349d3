"""Why something is as it is, from what was stored when it was decided."""

from __future__ import annotations

from typing import Any

from lumbung.errors import RefusedError
from lumbung.store import candidates, documents, entries, frontier, governed, items
from lumbung.store.database import Row, Transaction
from lumbung.text.url import normalize

LINES_OF_ONE = 20


async def explain(tx: Transaction, subject: str) -> dict[str, Any]:
    """A URL, an entry by identity or title, or a decision by number; empty when nothing is known."""
    if subject.isascii() and subject.isdigit():
        decision = await items.decision(tx, int(subject))
        return {"decision": decision} if decision else {}
    if "://" in subject:
        return await explain_url(tx, subject)
    return await explain_entry(tx, subject)


async def explain_url(tx: Transaction, subject: str) -> dict[str, Any]:
    try:
        url = normalize(subject)
    except RefusedError as error:
        return {"url": subject, "never crawled": error.reason}
    known = await frontier.find(tx, url)
    pages = await documents.by_url(tx, url)
    if not known and not pages:
        return {}
    told: dict[str, Any] = {"url": url}
    if known:
        told["frontier"] = {
            name: known[name] for name in ("state", "reason", "priority", "depth", "attempts", "tranche")
        }
    told["pages"] = pages
    digests = await candidates.of_documents(tx, [page["id"] for page in pages])
    told["candidates"] = [await explain_candidate(tx, digest) for digest in digests]
    return told


async def explain_candidate(tx: Transaction, digest: str) -> dict[str, Any]:
    row = (await candidates.load(tx, [digest]))[0]
    return {
        "candidate": digest,
        "name": row["name"],
        "category": row["category"],
        "regions": row["regions"],
        "extractor": row["extractor"],
        "claims": await candidates.claims_of(tx, digest),
        "decisions": await items.decisions_of(tx, digest),
    }


async def explain_entry(tx: Transaction, subject: str) -> dict[str, Any]:
    entry = await entries.get(tx, subject) or await entries.by_title(tx, subject)
    if entry is None:
        target = await entries.target_of(tx, subject)
        return {"redirects to": target} if target else {}
    told: dict[str, Any] = {
        name: entry[name]
        for name in ("identity", "title", "owner", "status", "status_reason", "category", "regions", "revision")
    }
    async for row in entries.export(tx, identities=[entry["identity"]]):
        told["facts"] = row["facts"]
    told["members"] = await entries.members(tx, entry["identity"])
    told["decisions"] = [
        decision
        for member in told["members"]
        for decision in await items.decisions_of(tx, member["candidate"], limit=3)
    ]
    members = [member["candidate"] for member in told["members"]]
    told["what people did"] = [line for each in (entry["identity"], *members) for line in await lines_about(tx, each)]
    in_force = {row["name"]: row for row in await governed.in_force_when_published(tx, entry["identity"])}
    told["in force when last published"] = {
        name: {"value": row["value"], "version": row["version"], "line of the log": row["action"]}
        for name, row in in_force.items()
    }
    mode = in_force.get(f"mode.{entry['category']}")
    line = await governed.line(tx, mode["action"]) if mode else None
    told["who set the mode"] = signed(line) if line else None
    return told


async def lines_about(tx: Transaction, subject: str) -> list[dict[str, Any]]:
    return [signed(line) for line in await governed.log_tail(tx, limit=LINES_OF_ONE, subject=subject)]


def signed(line: Row) -> dict[str, Any]:
    """A line of the log by its number: who did what, when and why; nobody where the machine did."""
    return {name: line[name] for name in ("seq", "at", "person", "verb", "reason")}

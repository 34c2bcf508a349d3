"""The reference library behind the port: written with the machine's own login, which cannot reach people's rows."""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from math import log
from unicodedata import is_normalized

from pydantic_core import to_json

from lumbung.errors import StaleRead, UsageError
from lumbung.model.candidate import PageKind, PageText
from lumbung.model.item import ItemFact
from lumbung.model.profile import Profile
from lumbung.ports.library import HumanOwned, LibraryEntry, LibrarySource, SeenEntry
from lumbung.store import candidates, documents, entries, publications
from lumbung.store.candidates import NewCandidate, NewClaim
from lumbung.store.database import Database, Row, Transaction
from lumbung.store.documents import NewDocument
from lumbung.store.entries import MachineEntry
from lumbung.store.sensitivity import GovernedSensitivity
from lumbung.text.names import name_key
from lumbung.text.url import host_of, registrable_domain
from lumbung.text.values import fact_key

EXTRACTOR = "published"
REMOVED = ("withdrawn", "tombstone")


class EmbeddedLibrary:
    """Facts arrive with quotes and digests, not with pages: the quotes are kept as the excerpt they are."""

    def __init__(self, database: Database, profile: Profile, run: str, name: str = "reference") -> None:
        self.name = name
        self.read_only = False
        self._database = database
        self._profile = profile
        self._run = run
        self._sensitivity = GovernedSensitivity(profile)

    async def look(self, identity: str, remote_id: str | None = None) -> SeenEntry | None:
        async with self._database.transaction() as tx:
            row = await entries.get(tx, remote_id or identity)
        return None if row is None else seen(row)

    async def write(self, entry: LibraryEntry, seen: SeenEntry | None) -> SeenEntry:
        async with self._database.transaction() as tx:
            await publications.lock_entry(tx, entry.identity)
            return await self._write(tx, entry, seen)

    async def _write(self, tx: Transaction, entry: LibraryEntry, expected: SeenEntry | None) -> SeenEntry:
        held = await entries.get(tx, entry.identity)
        refuse_human(held)
        if held is not None and held["digest"] == entry.digest and held["status"] == "published":
            return seen(held)
        if (None if held is None else str(held["revision"])) != (None if expected is None else expected.revision):
            raise StaleRead("The entry has changed since it was looked at.")
        if entry.supplement_of and await entries.get(tx, entry.supplement_of) is None:
            raise UsageError(f"There is no entry {entry.supplement_of} that could be supplemented.")
        if entry.category not in self._profile.categories:
            raise UsageError(f"There is no category {entry.category}.")
        batch = await entries.open_batch(tx, self._run, entry.category)
        facts = await self._facts(tx, entry)
        # Whoever sends it may know another list: ours decides, and what people marked stays marked.
        sensitive = bool(held and held["sensitive"]) or await self._is_sensitive(tx, entry)
        revision = await entries.write_machine(tx, machine_entry(entry, facts, batch, sensitive=sensitive))
        if revision is None:
            raise HumanOwned("People own this entry.", "human-owned")
        await entries.add_publication(tx, entry.identity, batch, revision, entry.digest, self.name)
        return SeenEntry(entry.identity, "machine", False, str(revision), entry.digest, entry.title)

    async def _is_sensitive(self, tx: Transaction, entry: LibraryEntry) -> bool:
        quotes = " ".join(source.quote for fact in entry.facts for source in fact.sources)
        sensitivity = await self._sensitivity.current(tx)
        return bool(sensitivity.reasons(entry.title, entry.category, f"{entry.text} {quotes}"))

    async def withdraw(self, identity: str, seen: SeenEntry, reason: str) -> None:
        async with self._database.transaction() as tx:
            await publications.lock_entry(tx, identity)
            held = await entries.get(tx, identity)
            refuse_human(held)
            if held is None or held["status"] == "withdrawn":
                return
            if str(held["revision"]) != seen.revision:
                raise StaleRead("The entry has changed since it was looked at.")
            await entries.withdraw(tx, identity, reason)

    async def _facts(self, tx: Transaction, entry: LibraryEntry) -> list[ItemFact]:
        claims: dict[tuple[str, str], list[int]] = defaultdict(list)
        values = {}
        confidence: dict[tuple[str, str], tuple[float, str | None]] = {}
        for fact in entry.facts:
            key = fact_key(self._profile, fact.attribute, fact.value)
            place = (fact.attribute, key)
            values[place] = fact.value
            confidence[place] = (fact.confidence, fact.flag)
            for source in fact.sources:
                claims[place].append(await keep_source(tx, entry, fact.attribute, fact.value, key, source))
        ranked = sorted(claims, key=lambda place: (place[0], -confidence[place][0], place[1]))
        ranks = {place: 1 + sum(other[0] == place[0] for other in ranked[:at]) for at, place in enumerate(ranked)}
        return [
            ItemFact(
                attribute=place[0],
                value=values[place],
                value_key=place[1],
                log_odds=bounded_log_odds(confidence[place][0]),
                probability=confidence[place][0],
                independent=len(set(numbers)),
                state="published",
                flagged=confidence[place][1] == "low-confidence",
                reason="published by the machine account",
                rank=ranks[place],
                claims=tuple(sorted(set(numbers))),
            )
            for place, numbers in sorted(claims.items())
        ]


def refuse_human(held: Row | None) -> None:
    if held is not None and held["owner"] == "human":
        told = "People removed this entry." if held["status"] == "tombstone" else "People own this entry."
        raise HumanOwned(told, "human-owned")


def seen(row: Row) -> SeenEntry:
    removed = row["status"] in REMOVED
    return SeenEntry(row["identity"], row["owner"], removed, str(row["revision"]), row["digest"], row["title"])


def bounded_log_odds(probability: float) -> float:
    inside = min(max(probability, 1e-12), 1 - 1e-12)
    return log(inside / (1 - inside))


async def keep_source(
    tx: Transaction, entry: LibraryEntry, attribute: str, value: str, key: str, source: LibrarySource
) -> int:
    """One source: its page by URL and digest, the quote as an excerpt of it, and the claim that stands on it."""
    if not is_normalized("NFC", source.quote):
        raise UsageError("a quote must be in Unicode's normal form C")
    host = host_of(source.url)
    new = NewDocument(
        source.url,
        source.url,
        host,
        registrable_domain(host),
        source.digest,
        200,
        "",
        [],
        [],
        None,
        PageKind.ITEM.value,
    )
    document = await documents.add(tx, new)
    own = sha256(
        to_json([EXTRACTOR, entry.identity, attribute, key, source.url, source.digest, source.quote])
    ).hexdigest()
    excerpt = f"excerpt-{sha256(source.quote.encode()).hexdigest()[:16]}"
    await documents.keep_text(tx, document, excerpt, PageText("", source.quote, "und", "Zyyy", PageKind.ITEM))
    claim = NewClaim(attribute, value, key, source.quote, 0, len(source.quote), "und", 1.0)
    await candidates.add(tx, excerpt_candidate(entry, own, document, excerpt, claim))
    return int((await publications.claims_of(tx, own))[0]["id"])


def excerpt_candidate(entry: LibraryEntry, digest: str, document: int, excerpt: str, claim: NewClaim) -> NewCandidate:
    return NewCandidate(
        digest=digest,
        document=document,
        cleaner=excerpt,
        segment=0,
        extractor=EXTRACTOR,
        name=entry.title[:300],
        name_key=name_key(entry.title) or entry.title.casefold(),
        aliases=[],
        alias_keys=[],
        category=entry.category,
        regions=list(entry.regions),
        media=[],
        state="refused",
        state_reason="already decided by the machine that published it",
        sensitive=[],
        claims=(claim,),
    )


def machine_entry(entry: LibraryEntry, facts: list[ItemFact], batch: int, *, sensitive: bool) -> MachineEntry:
    return MachineEntry(
        identity=entry.identity,
        status="published",
        status_reason=None,
        supplement_of=entry.supplement_of,
        category=entry.category,
        title=entry.title,
        name_key=name_key(entry.title),
        aliases=list(entry.aliases),
        alias_keys=sorted({name_key(alias) for alias in entry.aliases} - {""}),
        regions=list(entry.regions),
        primary_region=entry.primary_region,
        body=entry.text,
        media=list(entry.media),
        digest=entry.digest,
        sensitive=sensitive,
        batch=batch,
        facts=[publications.fact_row(fact) for fact in facts],
    )

"""An export comes back: pages from its WARC, claims by their quotes, facts and entries as they stood, owners kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import inf, log

from pydantic_core import to_json

from lumbung.errors import UsageError
from lumbung.library.actions.import_records import FIRST, import_record, queue_reading
from lumbung.library.exported_lines import ExportedFact, ExportedLine, needed_pages
from lumbung.library.protocols import read_labels
from lumbung.model.candidate import PageKind, PageText
from lumbung.model.item import ItemContent, ItemFact
from lumbung.model.permission import Actor, allow
from lumbung.model.profile import Profile
from lumbung.store import candidates, documents, entries, governed, items, publications
from lumbung.store.candidates import NewCandidate, NewClaim
from lumbung.store.database import Transaction
from lumbung.store.documents import NewDocument
from lumbung.store.entries import HumanEntry, MachineEntry
from lumbung.text.kinship import sketch
from lumbung.text.markup import CLEANER_VERSION
from lumbung.text.names import name_key
from lumbung.text.url import host_of, registrable_domain
from lumbung.text.values import fact_key

EXTRACTOR = "imported"
AS_EXPORTED = "as it was exported"
EXTRACTOR_PRECISION = 0.95
MOST_LOG_ODDS = 700.0


@dataclass(frozen=True, slots=True)
class KeptPage:
    document: int
    text: str
    language: str
    domain: str


Pages = Mapping[tuple[str, str], KeptPage]


@dataclass
class Grounded:
    """The claims of one line, by the candidate that makes them, and the facts that rest on them."""

    claims: dict[tuple[str, str, int], list[NewClaim]] = field(default_factory=dict)
    facts: list[tuple[ExportedFact, str, list[tuple[str, int, int]]]] = field(default_factory=list)


async def keep_page(
    tx: Transaction,
    url: str,
    digest: str,
    body: bytes,
    content_type: str,
    headers: list[tuple[str, str]],
    page: PageText,
) -> None:
    """The page as evidence again; an encyclopaedia's text is not stored, whoever brings it."""
    if page.kind is PageKind.ENCYCLOPAEDIA:
        raise UsageError(f"{url} is an encyclopaedia's page, which is never stored")
    host = host_of(url)
    domain = registrable_domain(host)
    new = NewDocument(url, url, host, domain, digest, 200, content_type, [], headers, body, page.kind.value)
    document = await documents.add(tx, new)
    await documents.keep_reading(tx, document, page, sketch(page.text))
    await documents.keep_text(tx, document, CLEANER_VERSION, page)


async def restore_line(
    tx: Transaction,
    actor: Actor,
    line: ExportedLine,
    profile: Profile,
    run: str,
    *,
    keep_contributor: bool = False,
) -> tuple[str, list[str]]:
    """added, revised or unchanged, and the candidates that it brought."""
    allow(actor, "import-records")
    rows = await publications.pages_of(tx, CLEANER_VERSION, sorted(needed_pages([line])))
    pages = {
        (row["url"], row["digest"]): KeptPage(row["id"], row["text"], row["language"], row["domain"]) for row in rows
    }
    held = await entries.get(tx, line.identity)
    grounded = ground(line, pages, profile)
    if line.owner == "human":
        return await restore_human(
            tx, actor, line, grounded, pages, new=held is None, keep_contributor=keep_contributor
        )
    if held is not None and held["owner"] == "human":
        raise UsageError("people own this entry here; it is left as it is")
    batch = await entries.open_batch(tx, run, line.category or "")
    claims = await keep_claims(tx, line, grounded, pages, batch)
    facts = facts_of(line, grounded, claims, pages)
    entry = machine_entry(line, facts, batch)
    if held is not None and held["digest"] == entry.digest and held["status"] == line.status:
        return "unchanged", []
    revision = await entries.write_machine(tx, entry)
    if revision is None:
        raise UsageError("people own this entry here; it is left as it is")
    await entries.add_publication(tx, line.identity, batch, revision, entry.digest)
    if held is None:
        await restore_marks(tx, line, actor.person, keep_contributor=keep_contributor)
    members = sorted({digest for digest, _ in claims.values()})
    await keep_item(tx, line, facts, members)
    return ("added" if held is None else "revised"), members


async def restore_marks(tx: Transaction, line: ExportedLine, person: int | None, *, keep_contributor: bool) -> None:
    """Labels, hiding and sensitivity as people set them there, told in the log here; the revisions before the present one,
    and the identities that lead here.
    """
    labels = read_labels(line.labels)
    if labels or line.hidden or line.sensitive:
        await entries.set_display(tx, line.identity, labels, hidden=line.hidden, sensitive=line.sensitive)
        shown = {"set-labels": {"after": labels}} if labels else {}
        for verb, effect in (shown | ({"hide-entry": {"hidden": True}} if line.hidden else {})).items():
            await governed.append_action(tx, person, verb, line.identity, AS_EXPORTED, effect)
    if line.history:
        earlier = [each.model_dump() for each in line.history]
        for each in earlier:
            if not keep_contributor and "contributor" in each["content"]:
                each["content"]["contributor"] = None
        await entries.restore_history(tx, line.identity, earlier, line.revision)
    for identity in line.redirects:
        await entries.redirect(tx, identity, line.identity, AS_EXPORTED)


async def restore_human(
    tx: Transaction,
    actor: Actor,
    line: ExportedLine,
    grounded: Grounded,
    pages: Pages,
    *,
    new: bool,
    keep_contributor: bool,
) -> tuple[str, list[str]]:
    """The words as they are; a machine entry that became people's keeps its facts, frozen."""
    entry = human_entry(line, keep_contributor=keep_contributor)
    if not new:
        return await import_record(tx, actor, entry), []
    await _add_human(tx, actor, entry, line)
    await restore_marks(tx, line, actor.person, keep_contributor=keep_contributor)
    if not line.facts:
        return "added", []
    claims = await keep_claims(tx, line, grounded, pages, None)
    facts = facts_of(line, grounded, claims, pages)
    await publications.keep_facts(tx, line.identity, facts)
    return "added", sorted({digest for digest, _ in claims.values()})


async def _add_human(tx: Transaction, actor: Actor, entry: HumanEntry, line: ExportedLine) -> None:
    note = FIRST if line.note is None else line.note
    await entries.write_human(tx, entry, actor.person, note)
    if line.status != "published":
        reason = line.status_reason or AS_EXPORTED
        await entries.revise_human(tx, entry, actor.person, note, status=line.status, status_reason=reason)
    await queue_reading(tx, entry.identity, 1)


def ground(line: ExportedLine, pages: Pages, profile: Profile) -> Grounded:
    """Every quote is found again in its page's text; one that is not there is refused, as in the funnel."""
    found = Grounded()
    for fact in line.facts:
        key = fact_key(profile, fact.attribute, fact.value)
        seen: Counter[tuple[str, str, str]] = Counter()
        places: list[tuple[str, int, int]] = []
        for source in fact.sources:
            page = pages.get((source.url, source.digest))
            if page is None:
                raise UsageError(f"the archive has no page {source.url} with digest {source.digest}; give --archive")
            start = page.text.find(source.quote)
            if start < 0:
                raise UsageError(f"the quote of {fact.attribute} is not in the text of {source.url}")
            again = seen[source.url, source.digest, source.quote]
            seen[source.url, source.digest, source.quote] += 1
            end = start + len(source.quote)
            claim = NewClaim(
                fact.attribute, fact.value, key, source.quote, start, end, page.language, EXTRACTOR_PRECISION
            )
            found.claims.setdefault((source.url, source.digest, again), []).append(claim)
            places.append((candidate_digest(line.identity, source.url, source.digest, again), start, end))
        found.facts.append((fact, key, places))
    return found


def candidate_digest(identity: str, url: str, digest: str, again: int) -> str:
    return sha256(to_json([EXTRACTOR, identity, url, digest, again])).hexdigest()


async def keep_claims(
    tx: Transaction, line: ExportedLine, grounded: Grounded, pages: Pages, batch: int | None
) -> dict[tuple[str, str, str, int, int], tuple[str, int]]:
    """(candidate, attribute, value key, span) → the candidate and the claim's number."""
    made: dict[tuple[str, str, str, int, int], tuple[str, int]] = {}
    for (url, digest, again), claims in sorted(grounded.claims.items()):
        own = candidate_digest(line.identity, url, digest, again)
        await candidates.add(tx, candidate_of(line, own, pages[url, digest].document, again, claims))
        for row in await publications.claims_of(tx, own):
            place = (own, row["attribute"], row["value_key"], row["start"], row["end"])
            made[place] = (own, row["id"])
    if batch is not None:
        await entries.mark_batch(tx, batch, sorted({digest for digest, _ in made.values()}))
    return made


def candidate_of(
    line: ExportedLine, digest: str, document: int, segment: int, claims: Sequence[NewClaim]
) -> NewCandidate:
    name = line.title.removesuffix(" — data pelengkap")[:300]
    return NewCandidate(
        digest=digest,
        document=document,
        cleaner=CLEANER_VERSION,
        segment=segment,
        extractor=EXTRACTOR,
        name=name,
        name_key=name_key(name) or name.casefold(),
        aliases=list(line.aliases),
        alias_keys=sorted({name_key(alias) for alias in line.aliases} - {""}),
        category=line.category,
        regions=list(line.regions),
        media=[],
        state="live" if line.category else "parked",
        state_reason=None if line.category else "category-open",
        sensitive=[AS_EXPORTED] if line.sensitive else [],
        claims=tuple(claims),
    )


def facts_of(
    line: ExportedLine,
    grounded: Grounded,
    claims: Mapping[tuple[str, str, str, int, int], tuple[str, int]],
    pages: Pages,
) -> list[ItemFact]:
    ranks: Counter[str] = Counter()
    made = []
    for fact, key, places in grounded.facts:
        ranks[fact.attribute] += 1
        domains = {pages[source.url, source.digest].domain for source in fact.sources}
        numbers = {claims[digest, fact.attribute, key, start, end][1] for digest, start, end in places}
        made.append(
            ItemFact(
                attribute=fact.attribute,
                value=fact.value,
                value_key=key,
                log_odds=log_odds(fact.confidence),
                probability=fact.confidence,
                independent=len(domains),
                state="waiting" if fact.flag == "review" else "published",
                flagged=fact.flag == "low-confidence",
                reason=f"as it was exported with {line.status}",
                rank=ranks[fact.attribute],
                claims=tuple(sorted(numbers)),
            )
        )
    return made


def log_odds(probability: float) -> float:
    if probability in (0.0, 1.0):
        return MOST_LOG_ODDS if probability else -MOST_LOG_ODDS
    odds = log(probability / (1 - probability))
    return max(-MOST_LOG_ODDS, min(MOST_LOG_ODDS, odds if odds not in (inf, -inf) else MOST_LOG_ODDS))


def machine_entry(line: ExportedLine, facts: Sequence[ItemFact], batch: int) -> MachineEntry:
    beside = {
        "status",
        "status_reason",
        "labels",
        "hidden",
        "contributor",
        "licence",
        "library",
        "remote_id",
        "remote_revision",
        "revision",
        "note",
        "redirects",
        "history",
    }
    digest = sha256(to_json(line.model_dump(exclude=beside))).hexdigest()
    return MachineEntry(
        identity=line.identity,
        status=line.status,
        status_reason=(line.status_reason or AS_EXPORTED) if line.status == "review" else None,
        supplement_of=line.supplement_of,
        category=line.category or "",
        title=line.title,
        name_key=name_key(line.title),
        aliases=list(line.aliases),
        alias_keys=sorted({name_key(alias) for alias in line.aliases} - {""}),
        regions=sorted(line.regions),
        primary_region=line.region(),
        body=line.text,
        media=list(line.media),
        digest=digest,
        sensitive=line.sensitive,
        batch=batch,
        facts=[publications.fact_row(fact) for fact in facts],
    )


def human_entry(line: ExportedLine, *, keep_contributor: bool) -> HumanEntry:
    return HumanEntry(
        identity=line.identity,
        category=line.category,
        title=line.title,
        name_key=name_key(line.title) or line.title.casefold(),
        aliases=list(line.aliases),
        alias_keys=sorted({name_key(alias) for alias in line.aliases} - {""}),
        regions=sorted(line.regions),
        primary_region=line.region(),
        body=line.text,
        files=list(line.media),
        contributor=line.contributor if keep_contributor else None,
        licence=line.licence,
        library=line.library,
        remote_id=line.remote_id,
        remote_revision=line.remote_revision,
    )


async def keep_item(tx: Transaction, line: ExportedLine, facts: Sequence[ItemFact], members: Sequence[str]) -> None:
    """The item behind the entry, so that a later harvest finds it and adds its witnesses to it."""
    content = ItemContent(
        verdict="review" if line.status == "review" else "publish",
        reasons=(),
        category=line.category or "",
        title=line.title.removesuffix(" — data pelengkap"),
        name_key=name_key(line.title),
        aliases=tuple(line.aliases),
        regions=tuple(sorted(line.regions)),
        primary_region=line.region(),
        supplement_of=line.supplement_of,
        sensitive=line.sensitive,
        probability=max((fact.probability for fact in facts), default=0.0),
        independent=max((fact.independent for fact in facts), default=0),
        facts=tuple(facts),
        media=tuple(each for each in line.media if isinstance(each, dict)),
    )
    number = await items.create(tx, line.identity, content, alive=True)
    if number is not None:
        await items.join_item(tx, number, members)

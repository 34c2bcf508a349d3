"""Stage 2: archived pages and human texts become candidates and index facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lumbung.errors import CapabilityMissing, ContractError, InputRefused, LumbungError
from lumbung.model.candidate import Candidate, PageKind, PageText
from lumbung.model.item import human_node
from lumbung.model.job import Job, NewJob
from lumbung.model.profile import Profile
from lumbung.ports.archive import Archive
from lumbung.ports.parser import PageReader
from lumbung.ports.stage import Outcome
from lumbung.stages.extract.drafts import draft
from lumbung.store import candidates, documents, entries, governed, items, lexicon, readings, refusals
from lumbung.store.database import Transaction
from lumbung.store.documents import Document
from lumbung.store.sensitivity import GovernedSensitivity
from lumbung.text.extraction.version import EXTRACTOR_VERSION
from lumbung.text.kinship import akin, sketch
from lumbung.text.lexicon import read_with
from lumbung.text.markup import CLEANER_VERSION, Unreadable
from lumbung.text.values import fact_key

if TYPE_CHECKING:
    from lumbung.stages.extract.llm import LlmExtractor
    from lumbung.stages.extract.translated import TranslatedReader

RECOGNITION = "ocr"
SCANNED = "The PDF holds pictures of pages: it is read once ocr.program names a program that reads letters."
MIRROR = "a mirror of an encyclopaedia"
UNASKED = "no model was asked: neither the gate nor the lexical engine finds an item"
LEFT_OUT = "parts of the page or of what a model said of it"


@dataclass(frozen=True, slots=True)
class Reading:
    page: PageText
    candidates: list[Candidate]
    sketch: tuple[int, ...]
    left_out: Counter[str] = field(default_factory=Counter)
    """What no model was shown, and what it said in vain, by reason."""


class ExtractHandler:
    stage = "extract"
    batch_size = 8

    def __init__(
        self,
        profile: Profile,
        reader: PageReader,
        archive: Archive,
        model: LlmExtractor | TranslatedReader | None = None,
    ) -> None:
        self._profile = profile
        self._reader = reader
        self._archive = archive
        self._model = model
        self.version = read_with(model.version if model else EXTRACTOR_VERSION, profile)
        self._sensitivity = GovernedSensitivity(profile)

    async def prepare(self, tx: Transaction, jobs: Sequence[Job]) -> dict[int, Any]:
        await lexicon.require(tx, self._profile)
        if self._model is not None:
            self._model.abide_by(await governed.values_now(tx), await self._sensitivity.current(tx))
        pages = await documents.load(tx, [job.payload["document"] for job in jobs if "document" in job.payload])
        prepared: dict[int, Any] = {}
        for job in jobs:
            if "document" in job.payload:
                prepared[job.id] = pages.get(job.payload["document"])
            else:
                prepared[job.id] = await entries.get(tx, job.payload["human"])
        return prepared

    async def perform(self, prepared: dict[int, Any], jobs: Sequence[Job]) -> Outcome:
        return {job.id: await self._read(prepared[job.id], job.key) for job in jobs}

    async def _read(self, subject: Document | dict[str, Any] | None, job: str) -> Reading | LumbungError:
        if subject is None:
            return ContractError("The page or record of this job is not there.")
        try:
            if isinstance(subject, Document):
                body = subject.body if subject.body is not None else await self._from_archive(subject)
                return await self._read_page(body, subject, job)
            text = f"{subject['title']}\n\n{subject['body']}".encode()
            page, found = await self._reader.extract(text, "", "text/plain")
        except LumbungError as error:
            return error
        return Reading(page, found, sketch(page.text))

    async def _read_page(self, body: bytes, document: Document, job: str) -> Reading:
        """By the model where one is configured, otherwise by the lexical engine, with a translator if there is one."""
        subject = f"document:{document.id}"
        page, found = await self._letters_of(body, document)
        if self._model is not None:
            from lumbung.stages.extract.llm import LlmExtractor

            if isinstance(self._model, LlmExtractor):
                by_model = await self._model.extract(page, job, subject, found)
                return Reading(page, by_model.candidates, sketch(page.text), by_model.left_out())
            found = await self._model.extract(page, found, job, subject)
        return Reading(page, found, sketch(page.text))

    async def _letters_of(self, body: bytes, document: Document) -> tuple[PageText, list[Candidate]]:
        try:
            return await self._reader.extract(body, document.final_url, document.content_type)
        except InputRefused as refusal:
            if refusal.reason == Unreadable.NO_TEXT_LAYER:
                raise CapabilityMissing(SCANNED, RECOGNITION) from refusal
            raise

    async def _from_archive(self, document: Document) -> bytes:
        if document.archive is None or document.archive_offset is None:
            raise ContractError("The page's body is neither here nor archived.")
        return await self._archive.read(document.archive, document.archive_offset)

    async def commit(self, tx: Transaction, jobs: Sequence[Job], outcome: Outcome) -> Iterable[NewJob]:
        follow_on: list[NewJob] = []
        for job in jobs:
            reading: Reading = outcome[job.id]
            if "document" in job.payload:
                new = await self._keep_page(tx, job.payload["document"], reading)
            else:
                new = await self._keep_human(tx, job.payload["human"], reading)
            follow_on += [replace(each, trace=job.trace) for each in new]
        return follow_on

    async def _keep_page(self, tx: Transaction, number: int, reading: Reading) -> list[NewJob]:
        page = reading.page
        cleaner, extractor = versions_of(page, self.version)
        if page.kind is PageKind.ENCYCLOPAEDIA or await self._mirrors_encyclopaedia(tx, reading):
            await documents.become_encyclopaedia(tx, number)
            await refusals.add(tx, "extract", str(number), MIRROR)
            return []
        await documents.keep_reading(tx, number, page, reading.sketch)
        await documents.keep_text(tx, number, cleaner, page)
        if any(akin(reading.sketch, other) for other in await entries.sketches_like(tx, reading.sketch)):
            await documents.unwitness(tx, number, "akin to the library's own text")
        await readings.keep(tx, number, self.version, cleaner)
        if reading.left_out:
            from lumbung.stages.extract.llm import OFF_TOPIC

            reason = UNASKED if OFF_TOPIC in reading.left_out else LEFT_OUT
            await refusals.add(tx, "extract", str(number), reason, reading.left_out)
        superseded = await candidates.supersede(tx, number, extractor)
        jobs = [NewJob("decide", f"again:{digest}:{self.version}", {"node": digest}) for digest in superseded]
        document = (await documents.load(tx, [number]))[number]
        sensitivity = await self._sensitivity.current(tx)
        retracted = await items.is_retracted_source(tx, document.url, document.host)
        for segment, candidate in enumerate(reading.candidates):
            new = draft(
                candidate,
                segment,
                number,
                (document.url, document.digest),
                cleaner,
                extractor,
                self._profile,
                sensitivity,
            )
            if new is None:
                await refusals.add(tx, "extract", str(number), "a name without letters")
                continue
            if retracted:
                new = replace(new, state="retracted", state_reason="people retracted this source")
            await candidates.add(tx, new)
            if new.state == "live":
                jobs.append(NewJob("encode", new.digest, {"node": new.digest}))
        return jobs

    async def _mirrors_encyclopaedia(self, tx: Transaction, reading: Reading) -> bool:
        known = await documents.encyclopaedia_sketches(tx, reading.sketch)
        return any(akin(reading.sketch, other) for other in known)

    async def _keep_human(self, tx: Transaction, identity: str, reading: Reading) -> list[NewJob]:
        """What a human text says becomes index facts: for matching and containment, never shown."""
        entry = await entries.get(tx, identity)
        if entry is None or entry["owner"] != "human":
            return []
        facts = [
            (fact.attribute, fact.value, fact_key(self._profile, fact.attribute, fact.value))
            for candidate in reading.candidates
            for fact in candidate.facts
        ]
        await entries.keep_index_facts(tx, identity, entry["revision"], [fact for fact in facts if fact[2]])
        await entries.keep_sketch(tx, identity, reading.sketch)
        await items.drop_verdicts(tx, human_node(identity))
        node, revision = human_node(identity), entry["revision"]
        return [
            NewJob("encode", f"{node}:{revision}", {"node": node}),
            NewJob("steward", f"copies:{identity}:{revision}", {"verb": "copies", "entry": identity}),
        ]


def versions_of(page: PageText, extractor: str) -> tuple[str, str]:
    """Of the text and of what was read in it; letters read from pictures are misread in their own way."""
    if not page.recognised_by:
        return CLEANER_VERSION, extractor
    return f"{CLEANER_VERSION}+{page.recognised_by}", f"{RECOGNITION}-{extractor}"

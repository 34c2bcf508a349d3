"""The LLM extractor: each piece of a page is asked about, and only what stands in the page survives.

A piece that was answered is remembered with its prompt, so a page that is taken up again costs only what was missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from lumbung.errors import ContractError, LumbungError, PolicyRefused
from lumbung.model.candidate import Candidate, ExtractedFact, PageKind, PageText
from lumbung.model.profile import Profile, ValueKind
from lumbung.ports.inference import Inference, Prompt
from lumbung.stages.extract.answers import SaidFact, SaidItem, SupportAnswers, schema_for
from lumbung.stages.extract.focus import Focus, focus_of, is_worth_asking
from lumbung.stages.extract.grounding import Ground
from lumbung.stages.extract.merging import GroundedItem, merged
from lumbung.stages.extract.orders import Orders
from lumbung.stages.extract.segments import Segment, segments
from lumbung.stages.extract.support import Support, support
from lumbung.stages.prompt_files import delimited, instructions
from lumbung.text.extraction.origins import ORIGIN, PEOPLE
from lumbung.text.region import Gazetteer
from lumbung.text.sensitive import Sensitivity

STAGE = "extract"
PACKAGE = "lumbung.stages.extract"
PIPELINE_VERSION = "2"
EXTRACT_VERSION = "3"
SUPPORT_VERSION = "1"
HIGHEST_CONFIDENCE = 0.95
WORST_GROUNDED_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class LlmReading:
    candidates: list[Candidate]
    counts: Counter[str]
    """What was said, dropped and why: facts, ungrounded, order, unsupported, foreign-attribute, items, unnamed, refused, unfit, stronger."""
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What every step needs at hand while one page is read."""

    text: PageText
    instructions: str
    ground: Ground
    title_ground: Ground
    orders: Orders
    title_orders: Orders
    job: str
    subject: str


@dataclass
class Piece:
    items: list[GroundedItem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    models: list[str] = field(default_factory=list)

    def failed(self) -> bool:
        """More of what was said is invented than not: worth a stronger model."""
        dropped = self.counts["ungrounded"] + self.counts["unnamed"]
        return dropped > WORST_GROUNDED_SHARE * max(1, self.counts["facts"] + self.counts["items"])


class LlmExtractor:
    """`model` is the configured one: with the prompts' versions it makes the extractor's own version."""

    def __init__(self, inference: Inference, profile: Profile, gazetteer: Gazetteer, model: str) -> None:
        self._inference = inference
        self._profile = profile
        self._gazetteer = gazetteer
        self._sensitivity = Sensitivity(profile)
        self.schema = schema_for(profile)
        self._instructions: dict[Focus, str] = {}
        self._support_instructions = instructions(PACKAGE, "support", SUPPORT_VERSION, language=profile.language)
        self.version = f"llm-{PIPELINE_VERSION}/extract-{EXTRACT_VERSION}/support-{SUPPORT_VERSION}/{model}"

    async def extract(self, page: PageText, job: str, subject: str = "") -> LlmReading:
        """Candidates of a page. An error that may pass ends the reading; its answered pieces are remembered."""
        if page.kind is not PageKind.ITEM or not page.text.strip():
            return LlmReading([], Counter(), ())
        told = self.instructions_for(focus_of(page, self._profile))
        at_hand = Page(
            page, told, Ground(page.text), Ground(page.title), Orders(page.text), Orders(page.title), job, subject
        )
        pieces: list[Piece] = []
        failures: list[LumbungError] = []
        for segment in segments(page):
            if not is_worth_asking(page, segment, self._profile):
                continue
            try:
                pieces.append(await self._read(at_hand, segment))
            except (ContractError, PolicyRefused) as error:
                kind = "refused" if isinstance(error, PolicyRefused) else "unfit"
                pieces.append(Piece(counts=Counter({kind: 1})))
                failures.append(error)
        if failures and len(failures) == len(pieces):
            raise failures[0]
        counts = sum((piece.counts for piece in pieces), Counter[str]())
        candidates = merged((item for piece in pieces for item in piece.items), page.media)
        return LlmReading(candidates, counts, tuple(dict.fromkeys(name for piece in pieces for name in piece.models)))

    def instructions_for(self, focus: Focus) -> str:
        if focus not in self._instructions:
            attributes, profile = focus.attributes(self._profile), self._profile
            told = instructions(
                PACKAGE,
                "extract",
                EXTRACT_VERSION,
                library=profile.library_title,
                language=profile.language,
                attributes=", ".join(each.code for each in attributes),
            )
            self._instructions[focus] = told
        return self._instructions[focus]

    async def _read(self, page: Page, segment: Segment) -> Piece:
        """The first model's reading, or the stronger one's where the first fails its checks."""
        try:
            piece = await self._asked(page, segment, stronger=False)
        except ContractError:
            if not self._inference.has_stronger:
                raise
        else:
            if not piece.failed() or not self._inference.has_stronger:
                return piece
        piece = await self._asked(page, segment, stronger=True)
        piece.counts["stronger"] += 1
        return piece

    async def _asked(self, page: Page, segment: Segment, *, stronger: bool) -> Piece:
        answer = await self._inference.answer(
            self.prompt(page, segment), self.schema, STAGE, page.job, stronger=stronger
        )
        piece = Piece(models=[answer.model])
        for item in answer.value.items:
            piece.counts["items"] += 1
            grounded = self._grounded(page, segment, item, piece.counts)
            if grounded is not None:
                piece.items.append(grounded)
        await self._check_support(page, piece)
        return piece

    def prompt(self, page: Page, segment: Segment) -> Prompt:
        text = page.text.text[segment.start : segment.end]
        return Prompt(
            "extract",
            EXTRACT_VERSION,
            page.instructions,
            "\n\n".join([*_head(page.text, text), delimited("page", text)]),
            max_output_tokens=4096,
            subject=page.subject,
            sensitive=bool(self._sensitivity.reasons(page.text.title, None, text)),
        )

    def _grounded(self, page: Page, segment: Segment, item: SaidItem, counts: Counter[str]) -> GroundedItem | None:
        """The item with what of it stands in the page; None when not even its name does."""
        name = as_written(item.name, page)
        if name is None:
            counts["unnamed"] += 1
            counts["facts"] += len(item.facts)
            counts["ungrounded"] += len(item.facts)
            return None
        ground = Ground(page.text.text, segment.start, segment.end)
        said = [self._fact(page, ground, item, each, counts) for each in item.facts]
        facts = [fact for fact in said if fact is not None]
        return GroundedItem(
            name=name,
            aliases=tuple(written for alias in item.aliases if (written := as_written(alias, page))),
            category=item.category,
            regions=self._regions(facts),
            facts=tuple(facts),
            pictures=tuple(item.pictures),
        )

    def _fact(
        self, page: Page, ground: Ground, item: SaidItem, said: SaidFact, counts: Counter[str]
    ) -> ExtractedFact | None:
        counts["facts"] += 1
        attribute = self._profile.attributes.get(said.attribute)
        if attribute is None or not attribute.belongs_to(item.category):
            counts["foreign-attribute"] += 1
            return None
        aligned = ground.align(said.quote)
        if aligned is None:
            counts["ungrounded"] += 1
            return None
        if page.orders.touch(aligned.start, aligned.end):
            counts["order"] += 1
            return None
        quote = page.text.text[aligned.start : aligned.end]
        confidence = round(min(said.confidence, HIGHEST_CONFIDENCE) * aligned.score / 100, 4)
        value = " ".join(said.value.split())
        return ExtractedFact(said.attribute, value, quote, aligned.start, aligned.end, page.text.language, confidence)

    def _regions(self, facts: Sequence[ExtractedFact]) -> tuple[str, ...]:
        """Codes are the gazetteer's, from what the quotes say of origin; a model names no code."""
        found: dict[str, None] = {}
        for fact in facts:
            if fact.attribute in {ORIGIN, PEOPLE}:
                quoted = {region.code for region in self._gazetteer.find(fact.quote)}
                for region in self._gazetteer.find(fact.value):
                    if any(region.code == code or self._gazetteer.related(region.code, code) for code in quoted):
                        found[region.code] = None
        return tuple(found)

    async def _check_support(self, page: Page, piece: Piece) -> None:
        """Rules first; the model is asked once about all that they leave open."""
        open_facts: list[tuple[str, ExtractedFact]] = []
        kept: set[ExtractedFact] = set()
        for item in piece.items:
            for fact in item.facts:
                verdict = self._by_rule(fact)
                if verdict == "yes":
                    kept.add(fact)
                elif verdict == "unclear":
                    open_facts.append((item.name, fact))
        kept |= await self._supported(page, open_facts)
        piece.counts["unsupported"] += len({fact for item in piece.items for fact in item.facts} - kept)
        piece.items = [
            with_facts(item, [fact for fact in item.facts if fact in kept], self._regions) for item in piece.items
        ]

    async def _supported(self, page: Page, open_facts: Sequence[tuple[str, ExtractedFact]]) -> set[ExtractedFact]:
        if not open_facts:
            return set()
        listed = "\n\n".join(
            f"{number}. item: {name}\nattribute: {self._profile.attributes[fact.attribute].label_en}\n"
            f"value: {fact.value}\npassage: {fact.quote}"
            for number, (name, fact) in enumerate(open_facts, 1)
        )
        prompt = Prompt(
            "support",
            SUPPORT_VERSION,
            self._support_instructions,
            delimited("facts", listed),
            max_output_tokens=256 + 32 * len(open_facts),
            subject=page.subject,
            sensitive=bool(self._sensitivity.reasons(page.text.title, None, listed)),
        )
        try:
            answer = await self._inference.answer(prompt, SupportAnswers, STAGE, page.job)
        except (ContractError, PolicyRefused):
            return set()
        verdicts = {each.number: each.verdict for each in answer.value.verdicts}
        return {fact for number, (_, fact) in enumerate(open_facts, 1) if verdicts.get(number) == "supported"}

    def _by_rule(self, fact: ExtractedFact) -> Support:
        kind = self._profile.attributes[fact.attribute].kind
        if kind is ValueKind.PLACE:
            said = {region.code for region in self._gazetteer.find(fact.value)}
            if said and said <= {region.code for region in self._gazetteer.find(fact.quote)}:
                return "yes"
        return support(fact.value, fact.quote, kind)


def _head(page: PageText, text: str) -> list[str]:
    """What a piece does not show itself: the page's title and the captions of its pictures."""
    said = [] if text.lstrip().startswith(page.title) else [f"Title: {page.title[:300]}"]
    captions = [f"{number}. {media.caption[:200]}" for number, media in enumerate(page.media[:50], 1)]
    said += ["Pictures:", *captions] if captions else []
    return [delimited("about", "\n".join(said))] if said else []


def as_written(name: str, page: Page) -> str | None:
    """The name as the title or the text has it, or nothing."""
    titled = page.title_ground.names(name, page.title_orders.touch)
    if titled is not None:
        return " ".join(page.text.title[titled.start : titled.end].split())
    aligned = page.ground.names(name, page.orders.touch)
    return None if aligned is None else " ".join(page.text.text[aligned.start : aligned.end].split())


def with_facts(
    item: GroundedItem, facts: Sequence[ExtractedFact], regions: Callable[[Sequence[ExtractedFact]], tuple[str, ...]]
) -> GroundedItem:
    return replace(item, facts=tuple(facts), regions=regions(facts))

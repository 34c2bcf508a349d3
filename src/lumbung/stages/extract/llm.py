"""The LLM extractor: each piece of a page is asked about, and only what stands in the page survives.

A piece that was answered is remembered with its prompt, so a page that is taken up again costs only what was missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lumbung.errors import ContractError, LumbungError, PolicyRefused
from lumbung.model.candidate import Candidate, ExtractedFact, PageKind, PageText
from lumbung.model.profile import Profile, ValueKind
from lumbung.ports.inference import Inference, Prompt
from lumbung.stages.extract.answers import SaidFact, SaidItem, SaidItems, SupportAnswers
from lumbung.stages.extract.focus import Focus, focus_of
from lumbung.stages.extract.grounding import Aligned, Ground
from lumbung.stages.extract.merging import GroundedItem, merged
from lumbung.stages.extract.orders import Orders
from lumbung.stages.extract.questions import EXTRACT_VERSION, PACKAGE, Questions, has_captions
from lumbung.stages.extract.relevance import Relevance, Shown, linked_share
from lumbung.stages.extract.segments import Segment, segments
from lumbung.stages.extract.support import Support, denied, support
from lumbung.stages.prompt_files import delimited, instructions
from lumbung.text.extraction.origins import ORIGIN, PEOPLE
from lumbung.text.gate import Gate
from lumbung.text.region import Gazetteer
from lumbung.text.sensitive import Sensitivity

STAGE = "extract"
OFF_TOPIC = "off-topic"
PIPELINE_VERSION = "3"
SUPPORT_VERSION = "2"
WORK = frozenset({"items", "facts", "stronger", "denied"})
LEAD_CHARACTERS = 600
CATALOGUE_SHARE = 0.25
OFF_TOPIC_SHARE = 0.9
"""Of what the crawl's gate asks for: a page that nearly passes is worth a question."""
HIGHEST_CONFIDENCE = 0.95
WORST_GROUNDED_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class LlmReading:
    candidates: list[Candidate]
    counts: Counter[str]
    """What was said, dropped and why: facts, denied, ungrounded, order, unsupported, foreign-attribute, items, unnamed, refused, unfit, stronger;
    and what no model was shown: off-topic (the page), aside and practical (passages)."""
    models: tuple[str, ...]

    def left_out(self) -> Counter[str]:
        """Without what merely counts the work."""
        return Counter({reason: number for reason, number in self.counts.items() if number and reason not in WORK})


@dataclass(frozen=True, slots=True)
class Page:
    """What every step needs at hand while one page is read."""

    text: PageText
    focus: Focus
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
        self._gate = Gate(profile)
        self._relevance = Relevance(profile)
        self._questions = Questions(profile)
        self._support_instructions = instructions(PACKAGE, "support", SUPPORT_VERSION, language=profile.language)
        self.version = f"llm-{PIPELINE_VERSION}/extract-{EXTRACT_VERSION}/support-{SUPPORT_VERSION}/{model}"

    def abide_by(self, rows: Mapping[str, Any], sensitivity: Sensitivity) -> None:
        """The governed rows and the sensitive list in force, from the next page on."""
        self._gate = self._gate.under(rows)
        self._questions.sensitivity = sensitivity

    async def extract(
        self, page: PageText, job: str, subject: str = "", found: Sequence[Candidate] | None = None
    ) -> LlmReading:
        """Candidates of a page. An error that may pass ends the reading; its answered pieces are remembered.

        `found` is what the lexical engine made of it, if it was asked: it shows where to look, and binds no model.
        """
        focus, asked, counts = self.asked(page, found)
        at_hand = Page(
            page, focus, Ground(page.text), Ground(page.title), Orders(page.text), Orders(page.title), job, subject
        )
        pieces: list[Piece] = []
        failures: list[LumbungError] = []
        for segment in asked:
            try:
                pieces.append(await self._read(at_hand, segment))
            except (ContractError, PolicyRefused) as error:
                kind = "refused" if isinstance(error, PolicyRefused) else "unfit"
                pieces.append(Piece(counts=Counter({kind: 1})))
                failures.append(error)
        if failures and len(failures) == len(pieces):
            raise failures[0]
        counts = sum((piece.counts for piece in pieces), counts)
        candidates = merged((item for piece in pieces for item in piece.items), page.media)
        return LlmReading(candidates, counts, tuple(dict.fromkeys(name for piece in pieces for name in piece.models)))

    def asked(
        self, page: PageText, found: Sequence[Candidate] | None = None
    ) -> tuple[Focus, list[Segment], Counter[str]]:
        """What a model is asked about, piece by piece, and how much it is not shown."""
        focus = focus_of(page, found or (), self._profile)
        if page.kind is not PageKind.ITEM or not page.text.strip():
            return focus, [], Counter()
        shown = self._relevance.shown(page, found or (), focus)
        if found is not None and not found and self._is_off_topic(page, shown):
            return focus, [], Counter({OFF_TOPIC: 1})
        return focus, segments(page, shown.spans), shown.left_out

    def _is_off_topic(self, page: PageText, shown: Shown) -> bool:
        """Neither its beginning, where a page says what it is about, nor what speaks of culture in it is enough."""
        lead = shown.text(page)[:LEAD_CHARACTERS]
        if linked_share(page, lead) >= CATALOGUE_SHARE:
            return True
        readings = (f"{page.title}\n{lead}", shown.speaking_text(page))
        needed = OFF_TOPIC_SHARE * self._gate.threshold
        return all(self._gate.judge(text).score < needed for text in readings)

    def question(
        self, page: PageText, segment: Segment, focus: Focus, subject: str = ""
    ) -> tuple[Prompt, type[SaidItems]]:
        schema = self._questions.schema(focus, pictured=has_captions(page))
        return self._questions.about(page, segment, focus, subject), schema

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
        prompt, schema = self.question(page.text, segment, page.focus, page.subject)
        answer = await self._inference.answer(prompt, schema, STAGE, page.job, stronger=stronger)
        piece = Piece(models=[answer.model])
        for item in answer.value.items:
            piece.counts["items"] += 1
            grounded = self._grounded(page, segment, item, piece.counts)
            if grounded is not None:
                piece.items.append(grounded)
        await self._check_support(page, piece)
        return piece

    def _grounded(self, page: Page, segment: Segment, item: SaidItem, counts: Counter[str]) -> GroundedItem | None:
        """The item with what of it stands in the page; None when not even its name does."""
        name = as_written(item.name, page)
        if name is None:
            counts["unnamed"] += 1
            counts["facts"] += len(item.facts)
            counts["ungrounded"] += len(item.facts)
            return None
        grounds = [Ground(page.text.text, start, end) for start, end in segment.spans]
        said = [self._fact(page, grounds, item, each, counts) for each in item.facts]
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
        self, page: Page, grounds: Sequence[Ground], item: SaidItem, said: SaidFact, counts: Counter[str]
    ) -> ExtractedFact | None:
        counts["facts"] += 1
        attribute = self._profile.attributes.get(said.attribute)
        if attribute is None or not attribute.belongs_to(item.category):
            counts["foreign-attribute"] += 1
            return None
        aligned = best_aligned(grounds, said.quote)
        if aligned is None:
            counts["ungrounded"] += 1
            return None
        if page.orders.touch(aligned.start, aligned.end):
            counts["order"] += 1
            return None
        quote = page.text.text[aligned.start : aligned.end]
        confidence = round(min(said.confidence, HIGHEST_CONFIDENCE) * aligned.score / 100, 4)
        value = " ".join(said.value.split())
        return ExtractedFact(
            said.attribute,
            value,
            quote,
            aligned.start,
            aligned.end,
            page.text.language,
            confidence,
            -1 if said.denied else 1,
        )

    def _regions(self, facts: Sequence[ExtractedFact]) -> tuple[str, ...]:
        """Codes are the gazetteer's, from what the quotes say of origin; a model names no code."""
        found: dict[str, None] = {}
        for fact in facts:
            if fact.polarity > 0 and fact.attribute in {ORIGIN, PEOPLE}:
                quoted = {region.code for region in self._gazetteer.find(fact.quote)}
                for region in self._gazetteer.find(fact.value):
                    if any(region.code == code or self._gazetteer.related(region.code, code) for code in quoted):
                        found[region.code] = None
        return tuple(found)

    async def _check_support(self, page: Page, piece: Piece) -> None:
        """Rules first; the model is asked once about all that they leave open, and about every denial."""
        open_facts: list[tuple[str, ExtractedFact]] = []
        kept: dict[ExtractedFact, ExtractedFact] = {}
        for item in piece.items:
            for fact in item.facts:
                verdict = self._by_rule(fact) if fact.polarity > 0 else "unclear"
                if verdict == "yes":
                    kept[fact] = fact
                elif verdict == "unclear":
                    open_facts.append((item.name, fact))
        kept |= await self._supported(page, open_facts)
        piece.counts["unsupported"] += len({fact for item in piece.items for fact in item.facts} - kept.keys())
        piece.counts["denied"] += sum(fact.polarity < 0 for fact in kept.values())
        piece.items = [
            with_facts(item, [kept[fact] for fact in item.facts if fact in kept], self._regions) for item in piece.items
        ]

    async def _supported(
        self, page: Page, open_facts: Sequence[tuple[str, ExtractedFact]]
    ) -> dict[ExtractedFact, ExtractedFact]:
        """What the model found borne out, as it is kept: two readings must agree that something is denied."""
        if not open_facts:
            return {}
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
            sensitive=bool(self._questions.sensitivity.reasons(page.text.title, None, listed)),
        )
        try:
            answer = await self._inference.answer(prompt, SupportAnswers, STAGE, page.job)
        except (ContractError, PolicyRefused):
            return {}
        verdicts = {each.number: each.verdict for each in answer.value.verdicts}
        read = {fact: as_read(fact, verdicts.get(number)) for number, (_, fact) in enumerate(open_facts, 1)}
        return {fact: found for fact, found in read.items() if found is not None}

    def _by_rule(self, fact: ExtractedFact) -> Support:
        kind = self._profile.attributes[fact.attribute].kind
        if kind is ValueKind.PLACE and not denied(fact.value, fact.quote):
            said = {region.code for region in self._gazetteer.find(fact.value)}
            if said and said <= {region.code for region in self._gazetteer.find(fact.quote)}:
                return "yes"
        return support(fact.value, fact.quote, kind)


def as_read(fact: ExtractedFact, verdict: str | None) -> ExtractedFact | None:
    """The fact, its denial where the passage denies it in so many words, or nothing where the readings differ."""
    if verdict == "supported":
        return fact if fact.polarity > 0 else None
    denies = fact.polarity < 0 or denied(fact.value, fact.quote)
    return replace(fact, polarity=-1) if verdict == "contradicted" and denies else None


def best_aligned(grounds: Sequence[Ground], quote: str) -> Aligned | None:
    """The likeliest place among what the model was shown; of equals the first."""
    found = (ground.align(quote) for ground in grounds)
    return max((each for each in found if each is not None), key=lambda each: each.score, default=None)


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

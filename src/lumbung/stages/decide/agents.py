"""Three typed agents for what rules leave open: scope, same-item and validation.

Each has a pure function that words its question and one that reads its answer into the verdict of its own node, and no
other. An answer that cites nothing, or what was not there, is `unsure`: a person decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from lumbung.errors import ContractError, PolicyRefused
from lumbung.model.profile import Profile
from lumbung.ports.inference import Answer, Inference, Prompt
from lumbung.stages.prompt_files import delimited, instructions

STAGE = "decide"
PACKAGE = "lumbung.stages.decide"
VERSION = "1"
SCOPE_VERSION = "2"
MOST_FACTS = 40
MOST_PASSAGES = 20
LONGEST_VALUE = 400
UNSURE = "unsure"
RESTATED = "restated"
ADDED = "added"
ALIAS_ATTRIBUTE = "nama-lain"

A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class AgentVerdict:
    """What an agent says about its node, and what must be kept to explain it."""

    node: str
    verdict: str
    evidence: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Described:
    """A candidate or a human record as an agent sees it."""

    name: str
    aliases: tuple[str, ...]
    category: str | None
    regions: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    """Attribute code and value."""


@dataclass(frozen=True, slots=True)
class ComparedEvidence:
    agree: tuple[str, ...]
    differ: tuple[str, ...]
    terms: tuple[tuple[str, float], ...]


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


Numbers = list[int]


class ScopeAnswer(Closed):
    verdict: Literal["in", "out", "unsure"]
    criterion: Literal[
        "named-item",
        "diaspora",
        "not-specific",
        "goods-or-promotion",
        "single-event",
        "other-nation",
        "private-person",
        "none",
    ]
    sensitive: bool = False
    cited: Numbers = Field(max_length=MOST_FACTS)
    why: str = Field(max_length=600)


class SameItemAnswer(Closed):
    verdict: Literal["same", "variant", "different", "unsure"]
    cited: Numbers = Field(max_length=MOST_FACTS)
    why: str = Field(max_length=600)


class PassageVerdict(Closed):
    number: int
    verdict: Literal["supports", "contradicts", "neither"]


class ValidationAnswer(Closed):
    passages: list[PassageVerdict] = Field(max_length=MOST_PASSAGES)
    why: str = Field(max_length=600)


INSIDE = frozenset({"named-item", "diaspora"})
OUTSIDE = frozenset({"not-specific", "goods-or-promotion", "single-event", "other-nation", "private-person"})


def scope_prompt(item: Described, profile: Profile, scope: str, *, sensitive: bool) -> Prompt:
    """`scope` is the guardians' wording in force."""
    text = instructions(PACKAGE, "scope", SCOPE_VERSION, scope=scope)
    return Prompt("scope", SCOPE_VERSION, text, delimited("item", described(item, profile)), 400, sensitive=sensitive)


def scope_verdict(answer: ScopeAnswer, item: Described) -> str:
    """Inside by a criterion of inclusion, outside by one of exclusion, each with a fact that is there."""
    if not cites_within(answer.cited, len(item.facts[:MOST_FACTS])):
        return UNSURE
    fitting = INSIDE if answer.verdict == "in" else OUTSIDE
    return answer.verdict if answer.criterion in fitting else UNSURE


def same_item_prompt(
    a: Described, b: Described, evidence: ComparedEvidence, profile: Profile, *, sensitive: bool
) -> Prompt:
    text = instructions(PACKAGE, "same-item", VERSION)
    numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(evidence_lines(evidence), 1))
    records = (
        f"Record A\n{described(a, profile)}\n\nRecord B\n{described(b, profile)}\n\nEvidence\n{numbered or 'none'}"
    )
    return Prompt("same-item", VERSION, text, delimited("records", records), 400, sensitive=sensitive)


def same_item_verdict(answer: SameItemAnswer, evidence: ComparedEvidence) -> str:
    return answer.verdict if cites_within(answer.cited, len(evidence_lines(evidence))) else UNSURE


def validation_prompt(
    item: str, attribute: str, value: str, passages: Sequence[str], profile: Profile, *, sensitive: bool
) -> Prompt:
    text = instructions(PACKAGE, "validation", VERSION, language=profile.language)
    numbered = "\n".join(
        f"{number}. {passage[:LONGEST_VALUE]}" for number, passage in enumerate(passages[:MOST_PASSAGES], 1)
    )
    label = profile.attributes[attribute].label_en if attribute in profile.attributes else attribute
    data = f"item: {item}\nattribute: {label}\nvalue: {value[:LONGEST_VALUE]}\n\n{numbered}"
    return Prompt("validation", VERSION, text, delimited("passages", data), 600, sensitive=sensitive)


def validation_verdict(answer: ValidationAnswer, passages: Sequence[str]) -> str:
    """A contradiction outweighs support: then a person looks; silence of all passages decides nothing."""
    said = {each.number: each.verdict for each in answer.passages if 1 <= each.number <= len(passages)}
    verdicts = set(said.values())
    if "contradicts" in verdicts:
        return UNSURE if "supports" in verdicts else "contradicted"
    return "supported" if "supports" in verdicts else UNSURE


def restatement_verdict(answer: ValidationAnswer, passages: Sequence[str]) -> str:
    """Of passages about what is held: one that says the value as well makes it a repetition; all must be silent for more."""
    said = {each.number: each.verdict for each in answer.passages if 1 <= each.number <= len(passages)}
    if "supports" in said.values():
        return RESTATED
    return ADDED if len(said) == len(passages[:MOST_PASSAGES]) else UNSURE


def cites_within(cited: Sequence[int], count: int) -> bool:
    return bool(cited) and all(1 <= number <= count for number in cited)


def evidence_lines(evidence: ComparedEvidence) -> list[str]:
    terms = [f"{name}: {value:.2f}" for name, value in evidence.terms]
    return [f"agree: {each}" for each in evidence.agree] + [f"differ: {each}" for each in evidence.differ] + terms


def described(item: Described, profile: Profile) -> str:
    category = profile.categories.get(item.category or "")
    places = [profile.regions[code].name if code in profile.regions else code for code in item.regions]
    lines = [
        f"name: {item.name}",
        f"other names: {', '.join(item.aliases) or 'none'}",
        f"category: {category.label_en if category else 'open'}",
        f"regions: {', '.join(places) or 'unknown'}",
    ]
    for number, (attribute, value) in enumerate(item.facts[:MOST_FACTS], 1):
        known = profile.attributes.get(attribute)
        lines.append(f"{number}. {known.label_en if known else attribute}: {value[:LONGEST_VALUE]}")
    return "\n".join(lines)


class Agents:
    def __init__(self, inference: Inference, profile: Profile) -> None:
        self._inference = inference
        self._profile = profile

    async def scope(self, node: str, item: Described, scope: str, *, sensitive: bool = False) -> AgentVerdict:
        prompt = scope_prompt(item, self._profile, scope, sensitive=sensitive)
        return await self._ask(node, prompt, ScopeAnswer, lambda answer: scope_verdict(answer, item))

    async def same_item(
        self, pair: tuple[str, str], a: Described, b: Described, evidence: ComparedEvidence, *, sensitive: bool = False
    ) -> AgentVerdict:
        prompt = same_item_prompt(a, b, evidence, self._profile, sensitive=sensitive)
        return await self._ask(
            "+".join(pair), prompt, SameItemAnswer, lambda answer: same_item_verdict(answer, evidence)
        )

    async def validation(
        self, node: str, item: str, attribute: str, value: str, passages: Sequence[str], *, sensitive: bool = False
    ) -> AgentVerdict:
        prompt = validation_prompt(item, attribute, value, passages, self._profile, sensitive=sensitive)
        return await self._ask(node, prompt, ValidationAnswer, lambda answer: validation_verdict(answer, passages))

    async def restatement(
        self, node: str, item: str, attribute: str, value: str, passages: Sequence[str], *, sensitive: bool = False
    ) -> AgentVerdict:
        """The validation agent, shown the quotes of what is held: whether they say this value as well."""
        prompt = validation_prompt(item, attribute, value, passages, self._profile, sensitive=sensitive)
        return await self._ask(node, prompt, ValidationAnswer, lambda answer: restatement_verdict(answer, passages))

    async def _ask(self, node: str, prompt: Prompt, schema: type[A], read: Callable[[A], str]) -> AgentVerdict:
        """No usable answer leaves the question to a person; an error that may pass goes to the runtime."""
        try:
            answer = await self._inference.answer(replace(prompt, subject=node), schema, STAGE, node)
        except (ContractError, PolicyRefused) as error:
            return AgentVerdict(node, UNSURE, {"agent": prompt.label, "no-answer": type(error).__name__})
        return AgentVerdict(node, read(answer.value), evidence_of(prompt, answer))


def evidence_of(prompt: Prompt, answer: Answer[Any]) -> dict[str, Any]:
    return {
        "agent": prompt.label,
        "model": answer.model,
        "provider": answer.provider,
        "answer": answer.value.model_dump(mode="json"),
    }

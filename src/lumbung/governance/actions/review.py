"""People's word on items, facts, pairs and sources: remembered, and stronger than every later machine decision."""

from __future__ import annotations

from collections.abc import Sequence

from lumbung.errors import UsageError
from lumbung.model.item import is_human, pair
from lumbung.model.job import NewJob
from lumbung.model.permission import ALL_SCOPES, Actor, allow, person_of, scopes_of
from lumbung.store import governed, jobs, reviews
from lumbung.store.database import Row, Transaction

EXISTENCE = ""


def fact_code(attribute: str, value_key: str) -> str:
    return f"{attribute}\x1f{value_key}"


async def approve_item(tx: Transaction, actor: Actor, entry: str, reason: str) -> None:
    """The item may stand although a rule held it back; facts still need their own evidence or word."""
    await _judge(tx, actor, entry, EXISTENCE, "approve", reason)


async def reject_item(tx: Transaction, actor: Actor, entry: str, reason: str) -> None:
    await _judge(tx, actor, entry, EXISTENCE, "reject", reason)


async def approve_fact(tx: Transaction, actor: Actor, entry: str, attribute: str, value_key: str, reason: str) -> None:
    await _judge(tx, actor, entry, await _known_fact(tx, entry, attribute, value_key), "approve", reason)


async def reject_fact(tx: Transaction, actor: Actor, entry: str, attribute: str, value_key: str, reason: str) -> None:
    await _judge(tx, actor, entry, await _known_fact(tx, entry, attribute, value_key), "reject", reason)


async def _known_fact(tx: Transaction, entry: str, attribute: str, value_key: str) -> str:
    if not await reviews.has_fact(tx, entry, attribute, value_key):
        raise UsageError(f"Entry {entry} has no such fact of {attribute}.")
    return fact_code(attribute, value_key)


async def machine_item(tx: Transaction, entry: str) -> Row:
    item = await reviews.item_of(tx, entry)
    if item is None or not item["members"]:
        raise UsageError(f"There is no machine entry {entry} that could be judged.")
    return item


async def _judge(tx: Transaction, actor: Actor, entry: str, value: str, kind: str, reason: str) -> None:
    item = await machine_item(tx, entry)
    verb = "approve-sensitive" if kind == "approve" and item["sensitive"] else f"{kind}-item"
    allow(actor, verb, scopes_of(item), reason)
    person = person_of(actor, verb)
    action = await governed.append_action(tx, person, verb, entry, reason, {"fact": value, "members": item["members"]})
    await remember(tx, item, kind, value, action)


async def remember(tx: Transaction, item: Row, kind: str, value: str, action: int) -> None:
    """For every member, so that the word outlives a later split; the newest word on a question is the one that counts."""
    await governed.revoke_human_acts(tx, ("approve", "reject"), item["members"], action, value=value)
    for member in item["members"]:
        await governed.add_human_act(tx, kind, member, action, value=value)
    await decide_again(tx, action, item=item["id"])


async def decide_again(tx: Transaction, action: int, item: int | None = None, nodes: Sequence[str] = ()) -> None:
    wanted = [NewJob("decide", f"act:{action}:{node}", {"node": node}) for node in nodes]
    if item is not None:
        wanted.append(NewJob("decide", f"act:{action}:{item}", {"item": item}))
    await jobs.add(tx, wanted)


async def judge_pair(tx: Transaction, actor: Actor, a: str, b: str, same: bool, reason: str) -> None:
    """Two candidates, or a candidate and a human record (`h:` and its identity), are one item or are not."""
    allow(actor, "judge-pair", ALL_SCOPES, reason)
    person = person_of(actor, "judge-pair")
    for node in (a, b):
        if not await reviews.node_exists(tx, node):
            raise UsageError(f"There is no candidate or human record {node}.")
    if a == b or (is_human(a) and is_human(b)):
        raise UsageError("A verdict is about two different things, one of them a candidate.")
    first, second = pair(a, b)
    kind = "same" if same else "different"
    action = await governed.append_action(tx, person, "judge-pair", first, reason, {"with": second, "verdict": kind})
    await governed.revoke_human_acts(tx, ("same", "different"), [first], action, b=second)
    await governed.add_human_act(tx, kind, first, action, b=second)
    await decide_again(tx, action, nodes=[first, second])


async def retract_document(tx: Transaction, actor: Actor, url: str, reason: str) -> int:
    """What one page said counts no more; entries that rested on it are lowered or leave. Returns the candidates."""
    return await _retract(tx, actor, await reviews.documents_of_url(tx, url), f"u:{url}", reason)


async def retract_source(tx: Transaction, actor: Actor, host: str, reason: str) -> int:
    return await _retract(tx, actor, await reviews.documents_of_host(tx, host), f"s:{host}", reason)


async def _retract(tx: Transaction, actor: Actor, documents: Sequence[int], subject: str, reason: str) -> int:
    allow(actor, "retract-source", ALL_SCOPES, reason)
    if not documents:
        raise UsageError(f"Nothing came from {subject[2:]}.")
    digests = await reviews.retract(tx, documents, f"retracted: {reason}")
    effect = {"documents": len(documents), "candidates": len(digests)}
    action = await governed.append_action(tx, actor.person, "retract-source", subject[2:], reason, effect)
    await governed.add_human_act(tx, "retract", subject, action)
    await decide_again(tx, action, nodes=digests)
    return len(digests)


async def retract_extractor(tx: Transaction, actor: Actor, version: str, reason: str) -> int:
    """What one extractor version (a model with its prompt) read counts no more; its pages wait for another version."""
    allow(actor, "retract-source", ALL_SCOPES, reason)
    digests = await reviews.retract_extractor(tx, version, f"extractor {version} undone: {reason}")
    if not digests:
        raise UsageError(f"Nothing that counts was read by the extractor {version}.")
    effect = {"extractor": version, "candidates": len(digests)}
    action = await governed.append_action(tx, actor.person, "retract-source", f"extractor:{version}", reason, effect)
    await decide_again(tx, action, nodes=digests)
    return len(digests)


async def retract_answers(tx: Transaction, actor: Actor, model: str, reason: str, prompt: str | None = None) -> int:
    """What a model answered where rules leave a question open counts no more, all of it or by one prompt; these questions
    are people's now, and what stands is decided again. Returns the answers.
    """
    allow(actor, "retract-source", ALL_SCOPES, reason)
    answers, nodes, items = await reviews.retract_answers(tx, model, prompt)
    if not answers:
        raise UsageError(f"Nothing that counts was answered by {model}{f' to {prompt}' if prompt else ''}.")
    effect = {"model": model, "prompt": prompt, "answers": answers}
    action = await governed.append_action(tx, actor.person, "retract-source", f"model:{model}", reason, effect)
    await decide_again(tx, action, nodes=[node for node in nodes if not is_human(node)])
    for item in items:
        await decide_again(tx, action, item=item)
    return answers


async def mark_sensitive(tx: Transaction, actor: Actor, entry: str, reason: str) -> None:
    """The item needs the higher threshold and two independent sources from now on."""
    item = await machine_item(tx, entry)
    allow(actor, "mark-sensitive", scopes_of(item), reason)
    action = await governed.append_action(
        tx, actor.person, "mark-sensitive", entry, reason, {"members": item["members"]}
    )
    await reviews.mark_sensitive(tx, item["members"], "marked by a person")
    await decide_again(tx, action, item=item["id"])

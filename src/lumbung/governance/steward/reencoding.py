"""The index is brought to this program's version of the features while it goes on being searched in the version in force.

Fill: every node that lacks the new version is encoded again, a portion at a time and behind new work. Switch: once none
lacks it, the new version is put in force in one step. Then waiting items are decided again, published ones only
proposed for merging, and what the index holds in the former version goes. Each step is a job that names the next one,
so a kill loses at most a portion, which is done again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from lumbung.governance.steward.merging import propose_merges
from lumbung.model.job import NewJob
from lumbung.store import feature_versions, features, jobs
from lumbung.store.database import Transaction
from lumbung.text.features import FEATURES_VERSION
from lumbung.text.namesakes import NameReader

VERSION = int(FEATURES_VERSION)
PORTION = 100
REST_SECONDS = 0.5
"""Between two portions: some 200 nodes a second at most, a million in an hour and a half."""
MOST_READY = 300
"""Of the stage that re-encoding gives work to; above, it waits for those that came otherwise."""
WAIT_SECONDS = 2.0
WHOLE_INDEX = "index"
"""What stage 3 parks decisions for."""


async def begin(tx: Transaction) -> None:
    """The duty of each round: start the filling when a newer program finds an older index; pick up stray nodes."""
    states = await feature_versions.states(tx)
    in_force = next((version for version, state in states.items() if state == "in force"), None)
    if in_force is None or in_force > VERSION:
        return
    if in_force < VERSION:
        if states.get(VERSION) != "filling":
            await feature_versions.begin_filling(tx, VERSION)
            overtaken = [version for version, state in states.items() if state == "filling"]
            for version in overtaken:
                await feature_versions.leave(tx, version)
            await jobs.add(tx, [step("fill", in_force, "", 0), *(step("let-go", each, "", 0) for each in overtaken)])
    elif "past" not in states.values():
        strays = await feature_versions.strays(tx, VERSION, PORTION)
        await jobs.add(tx, [NewJob("encode", f"stray:{VERSION}:{node}", {"node": node}) for node in strays])


def step(name: str, former: int, after: str, turn: int) -> NewJob:
    payload = {"verb": "reencode", "step": name, "former": former, "version": VERSION, "after": after, "turn": turn}
    return NewJob("steward", f"reencode:{former}:{VERSION}:{name}:{turn}", payload)


async def carry_out(reader: NameReader, tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    """One portion of a step; a job of an older program's version has nothing left to do."""
    if payload["version"] != VERSION:
        return []
    place = (payload["former"], payload["after"], payload["turn"])
    return await (decide(tx, reader, *place) if payload["step"] == "decide" else STEPS[payload["step"]](tx, *place))


async def fill(tx: Transaction, former: int, after: str, turn: int) -> Iterable[NewJob]:
    if (await feature_versions.states(tx)).get(VERSION) != "filling":
        return []
    if await jobs.ready_count(tx, "encode", MOST_READY) == MOST_READY:
        return await later(tx, step("fill", former, after, turn + 1), WAIT_SECONDS)
    nodes = await feature_versions.lacking(tx, former, VERSION, after, PORTION)
    if nodes:
        await later(tx, step("fill", former, nodes[-1], turn + 1), REST_SECONDS)
        return [NewJob("encode", f"again:{VERSION}:{turn}:{node}", {"node": node, "again": True}) for node in nodes]
    return await switch(tx, former, turn)


async def switch(tx: Transaction, former: int, turn: int) -> Iterable[NewJob]:
    """Only when no node lacks the new version and its graphs are grown; else the filling looks through all once more."""
    if await jobs.ready_count(tx, "encode", 1):
        return await later(tx, step("fill", former, "", turn + 1), WAIT_SECONDS)
    await feature_versions.begin_alone(tx)
    grown = await features.grown_blocks(tx, VERSION)
    if grown or await feature_versions.lacking(tx, former, VERSION, "", 1):
        return await later(tx, step("fill", former, "", turn + 1), WAIT_SECONDS)
    await feature_versions.put_in_force(tx, former, VERSION)
    await jobs.unpark(tx, WHOLE_INDEX)
    await feature_versions.drop_graphs(tx, former)
    return [step("decide", former, "", 0), step("let-go", former, "", 0)]


async def decide(tx: Transaction, reader: NameReader, former: int, after: str, turn: int) -> Iterable[NewJob]:
    if await jobs.ready_count(tx, "decide", MOST_READY) == MOST_READY:
        return await later(tx, step("decide", former, after, turn + 1), WAIT_SECONDS)
    rows = await feature_versions.nodes_after(tx, VERSION, after, PORTION)
    if not rows:
        return []
    await propose_merges(tx, reader, {row["node"]: row["published"] for row in rows if row["published"]}, VERSION)
    await later(tx, step("decide", former, rows[-1]["node"], turn + 1), REST_SECONDS)
    waiting = [row["node"] for row in rows if not row["published"]]
    return [NewJob("decide", f"features:{VERSION}:{node}", {"node": node}) for node in waiting]


async def let_go(tx: Transaction, former: int, after: str, turn: int) -> Iterable[NewJob]:
    last = await feature_versions.let_go(tx, former, after, PORTION)
    if last is None and await feature_versions.end(tx, former):
        return []
    return await later(tx, step("let-go", former, last or "", turn + 1), REST_SECONDS)


async def later(tx: Transaction, job: NewJob, seconds: float) -> Iterable[NewJob]:
    await jobs.add_later(tx, job, seconds)
    return []


STEPS: dict[str, Callable[[Transaction, int, str, int], Awaitable[Iterable[NewJob]]]] = {
    "fill": fill,
    "let-go": let_go,
}

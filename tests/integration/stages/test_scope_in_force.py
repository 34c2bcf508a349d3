from __future__ import annotations

import pytest
from tests.integration.stages.test_agents_at_work import minded
from tests.integration.stages.test_order import PROFILE, page

from lumbung.governance.actions.approvals import approve_request
from lumbung.governance.actions.scope import set_scope
from lumbung.governance.notices import sentence
from lumbung.governance.steward import rescoping
from lumbung.governance.steward.handler import StewardHandler
from lumbung.model.permission import ALL_SCOPES, Actor, Role
from lumbung.runtime.worker import Worker
from lumbung.store import audits, governed
from lumbung.store.people import grant

WORDING = "Hanya tari dan nyanyian di tepi danau."


class Reader:
    """Finds nothing to belong into the scope, and keeps the instructions that it was given."""

    def __init__(self):
        self.instructions = []

    def __call__(self, asked):
        self.instructions.append(asked.system)
        return {"verdict": "out", "criterion": "single-event", "cited": [1], "why": "because"}


async def test_the_agent_is_given_the_scope_that_the_guardians_put_in_force(bench):
    reader = Reader()
    async with minded(bench, reader) as made:
        async with made.people.transaction() as tx:
            line = await governed.append_action(tx, None, "set-scope", "scope.text", "test", {"value": WORDING})
            await governed.set_value(tx, "scope.text", WORDING, line)
        await made.add(*page("https://budaya.go.id/1", "Festival Lilin", [("fungsi", "hiburan rakyat")]))
        await made.run()
        [instructions] = reader.instructions
        assert WORDING in instructions
        assert "Suriname" not in instructions, "the profile's own proposal no longer speaks"


class Guardian:
    """Lets in what the wording in force speaks of, and remembers how often it was asked."""

    def __init__(self):
        self.asked = 0

    def __call__(self, asked):
        if "criterion" not in asked.schema["properties"]:
            return {"passages": [], "why": "silent"}
        self.asked += 1
        inside = "danau" not in asked.system
        verdict, criterion = ("in", "named-item") if inside else ("out", "single-event")
        return {"verdict": verdict, "criterion": criterion, "sensitive": False, "cited": [1], "why": "because"}


async def worded(made, text):
    """Two guardians put a wording of the scope in force."""
    async with made.people.transaction() as tx:
        people = [
            await tx.value(
                "insert into person (login, name) values (%(login)s, %(login)s) returning id",
                {"login": f"{n}-{len(text)}"},
            )
            for n in range(2)
        ]
        for number in people:
            await grant(tx, number, Role.GUARDIAN, ALL_SCOPES, None, None)
        first, second = (Actor(number, frozenset({(Role.GUARDIAN, ALL_SCOPES)})) for number in people)
        asked = await set_scope(tx, first, text, "talked over")
        await approve_request(tx, second, asked.request, "agreed")
    await made.run()


def with_steward(made):
    made.handlers["steward"] = StewardHandler(PROFILE)
    made.worker = Worker(made.machine, None, made.handlers)


FESTIVALS = [
    page(f"https://{host}.go.id/1", f"Festival {name}", [("fungsi", "hiburan rakyat")])
    for host, name in (("budaya", "Lilin"), ("museum", "Payung"), ("arsip", "Indang"))
]


@pytest.mark.parametrize("portion", [500, 2])
async def test_what_waits_is_judged_again_by_a_new_wording_and_what_is_published_is_listed(bench, monkeypatch, portion):
    monkeypatch.setattr(rescoping, "PORTION", portion)
    guardian = Guardian()
    async with minded(bench, guardian) as made:
        with_steward(made)
        await worded(made, WORDING)
        for each in FESTIVALS:
            await made.add(*each)
        await made.run()
        assert (guardian.asked, await made.export()) == (3, [])
        await worded(made, "Semua tradisi yang bernama.")
        assert guardian.asked == 6
        assert [entry["status"] for entry in await made.export()] == ["published"] * 3
        await worded(made, WORDING + " Lain tidak.")
        assert guardian.asked == 6, "what is published is for people to look at"
        assert [entry["status"] for entry in await made.export()] == ["published"] * 3
        async with made.people.transaction() as tx:
            [notice] = [row for row in await audits.notices(tx) if row["kind"] == "scope-changed"]
        assert "3 published candidates" in sentence(notice, "en")


async def test_an_answer_to_a_former_wording_is_not_kept(bench):
    guardian = Guardian()
    async with minded(bench, guardian) as made:
        with_steward(made)
        await made.add(*FESTIVALS[0])
        desk = made.handlers["decide"]._desk
        answered = desk.perform

        async def slowly(prepared, jobs):
            outcome = await answered(prepared, jobs)
            if prepared and guardian.asked == 1:
                await worded_now(made, WORDING)
            return outcome

        desk.perform = slowly
        await made.run()
        assert guardian.asked == 2
        assert await made.export() == []


async def worded_now(made, text):
    async with made.people.transaction() as tx:
        line = await governed.append_action(tx, None, "set-scope", "scope.text", "test", {"value": text})
        await governed.set_value(tx, "scope.text", text, line)

"""The agents in the running stage: asked in their grey zone alone, through a model endpoint over HTTP."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
from tests.integration.stages.test_order import GAZETTEER, PROFILE, page
from tests.integration.stages.test_undo import CURATOR

from lumbung.demo.protocol_server import ProtocolServer
from lumbung.errors import UsageError
from lumbung.governance.actions.review import fact_code, machine_item, remember, retract_answers
from lumbung.governance.reports.agents import agent_share
from lumbung.providers.inference.endpoint import Endpoint
from lumbung.providers.inference.gateway import GuardedInference
from lumbung.stages.decide.agents import Agents
from lumbung.stages.decide.asking import questions_left_open
from lumbung.stages.decide.handler import DecideHandler
from lumbung.store import console, entries, governed
from lumbung.store.breakers import BreakerRules, SharedBreakers
from lumbung.store.inference_cache import SharedAnswers
from lumbung.store.ledger import SharedLedger

OFFICIAL = page("https://budaya.go.id/1", "Tari Lilin", [("fungsi", "hiburan rakyat"), ("iringan", "talempong")])


class Mind:
    """Answers each agent as a test tells it, and remembers what it was asked about."""

    def __init__(
        self, validation: str = "supports", scope: str = "in", same_item: str = "same", sensitive: bool = False
    ):
        self.validation, self.scope, self.same_item, self.asked = validation, scope, same_item, []
        self.sensitive = sensitive

    def __call__(self, asked):
        fields = asked.schema["properties"]
        if "passages" in fields:
            self.asked.append("validation")
            return {"passages": [{"number": 1, "verdict": self.validation}], "why": "because"}
        if "criterion" in fields:
            self.asked.append("scope")
            criterion = "named-item" if self.scope == "in" else "single-event"
            return {
                "verdict": self.scope,
                "criterion": criterion,
                "sensitive": self.sensitive,
                "cited": [1],
                "why": "because",
            }
        self.asked.append("same-item")
        return {"verdict": self.same_item, "cited": [1], "why": "because"}


@asynccontextmanager
async def minded(bench, mind):
    async with bench() as made, ProtocolServer(mind=mind) as server:
        url = f"http://127.0.0.1:{server.port}/v1"
        endpoint = Endpoint(url, "small", input_micros_per_million=0, output_micros_per_million=0)
        stores = SharedLedger(made.machine), SharedBreakers(made.machine, BreakerRules()), SharedAnswers(made.machine)
        agents = Agents(GuardedInference([endpoint], *stores), PROFILE)
        made.handlers["decide"] = DecideHandler(PROFILE, GAZETTEER, agents)
        yield made


@pytest.mark.parametrize(("said", "left"), [("supports", {"fungsi", "iringan"}), ("contradicts", set())])
async def test_a_fact_just_above_its_threshold_waits_if_its_quotes_speak_against_it(bench, said, left):
    mind = Mind(validation=said)
    async with minded(bench, mind) as made:
        await made.add(*OFFICIAL)
        await made.run()
        [entry] = await made.export()
        assert {fact["attribute"] for fact in entry["facts"] if fact["flag"] != "waiting"} == left
        assert mind.asked == ["validation", "validation"]
        await made.add(
            *page("https://lain.blogspot.com/2", "Rumah Gadang", [("struktur", "atap bergonjong")], "produk-arsitektur")
        )
        await made.run()
        assert len(mind.asked) == 2
        async with made.machine.transaction() as tx:
            share = await agent_share(tx)
        assert (share.scope, share.same_item) == (0, 0)
        assert share.validation == 2 * 1000 / share.subjects
        assert 0 < share.without_any < 1


async def test_what_rules_leave_open_about_the_scope_is_the_agents_to_say(bench):
    mind = Mind(scope="out")
    async with minded(bench, mind) as made:
        await made.add(*page("https://budaya.go.id/1", "Festival Lilin", [("fungsi", "hiburan rakyat")]))
        await made.run()
        assert mind.asked == ["scope"]
        assert await made.export() == []


@pytest.mark.parametrize(("sensitive", "published"), [(False, 1), (True, 0)])
async def test_what_the_scope_agent_calls_sensitive_is_held_to_the_stricter_rule(bench, sensitive, published):
    mind = Mind(scope="in", sensitive=sensitive)
    async with minded(bench, mind) as made:
        await made.add(*page("https://budaya.go.id/1", "Festival Lilin", [("fungsi", "hiburan rakyat")]))
        await made.run()
        assert "scope" in mind.asked
        assert [entry["status"] for entry in await made.export()].count("published") == published


@pytest.mark.parametrize(("said", "entries"), [("same", 1), ("different", 2)])
async def test_whether_two_near_names_are_one_item_is_the_agents_to_say_where_rules_cannot(bench, said, entries):
    mind = Mind(same_item=said)
    async with minded(bench, mind) as made:
        await made.add(*OFFICIAL)
        await made.add(*page("https://museum.go.id/2", "Tari Lilina", [("fungsi", "hiburan rakyat")]))
        await made.run()
        assert mind.asked.count("same-item") == 1
        assert len(await made.export()) == entries


STEPS = page("https://budaya.go.id/1", "Tari Lilin", [("gerak", "langkah halus berputar mengikuti gendang")])
REWORDED = page("https://museum.go.id/2", "Tari Lilin", [("gerak", "langkah ringan melingkar bersama gendang")])


async def novelty_now(made):
    """The newest word on each candidate's novelty, in the order in which they came."""
    async with made.machine.transaction() as tx:
        rows = await tx.rows(
            "select distinct on (subject) subject, verdict from decision where node = 'novelty' order by subject, id desc"
        )
        came = await tx.rows("select subject, min(id) as first from decision where node = 'novelty' group by subject")
    order = {row["subject"]: row["first"] for row in came}
    return [row["verdict"] for row in sorted(rows, key=lambda row: order[row["subject"]])]


@pytest.mark.parametrize(("said", "novelty"), [("supports", "skip"), ("neither", "enrich")])
async def test_whether_a_value_says_what_is_held_is_the_agents_to_say_where_rules_cannot(bench, said, novelty):
    async with minded(bench, Mind(validation=said)) as made:
        await made.add(*STEPS)
        await made.run()
        await made.add(*REWORDED)
        await made.run()
        assert (await novelty_now(made))[-1] == novelty
        [entry] = await made.export()
        assert [fact["attribute"] for fact in entry["facts"] if fact["flag"] != "review"] == ["gerak", "gerak"]
        async with made.machine.transaction() as tx:
            assert await tx.value("select count(*) from validation where verdict in ('restated', 'added')") > 0


async def test_without_a_model_people_see_what_may_be_said_twice_until_they_say_and_a_model_that_comes_is_asked(bench):
    async with bench() as made:
        await made.add(*STEPS)
        await made.add(*REWORDED)
        await made.run()
        assert "review" in await novelty_now(made)
        async with made.people.transaction() as tx:
            shown = await console.restating_facts(tx)
            left = await questions_left_open(tx)
        assert {fact["attribute"] for fact in shown} == {"gerak"}
        assert all(set(question.payload) == {"node"} for question in left)
        assert len(left) == len(shown)
        [entry] = await made.export()
        assert [fact["flag"] for fact in entry["facts"]].count("review") == 0
        async with made.people.transaction() as tx:
            fact = await tx.row("select entry, attribute, value_key from fact where value like '%%ringan%%'")
            line = await governed.append_action(tx, None, "approve-item", fact["entry"], "its own step", {})
            value = fact_code(fact["attribute"], fact["value_key"])
            await remember(tx, await machine_item(tx, fact["entry"]), "approve", value, line)
        await made.run()
        assert "review" not in await novelty_now(made)
        async with made.people.transaction() as tx:
            assert await console.restating_facts(tx) == []


def kind_of(mind):
    return {each: mind.asked.count(each) for each in set(mind.asked)}


@pytest.mark.parametrize("prompt", [None, "same-item/1"])
async def test_what_a_model_answered_is_undone_by_the_model_or_by_one_of_its_prompts(bench, prompt):
    mind = Mind(same_item="same")
    async with minded(bench, mind) as made:
        await made.add(*OFFICIAL)
        await made.add(*page("https://museum.go.id/2", "Tari Lilina", [("fungsi", "hiburan rakyat")]))
        await made.run()
        assert len(await made.export()) == 1
        async with made.people.transaction() as tx:
            with pytest.raises(UsageError, match="Nothing"):
                await retract_answers(tx, CURATOR, "another", "a trial", prompt)
            gone = await retract_answers(tx, CURATOR, "small", "it calls all namesakes one", prompt)
            assert gone == (1 if prompt else sum(kind_of(mind).values()))
            assert await tx.value("select count(*) from validation") == (kind_of(mind)["validation"] if prompt else 0)
            assert await tx.value("select count(*) from inference_cache where prompt = 'same-item/1'") == 0
        await made.run()
        assert len(await made.export()) == 2
        async with made.people.transaction() as tx:
            [pair] = await tx.rows("select verdict, decided_by from pair_verdict")
        assert (pair["verdict"], pair["decided_by"]) == ("unsure", "rule")


async def test_pairs_that_waited_for_want_of_a_model_are_asked_when_one_comes_unless_a_person_has_spoken(bench):
    near = page("https://museum.go.id/2", "Tari Lilina", [("fungsi", "hiburan rakyat")])
    async with bench() as made:
        await made.add(*OFFICIAL)
        await made.add(*near)
        await made.run()
        async with made.machine.transaction() as tx:
            [question] = await questions_left_open(tx)
        assert (question.stage, set(question.payload)) == ("decide", {"ask"})
        async with made.people.transaction() as tx:
            line = await governed.append_action(tx, None, "judge-pair", "pair", "test", {})
            first, second = question.payload["ask"]
            await governed.add_human_act(tx, "different", first, line, b=second)
        async with made.machine.transaction() as tx:
            assert await questions_left_open(tx) == []


async def test_the_manifest_of_a_dump_tells_the_readers_prompts_and_models_behind_what_is_published(bench):
    async with minded(bench, Mind()) as made:
        await made.add(*OFFICIAL)
        await made.run()
        async with made.people.transaction() as tx:
            readers, agents = await entries.readings_behind(tx), await entries.agents_behind(tx)
            [extractor] = [row["extractor"] for row in await tx.rows("select distinct extractor from candidate")]
            published = await tx.value("select count(*) from fact where state = 'published'")
            await tx.run("update entry set status = 'withdrawn', status_reason = 'x'")
            withdrawn = await entries.readings_behind(tx), await entries.agents_behind(tx)
        assert readers == [{"reader": extractor, "facts": published}]
        [agent] = agents
        assert (agent["prompt"].split("/")[0], agent["model"], agent["answers"]) == ("validation", "small", 2)
        assert withdrawn == ([], [])

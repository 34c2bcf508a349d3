"""Inference over real HTTP against the protocol server, with the ledger, the breakers and the memory in PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import asynccontextmanager
from email.utils import formatdate
from typing import Literal

import psycopg
import pytest
from pydantic import BaseModel, ConfigDict, SecretStr

from lumbung.demo.protocol_server import Fault, ProtocolServer
from lumbung.errors import (
    BudgetExhausted,
    CapabilityMissing,
    ContractError,
    PolicyRefused,
    ProviderDown,
    RateLimited,
    SettingsError,
    TransientError,
)
from lumbung.ports.inference import Prompt
from lumbung.providers.inference.endpoint import Endpoint
from lumbung.providers.inference.gateway import GuardedInference
from lumbung.providers.inference.prices import Prices
from lumbung.store.breakers import BreakerRules, SharedBreakers
from lumbung.store.database import Database
from lumbung.store.inference_cache import SharedAnswers, forget
from lumbung.store.ledger import SharedLedger

KEY = "sk-planted-9d1f4c7b2a"
PROMPT = Prompt("taste", "1", "Say what it is.", "Rendang is a dish.", max_output_tokens=100, subject="document:1")


class Taste(BaseModel):
    model_config = ConfigDict(extra="forbid")

    verdict: Literal["good", "bad"]
    why: str


GOOD = {"verdict": "good", "why": "spices"}


def says_good(_):
    return GOOD


@pytest.fixture(params=["openai", "anthropic"])
def protocol(request):
    return request.param


class Bench:
    def __init__(self, database, servers, protocol, **options):
        self.database = database
        self.servers = servers
        settings = {
            "input_micros_per_million": 1_000_000,
            "output_micros_per_million": 2_000_000,
            "timeout_seconds": 20.0,
        }
        self.endpoints = [
            Endpoint(
                f"http://127.0.0.1:{server.port}/v1" if protocol == "openai" else server.anthropic_url,
                f"model-{place}",
                protocol,
                SecretStr(KEY),
                **(settings | options),
            )
            for place, server in enumerate(servers)
        ]
        self.inference = GuardedInference(
            self.endpoints,
            SharedLedger(database),
            SharedBreakers(database, BreakerRules(failures=3)),
            SharedAnswers(database),
        )

    async def ask(self, prompt=PROMPT, **more):
        return await self.inference.answer(prompt, Taste, "extract", "job-1", **more)

    async def spends(self):
        async with self.database.transaction() as tx:
            return await tx.rows("select * from spend order by id")


@pytest.fixture
def bench(logins):
    @asynccontextmanager
    async def opened(protocol="openai", servers=1, mind=says_good, **options):
        database = Database(logins.machine)
        await database.open()
        running = [ProtocolServer(mind=mind) for _ in range(servers)]
        for server in running:
            await server.start()
        made = Bench(database, running, protocol, **options)
        try:
            yield made
        finally:
            await made.inference.close()
            for server in running:
                await server.stop()
            await database.close()

    return opened


async def test_an_answer_of_the_schema_comes_back_and_is_paid_for_exactly(bench, protocol):
    async with bench(protocol) as it:
        answer = await it.ask()
        assert answer.value == Taste(**GOOD)
        (spend,) = await it.spends()
        assert spend["state"] == "settled"
        assert spend["spent_micros"] == spend["input_tokens"] + 2 * spend["output_tokens"] == answer.micros
        assert spend["spent_micros"] <= spend["reserved_micros"]
        assert (spend["stage"], spend["model"], spend["job"]) == ("extract", "model-0", "job-1")


async def test_the_same_question_is_remembered_and_costs_nothing(bench, protocol):
    async with bench(protocol) as it:
        await it.ask()
        again = await it.ask()
        assert again.cached
        assert again.value == Taste(**GOOD)
        assert it.servers[0].requests == 1
        await it.ask(Prompt("taste", "2", PROMPT.instructions, PROMPT.content, 100))
        assert it.servers[0].requests == 2, "another version of the prompt is another question"
        async with it.database.transaction() as tx:
            assert await forget(tx, "document:1") == 1
        await it.ask()
        assert it.servers[0].requests == 3


@pytest.mark.parametrize("fault", [Fault.MALFORMED, Fault.WRONG_SCHEMA, Fault.TRUNCATED])
async def test_an_answer_that_does_not_fit_is_asked_again_with_its_own_reservation(bench, protocol, fault):
    async with bench(protocol) as it:
        it.servers[0].faults.extend([fault, fault])
        answer = await it.ask()
        assert answer.value == Taste(**GOOD)
        assert answer.asked == it.servers[0].requests == len(await it.spends()) == 3
        assert it.servers[0].asked[-1].turns == 3


@pytest.mark.parametrize("fault", [Fault.MALFORMED, Fault.WRONG_SCHEMA, Fault.TRUNCATED])
async def test_asking_again_is_bounded(bench, protocol, fault):
    async with bench(protocol) as it:
        it.servers[0].fault = fault
        with pytest.raises(ContractError, match="asked 3 times"):
            await it.ask()
        assert it.servers[0].requests == 3


@pytest.mark.parametrize(
    ("fault", "error", "state"),
    [
        (Fault.RATE_LIMIT, RateLimited, "released"),
        (Fault.RATE_LIMIT_AFTER, RateLimited, "released"),
        (Fault.SERVER_ERROR, TransientError, "released"),
        (Fault.CUT_OFF, TransientError, "settled"),
        (Fault.ENORMOUS, TransientError, "settled"),
        (Fault.NO_PROTOCOL, TransientError, "settled"),
        (Fault.REFUSAL, PolicyRefused, "settled"),
        (Fault.BAD_KEY, ProviderDown, "released"),
    ],
)
async def test_each_fault_has_its_error_and_its_settlement_and_one_request(bench, protocol, fault, error, state):
    async with bench(protocol) as it:
        it.servers[0].fault = fault
        with pytest.raises(error) as raised:
            await it.ask()
        if fault is Fault.RATE_LIMIT_AFTER:
            assert raised.value.retry_after_seconds == 7
        assert it.servers[0].requests == 1, "no second layer retries"
        assert [spend["state"] for spend in await it.spends()] == [state]


async def test_a_rest_until_a_date_is_kept_by_everybody(bench, protocol):
    async with bench(protocol) as it:
        it.servers[0].fault = Fault.RATE_LIMIT_AFTER
        it.servers[0].retry_after = formatdate(time.time() + 900, usegmt=True)
        for _ in range(2):
            with pytest.raises(RateLimited) as raised:
                await it.ask()
            assert 1 < raised.value.retry_after_seconds <= 900
        assert it.servers[0].requests == 1


async def test_a_slow_endpoint_is_given_up_and_taken_as_billed(bench, protocol):
    async with bench(protocol, timeout_seconds=0.3) as it:
        it.servers[0].fault = Fault.SLOW
        with pytest.raises(TransientError, match="in time"):
            await it.ask()
        (spend,) = await it.spends()
        assert spend["spent_micros"] == spend["reserved_micros"] > 0


async def test_an_endpoint_that_is_not_there_costs_nothing(bench, protocol):
    async with bench(protocol) as it:
        await it.servers[0].stop()
        with pytest.raises(TransientError):
            await it.ask()
        assert [spend["state"] for spend in await it.spends()] == ["released"]


async def test_the_next_endpoint_answers_within_the_same_call(bench, protocol):
    async with bench(protocol, servers=2) as it:
        it.servers[0].fault = Fault.SERVER_ERROR
        answer = await it.ask()
        assert answer.model == "model-1"
        assert [server.requests for server in it.servers] == [1, 1]


async def test_an_outage_opens_the_breaker_and_says_that_the_work_is_kept(bench):
    async with bench() as it:
        it.servers[0].fault = Fault.SERVER_ERROR
        for _ in range(2):
            with pytest.raises(TransientError):
                await it.ask()
        for _ in range(3):
            with pytest.raises(ProviderDown):
                await it.ask()
        assert it.servers[0].requests == 3


async def test_an_endpoint_without_schema_support_gets_the_schema_in_words(bench):
    async with bench() as it:
        it.servers[0].fault = Fault.REJECT_FORM
        it.servers[0].mind = lambda asked: "```json\n" + json.dumps(GOOD) + "\n```"
        it.servers[0].faults.append(Fault.REJECT_FORM)
        it.servers[0].fault = None
        assert (await it.ask()).value == Taste(**GOOD)
        assert "verdict" in it.servers[0].asked[-1].system


@pytest.mark.parametrize(
    "around",
    [
        "```json\n{}\n```",
        "Here is the answer:\n\n```\n{}\n```\nI hope it helps.",
        "<think>Is {{it}} so?</think>\n{}",
        "Jawaban: {}.",
    ],
)
async def test_what_small_models_write_around_their_answer_is_left_out(bench, around):
    async with bench() as it:
        it.servers[0].mind = lambda asked: around.format(json.dumps(GOOD))
        assert (await it.ask()).value == Taste(**GOOD)
        assert it.servers[0].requests == 1


async def test_no_room_in_the_budget_asks_nobody(bench, logins):
    with psycopg.connect(logins.people, autocommit=True) as people:
        people.execute("update budget_window set cap_micros = 0")
    async with bench() as it:
        with pytest.raises(BudgetExhausted):
            await it.ask()
        assert it.servers[0].requests == 0


async def test_a_model_without_a_price_is_refused_until_it_has_one_and_zero_is_a_price(bench):
    unknown = {"input_micros_per_million": None, "output_micros_per_million": None}
    async with bench(**unknown) as it:
        with pytest.raises(SettingsError, match="input_micros_per_million"):
            it.inference.require_prices()
        with pytest.raises(CapabilityMissing, match="input_micros_per_million"):
            await it.ask()
        assert it.servers[0].requests == 0
    async with bench(input_micros_per_million=0, output_micros_per_million=0) as it:
        it.inference.require_prices()
        assert (await it.ask(Prompt("free", "1", "Say.", "Text."))).micros == 0


def test_a_listed_model_has_its_listed_price_rounded_up():
    listed = Endpoint("https://api.openai.com/v1", "gpt-4o-mini")
    assert Prices().micros(listed, listed.model, 1_000_000, 0) == 150_000
    assert Prices().micros(listed, listed.model, 1, 1) == 1


async def test_the_stronger_model_is_asked_by_name_and_paid_at_its_own_price(bench):
    dearer = {"stronger_input_micros_per_million": 10_000_000, "stronger_output_micros_per_million": 20_000_000}
    async with bench(stronger_model="large", **dearer) as it:
        assert it.inference.has_stronger
        plain = await it.ask()
        stronger = await it.ask(stronger=True)
        assert (plain.model, stronger.model) == ("model-0", "large")
        assert stronger.micros == 10 * plain.micros
        assert [row["spent_micros"] for row in await it.spends()] == [plain.micros, stronger.micros]


async def test_the_price_of_the_model_is_none_of_the_stronger_one(bench):
    async with bench(stronger_model="nobody-knows-it") as it:
        with pytest.raises(SettingsError, match="stronger_input_micros_per_million"):
            it.inference.require_prices()
        assert (await it.ask()).model == "model-0"
        assert (await it.ask()).model == "model-0"


async def test_sensitive_text_goes_to_a_hosted_model_only_with_the_guardians_word(bench):
    sensitive = Prompt("taste", "1", "Say.", "Sacred.", sensitive=True)
    async with bench(hosted=True) as it:
        with pytest.raises(CapabilityMissing, match="guardian"):
            await it.ask(sensitive)
        assert it.servers[0].requests == 0

        async def allowed():
            return True

        it.inference.sensitive_to_hosted = allowed
        await it.ask(sensitive)


async def test_control_characters_of_an_answer_go_before_anything_is_stored(bench, protocol):
    async with bench(protocol, mind=lambda _: {"verdict": "good", "why": "a\x00b\x1bc"}) as it:
        assert (await it.ask()).value.why == "abc"
        assert (await it.ask()).value.why == "abc"


async def test_sixteen_at_once_keep_within_the_cap(bench, logins):
    with psycopg.connect(logins.people, autocommit=True) as people:
        people.execute("update budget_window set cap_micros = 20000 where name = 'hour'")
    async with bench() as it:
        asks = [it.ask(Prompt("taste", "1", "Say.", f"Dish {number}", 100)) for number in range(48)]
        results = await asyncio.gather(*asks, return_exceptions=True)
        assert {type(result) for result in results if isinstance(result, Exception)} <= {BudgetExhausted}
        spends = await it.spends()
        assert sum(spend["spent_micros"] for spend in spends) <= 20000
        assert len(spends) == sum(not isinstance(result, Exception) for result in results) > 3


@pytest.mark.parametrize("fault", [Fault.ECHO_KEY, Fault.BAD_KEY, Fault.NO_PROTOCOL, None])
async def test_the_key_is_in_no_error_log_row_or_prompt(bench, protocol, fault, logins, caplog, capsys):
    caplog.set_level(logging.DEBUG)
    async with bench(protocol) as it:
        it.servers[0].fault = fault
        told = ""
        try:
            await it.ask()
        except Exception as error:
            told = repr(error) + repr(error.__cause__) + repr(error.__context__)
        sent = it.servers[0].asked[0]
        assert KEY in str(sent.headers), "the key was really used"
        with psycopg.connect(logins.superuser) as connection:
            for table in ("spend", "breaker", "inference_cache", "alarm"):
                told += str(connection.execute(f"select * from {table}").fetchall())
        captured = capsys.readouterr()
        told += (
            captured.out + captured.err + caplog.text + json.dumps(sent.body) + repr(it.endpoints) + repr(it.inference)
        )
    assert KEY not in told


def test_composing_the_system_imports_no_model_library():
    import subprocess
    import sys

    check = "import sys, lumbung.bootstrap, lumbung.providers.inference.gateway; print(sorted({'pydantic_ai', 'openai', 'anthropic', 'genai_prices'} & set(sys.modules)))"
    assert (
        subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )

"""Models, translators and search as the settings name them, over real HTTP."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from lumbung.bootstrap import open_system
from lumbung.cli.suggest import propose
from lumbung.config import Settings, load_settings
from lumbung.demo.protocol_server import Fault, ProtocolServer
from lumbung.errors import CapabilityMissing, UsageError
from lumbung.funnel import ask_what_is_open, redrive_parked
from lumbung.model.candidate import Candidate, PageKind, PageText
from lumbung.outside import endpoints_of
from lumbung.ports.inference import Prompt
from lumbung.providers.translation import Translated
from lumbung.stages.extract.drafts import draft
from lumbung.stages.extract.llm import LlmExtractor
from lumbung.stages.extract.translated import TranslatedReader
from lumbung.store import candidates, coverage, documents
from lumbung.store.documents import NewDocument
from lumbung.text.markup import CLEANER_VERSION
from lumbung.text.sensitive import Sensitivity

SEARCH = "LUMBUNG_SEARCH__URL"


@pytest.fixture
def servers(engines, logins, tmp_path, monkeypatch):
    """The environment of an installation on servers."""
    named = {
        "LUMBUNG_DATA_DIR": str(tmp_path),
        "LUMBUNG_DATABASE_URL": logins.people,
        "LUMBUNG_DATABASE_MACHINE_URL": logins.machine,
        "LUMBUNG_DATABASE_OWNER_URL": logins.owner,
        "LUMBUNG_NATS_URL": engines.nats_url,
    }
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


@asynccontextmanager
async def service(answer):
    seen = []

    async def handle(request):
        seen.append(request)
        return web.json_response(answer)

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/search", seen
    finally:
        await runner.cleanup()


def local_model(server, number=None):
    prefix = "LUMBUNG_LLM__" if number is None else f"LUMBUNG_LLM__FALLBACK__{number}__"
    return {
        f"{prefix}BASE_URL": f"http://127.0.0.1:{server.port}/v1",
        f"{prefix}MODEL": "m",
        f"{prefix}INPUT_MICROS_PER_MILLION": "0",
        f"{prefix}OUTPUT_MICROS_PER_MILLION": "0",
    }


def test_endpoints_are_tried_in_the_order_of_their_names_after_the_first():
    environment = {"LUMBUNG_LLM__BASE_URL": "http://a.example/v1", "LUMBUNG_LLM__MODEL": "first"}
    for name in ("2-last", "1-second"):
        environment[f"LUMBUNG_LLM__FALLBACK__{name}__BASE_URL"] = f"http://{name}.example/v1"
        environment[f"LUMBUNG_LLM__FALLBACK__{name}__MODEL"] = name
    settings, _ = load_settings(environment=environment)
    assert [each.model for each in endpoints_of(settings)] == ["first", "1-second", "2-last"]
    assert list(endpoints_of(Settings())) == []


async def test_the_next_endpoint_answers_when_the_first_fails(servers):
    async with (
        ProtocolServer(mind=lambda _: {"translation": "satu"}) as first,
        ProtocolServer(mind=lambda _: {"translation": "dua"}) as second,
    ):
        for name, value in {**local_model(first), **local_model(second, 1)}.items():
            servers.setenv(name, value)
        first.faults.extend([Fault.SERVER_ERROR] * 10)
        async with open_system(load_settings()[0]) as system:
            assert isinstance(system.extractor, LlmExtractor)
            assert system.inference is not None
            answer = await system.inference.answer(Prompt("t", "1", "say", "x"), Translated, "extract", "job")
            assert answer.value.translation == "dua"
            assert answer.provider == system.inference.providers[1]
            await system.inference.close()


async def test_a_model_that_does_not_extract_translates_what_waits(servers):
    async with ProtocolServer(mind=lambda _: {"translation": "satu"}) as server:
        for name, value in {**local_model(server), "LUMBUNG_LLM__EXTRACTS": "false"}.items():
            servers.setenv(name, value)
        async with open_system(load_settings()[0]) as system:
            assert isinstance(system.extractor, TranslatedReader)


async def test_what_waits_for_a_translator_is_read_again_once_one_is_configured(servers):
    async with open_system(load_settings()[0]) as system:
        async with system.machine.transaction() as tx:
            for number, reason in enumerate(["needs-translation", "category-open"]):
                await park(tx, system.profile, number, reason)
        await redrive_parked(system)
        assert await waiting_jobs(system) == []
    servers.setenv("LUMBUNG_TRANSLATION__BASE_URL", "http://127.0.0.1:9")
    async with open_system(load_settings()[0]) as system:
        await redrive_parked(system)
        (job,) = await waiting_jobs(system)
        assert job["payload"] == {"document": 1}
        await redrive_parked(system)
        assert len(await waiting_jobs(system)) == 1, "once, however often the program starts"


async def test_what_rules_left_to_people_is_asked_once_a_model_is_configured(servers):
    async with open_system(load_settings()[0]) as system:
        async with system.machine.transaction() as tx:
            for number in range(2):
                await park(tx, system.profile, number, None)
            asked, answered = [row["digest"] for row in await tx.rows("select digest from candidate order by digest")]
            await candidates.set_scope(tx, asked, "unsure", {"by": "rule"})
            await candidates.set_scope(tx, answered, "unsure", {"agent": "scope"})
        await ask_what_is_open(system)
        assert await waiting_jobs(system, "decide") == []
    async with ProtocolServer(mind=lambda _: {}) as server:
        for name, value in local_model(server).items():
            servers.setenv(name, value)
        async with open_system(load_settings()[0]) as system:
            for _ in range(2):
                await ask_what_is_open(system)
            (job,) = await waiting_jobs(system, "decide")
            assert job["payload"] == {"scope": asked}


async def park(tx, profile, number, reason):
    url = f"https://a{number}.example/x"
    new = NewDocument(url, url, f"a{number}.example", "example", url, 200, "text/html", [], [], b"x", "item")
    document = await documents.add(tx, new)
    page = PageText(f"Gudheg {number}", f"Gudheg {number} iku panganan", "jav", "Latn", PageKind.ITEM)
    await documents.keep_text(tx, document, CLEANER_VERSION, page)
    candidate = Candidate(f"Gudheg {number}", (), "makanan-minuman", (), (), (), "lexical", reason)
    drafted = draft(candidate, 0, document, (url, url), CLEANER_VERSION, "lexical-1", profile, Sensitivity(profile))
    await candidates.add(tx, drafted)


async def waiting_jobs(system, stage="extract"):
    async with system.machine.transaction() as tx:
        return await tx.rows("select key, payload from job where stage = %(stage)s order by id", {"stage": stage})


async def test_search_proposes_seeds_that_wait_for_a_curator(servers):
    results = [{"url": f"https://museum{n}.example/tari", "title": f"Tari {n}"} for n in (1, 2)]
    async with service({"results": results}) as (address, seen):
        servers.setenv(SEARCH, address)
        servers.setenv("LUMBUNG_SEARCH__API_KEY", "planted-2b1f")
        found, report = await propose("", "tarian", "ID-SB", 20, "sumatera-barat")
        assert [each.url for each in found] == [each["url"] for each in results]
        assert report is not None
        assert report.seeds == 2
        assert [(each.query["q"], each.path) for each in seen] == [("Tarian Sumatera Barat", "/search")]
        assert seen[0].headers["Authorization"] == "Bearer planted-2b1f"
        async with open_system(load_settings()[0]) as system, system.people.transaction() as tx:
            seeds = await coverage.seeds(tx, "sumatera-barat")
            assert [seed["verified"] for seed in seeds] == [False, False]
            frontier = await tx.rows("select count(*) as waiting from frontier", {})
            assert frontier[0]["waiting"] == 0, "nothing is injected"


async def test_a_question_without_words_or_service_is_told_in_a_sentence(servers):
    with pytest.raises(CapabilityMissing, match="LUMBUNG_SEARCH__URL"):
        await propose("tari", "", "", 20, None)
    servers.setenv(SEARCH, "http://127.0.0.1:9/search")
    for category, region in (("", ""), ("no-such", ""), ("", "XX-YY")):
        with pytest.raises(UsageError):
            await propose("", category, region, 20, None)

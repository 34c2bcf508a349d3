"""Pages that wait for a translator, over a real translation service: facts in Indonesian, quotes in the page's own words."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from lumbung.errors import TransientError
from lumbung.profiles.loader import load_profile
from lumbung.providers.json_service import JsonService
from lumbung.providers.translation import GuardedTranslation, ServiceTranslator
from lumbung.stages.extract.translated import ENGINE, TranslatedReader
from lumbung.store.breakers import SharedBreakers
from lumbung.store.database import Database
from lumbung.store.inference_cache import SharedAnswers
from lumbung.store.ledger import SharedLedger
from lumbung.text.extraction.lexical import extract
from lumbung.text.markup import read_page
from lumbung.text.region import Gazetteer

PROFILE = load_profile()
GAZETTEER = Gazetteer(PROFILE)
PAGE = """<html><body><h1>Gudheg</h1><p>Gudheg iku panganan khas Yogyakarta kang digawe saka gori enom lan santen.
Rasane legi.</p><p>Panganan iki wiwit ana taun 1756.</p></body></html>"""
INTO_INDONESIAN = {
    "Gudheg iku panganan khas Yogyakarta kang digawe saka gori enom lan santen.": "Gudheg adalah makanan khas Yogyakarta yang terbuat dari nangka muda dan santan.",
    "Rasane legi.": "Rasanya manis.",
    "Panganan iki wiwit ana taun 1756.": "Makanan ini dibuat pada tahun 1755.",
}


@pytest.fixture
def reader(logins):
    @asynccontextmanager
    async def opened(translate):
        seen = []

        async def handle(request):
            seen.append(await request.json())
            return web.json_response({"translatedText": translate(seen[-1]["q"])})

        application = web.Application()
        application.router.add_post("/translate", handle)
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        database = Database(logins.machine)
        await database.open()
        service = JsonService(f"http://127.0.0.1:{runner.addresses[0][1]}", timeout_seconds=5)
        translator = ServiceTranslator(service, SharedLedger(database), SharedAnswers(database))
        guarded = GuardedTranslation([translator], SharedBreakers(database))
        try:
            yield TranslatedReader(guarded, PROFILE, GAZETTEER), seen
        finally:
            await database.close()
            await runner.cleanup()

    return opened


def line_by_line(text):
    return "\n".join(INTO_INDONESIAN.get(line, line) for line in text.split("\n"))


def read(html=PAGE):
    page = read_page(html, "https://budaya.example/x")
    return page, extract(page, PROFILE, GAZETTEER)


async def test_an_item_that_waited_is_read_in_translation_and_quotes_the_original(reader):
    page, found = read()
    assert [(each.name, each.parked) for each in found] == [("Gudheg", "needs-translation")]
    async with reader(line_by_line) as (translated, _):
        (gudheg,) = await translated.extract(page, found, "job")
    assert (gudheg.name, gudheg.category, gudheg.engine, gudheg.parked) == ("Gudheg", "makanan-minuman", ENGINE, None)
    assert gudheg.regions == ("ID-YO",)
    facts = {(fact.attribute, fact.value) for fact in gudheg.facts}
    assert {("bahan", "nangka muda"), ("bahan", "santan"), ("rasa", "manis")} <= facts
    for fact in gudheg.facts:
        assert page.text[fact.start : fact.end] == fact.quote
        assert fact.language == page.language
        assert fact.quote in INTO_INDONESIAN


async def test_what_the_original_does_not_bear_out_is_dropped(reader):
    page, found = read()
    wrong = {"Yogyakarta": "Surabaya", "Gudheg": "Gudheg"}

    def mistaken(text):
        done = line_by_line(text)
        for right, other in wrong.items():
            done = done.replace(right, other)
        return done

    async with reader(mistaken) as (translated, _):
        (gudheg,) = await translated.extract(page, found, "job")
    assert not {fact.attribute for fact in gudheg.facts} & {"asal-daerah", "tahun"}, "another city, another year"
    assert gudheg.regions == ()


async def test_an_item_renamed_by_the_translator_goes_on_waiting(reader):
    page, found = read(
        "<h1>Gudheg</h1><p>Gudheg iku panganan khas Yogyakarta kang digawe saka gori enom lan santen.</p>"
    )

    async with reader(lambda text: line_by_line(text).replace("Gudheg", "Sayur Nangka")) as (translated, _):
        after = await translated.extract(page, found, "job")
    assert [each.parked for each in after] == ["needs-translation"]


async def test_lines_that_come_back_joined_are_asked_one_by_one(reader):
    page, found = read()
    async with reader(lambda text: " ".join(line_by_line(text).split("\n"))) as (translated, seen):
        (gudheg,) = await translated.extract(page, found, "job")
    assert ("rasa", "manis") in {(fact.attribute, fact.value) for fact in gudheg.facts}
    assert len(seen) > 1


async def test_pages_without_a_waiting_item_are_shown_to_no_translator(reader):
    page, found = read("<h1>Gudeg</h1><p>Gudeg adalah makanan khas Yogyakarta yang terbuat dari nangka muda.</p>")
    async with reader(line_by_line) as (translated, seen):
        assert await translated.extract(page, found, "job") == found
    assert seen == []


async def test_a_service_that_fails_leaves_the_job_to_be_tried_again(reader):
    page, found = read()
    async with reader(lambda _: "") as (translated, _):
        with pytest.raises(TransientError):
            await translated.extract(page, found, "job")

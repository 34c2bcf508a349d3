"""Every page of the console, from the routes: it answers, in both languages, and says nothing in the other one."""

from __future__ import annotations

import re
import tomllib
from html import unescape
from importlib.resources import files

from lumbung.model.permission import Role
from lumbung.web.language import messages
from tests.integration.web.console.pages import addresses, plant_everything

LONG_ENOUGH = 14
"""Shorter words may be the same in both languages, or stand in a name."""


def sentences(language, other):
    """What only this language says: its texts without places for values, and what it translates from the code."""
    own = {text for key, text in messages(language).items() if messages(other)[key] != text}
    if language == "en":
        told = tomllib.loads(files("lumbung.web").joinpath("messages", "reasons.id.toml").read_text(encoding="utf-8"))
        own |= set(told)
    return {text for text in own if len(text) >= LONG_ENOUGH and "{" not in text}


def read(text):
    """The words of a page without the other language's link, texts that people wrote, and what is stored raw."""
    body = re.sub(r"<(pre|textarea)\b.*?</\1>", " ", text.partition("<main")[2], flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "\n", body)))


async def test_every_page_speaks_the_readers_language_alone(office):
    browser = await office.at_work(*Role)
    async with office.people.transaction() as tx:
        planted = await plant_everything(tx, browser.person)
    pages = addresses(planted)
    assert len(pages) > 40
    mixed = []
    for language, other in (("id", "en"), ("en", "id")):
        strange = sentences(other, language)
        assert len(strange) > 150
        for path in pages:
            answer, text = await browser.get(f"{path}{'&' if '?' in path else '?'}bahasa={language}")
            assert answer.status == 200, (path, text)
            assert f'<html lang="{language}">' in text
            words = read(text)
            mixed += [(language, path, each) for each in strange if re.search(rf"\b{re.escape(each)}", words)]
    assert mixed == []

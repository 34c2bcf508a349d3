"""Every text of the console exists in both languages, also those whose keys are put together from values."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

from lumbung.governance.actions.labels import ERROR_KINDS
from lumbung.governance.actions.modes import CHECKLISTS, MODES
from lumbung.model.permission import Role
from lumbung.web.console.access import MENU
from lumbung.web.console.front import WAITING_AT

WEB = files("lumbung.web")
MESSAGES = {
    language: {
        key
        for each in WEB.joinpath("messages").iterdir()
        if each.name.startswith(language)
        for key in tomllib.loads(each.read_text(encoding="utf-8"))
    }
    for language in ("id", "en")
}
USED = re.compile(r"words\('([a-z_]+)'[,)]")
TOLD = re.compile(r'"(done_[a-z_]+|problem_[a-z]+)"')


def test_every_text_of_a_template_is_there():
    used = {
        key
        for each in WEB.joinpath("templates", "console").iterdir()
        for key in USED.findall(each.read_text(encoding="utf-8"))
    }
    assert len(used) > 200
    assert sorted(used - MESSAGES["id"]) == []
    assert MESSAGES["id"] == MESSAGES["en"]


def test_every_answer_after_an_act_is_there():
    sources = [*WEB.joinpath("console").iterdir(), WEB.joinpath("app.py")]
    told = {
        key for each in sources if each.name.endswith(".py") for key in TOLD.findall(each.read_text(encoding="utf-8"))
    }
    assert len(told) > 30
    assert sorted(told - MESSAGES["id"]) == []


def test_every_value_that_is_named_has_its_word():
    keys = (
        {f"role_{role}" for role in Role}
        | {f"mode_{mode}" for mode in MODES}
        | {key for _, pages in MENU for _, key in pages}
    )
    keys |= {heading for heading, _ in MENU}
    keys |= {f"{kind}_{name}" for name in WAITING_AT for kind in ("waiting", "for")}
    keys |= {f"error_{kind.replace(' ', '_')}" for kind in ERROR_KINDS} | {f"risk_{risk}" for risk in CHECKLISTS}
    keys |= {f"check_{each.replace('-', '_')}" for risk in CHECKLISTS.values() for each in risk}
    assert sorted(keys - MESSAGES["id"]) == []

"""Every route of the console against every role, from the routes themselves."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from fastapi.routing import APIRoute

from lumbung.config import Settings
from lumbung.model.permission import Role
from lumbung.web.app import create_app
from lumbung.web.console.access import HOME
from lumbung.web.console.routes import DECLARED

OPEN_TO_ALL = re.compile(
    r"/(?:media/\{digest\}|masuk|keluar|mulai/\{link\}|healthz|readyz|metrics|robot|cari|api/.*|oai|feed\.atom|robots\.txt|sitemap.*|ekspor.*|ark.*"
    r"|entri/\{identity\}(?:\.json(?:ld)?|/riwayat(?:/\{number\})?|/perbaiki|/turunkan)?)?$"
)
READ_BY_ALL = ("GET", "/entri/{identity}/diskusi")
"""Who has a part in the library speaks at the same address."""


def is_open(route):
    return route == READ_BY_ALL or OPEN_TO_ALL.match(route[1]) is not None


def all_routes(routes):
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from all_routes(inner.routes)
        elif isinstance(route, APIRoute):
            for method in sorted(route.methods):
                yield method, route.path


def test_every_route_is_declared_for_roles_or_listed_as_open():
    routes = set(all_routes(create_app(SimpleNamespace(settings=Settings(), people=None)).routes))
    assert sorted(each for each in routes if each not in DECLARED and not is_open(each)) == []
    assert sorted(each for each in DECLARED if is_open(each)) == []
    assert set(DECLARED) <= routes
    assert all(roles for roles in DECLARED.values())


def filled(path):
    return re.sub(
        r"\{(\w+)\}",
        lambda name: {"stage": "crawl", "risk": "law", "identity": "x", "name": "x"}.get(name.group(1), "999999"),
        path,
    )


@pytest.mark.parametrize("role", list(Role))
async def test_a_role_reaches_what_is_declared_for_it_and_nothing_else(office, role):
    browser = await office.at_work(role)
    for (method, path), roles in sorted(DECLARED.items()):
        if path.endswith("/arus"):
            continue
        if method == "GET":
            answer, text = await browser.get(filled(path), follow=False)
        else:
            answer, text = await browser.post(filled(path), follow=False)
        refused = answer.status == 403 and "needs the role" in text
        assert refused == (role not in roles), (role, method, path, answer.status)
        assert answer.status < 500, (role, method, path, text)


async def test_nobody_gets_in_without_signing_in(office):
    stranger = office.stranger()
    for method, path in DECLARED:
        answer, _ = await (
            stranger.get(filled(path), follow=False) if method == "GET" else stranger.post(filled(path), follow=False)
        )
        assert answer.status == 303, path
        assert answer.headers["Location"].startswith("/masuk"), path


async def test_no_act_works_without_the_sessions_own_form_mark(office):
    browser = await office.at_work(*Role)
    for mark in ("", "wrong"):
        browser.csrf = mark
        for method, path in DECLARED:
            if method == "POST":
                answer, text = await browser.post(filled(path), follow=False)
                assert answer.status == 403, path
                assert ("no longer valid" if path.startswith(HOME) else "has expired") in text, path


async def test_a_form_from_another_site_is_refused(office):
    browser = await office.at_work(Role.OPERATOR)
    answer, _ = await browser.post(
        "/ruang-kerja/mesin/crawl/jeda", {"reason": "x"}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status == 403
    answer, _ = await browser.post(
        "/ruang-kerja/mesin/crawl/jeda", {"reason": "x"}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status == 403

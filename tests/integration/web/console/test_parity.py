"""Whatever a button of the console changes, the command line changes alike: every act of every route, done in two twins."""

from __future__ import annotations

import asyncio
import re
import threading
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import NamedTuple

import aiohttp
import pytest
from typer.testing import CliRunner

from lumbung.cli import app as program
from lumbung.cli.identity import keep_token
from lumbung.config import load_settings
from lumbung.governance.actions.modes import CHECKLISTS
from lumbung.governance.second_factor import new_secret
from lumbung.library.actions.requests import ask_for_correction, ask_for_removal
from lumbung.model.permission import PERMISSIONS, Role
from lumbung.store import audits, entries, governed, learning, people, requests
from lumbung.store.audits import NewLabel
from lumbung.store.entries import HumanEntry
from lumbung.web.console.routes import DECLARED
from tests.integration.web.console.conftest import PASSWORD, open_office
from tests.integration.web.console.planted import plant_review, plant_samples

WHY = "diuji dua kali"
NEW = "sebuah kata sandi baru"
SAME_OR_OLDER = ["--reason", WHY]
ELSEWHERE = {
    "/ruang-kerja/makna/pratinjau": "shows what a list would do, and changes nothing",
    "/ruang-kerja/benih/cari": "asks a search service and shows what it found; nothing is kept before it is proposed",
    "/ruang-kerja/akun/faktor-kedua": "whoever asks makes a secret; the code for it is another each time",
}
"""What changes nothing, or cannot be done twice with the same outcome, each with its reason; they have tests of their own."""
WITHOUT_A_WORD = {"set-password", "set-second-factor", "close-notice", "verify-seed", "discuss-entry"}
"""One's own account, a notice that was read, a seed that was looked at, what one says: nobody is asked why."""


@dataclass(frozen=True)
class Twice:
    """One act: the route it is for, the form that is sent, and the words of the command."""

    route: str
    form: dict
    words: list
    path: dict = field(default_factory=dict)
    typed: str = ""
    refused: bool = False
    reasoned: bool = True
    names_itself: bool = False
    """What it makes has another name each time."""

    @property
    def address(self):
        return re.sub(r"\{(\w+)\}", lambda name: str(self.path[name.group(1)]), self.route)

    @property
    def fields(self):
        given = self.form | ({"reason": WHY} if self.reasoned else {})
        return [
            (name, each) for name, value in given.items() for each in (value if isinstance(value, list) else [value])
        ]

    @property
    def command(self):
        return [str(word) for word in self.words] + (SAME_OR_OLDER if self.reasoned else [])


def acts(folder, numbers):
    """In the order in which they can be done; later ones may build on earlier ones."""
    room = "/ruang-kerja"

    def file(name, text):
        (folder / name).write_text(text, "utf-8")
        return folder / name

    host, other = "situs.example", numbers["other"]
    review = {"identity": "item-1"}
    fact = {"attribute": "asal", "value_key": "minangkabau"}
    pair = {"a": "cand-item-1", "b": "cand-item-2"}
    checked = list(CHECKLISTS["law"])
    return [
        Twice(room + "/tinjauan/{identity}/putusan", {"verdict": "approve"}, ["mode", "review", "approve", "item-1"], review),
        Twice(room + "/tinjauan/{identity}/batal", {}, ["mode", "review", "take-back", "item-1"], review),
        Twice(room + "/tinjauan/{identity}/putusan", {"verdict": "reject"}, ["mode", "review", "reject", "item-1"], review),
        Twice(room + "/tinjauan/{identity}/fakta", {"verdict": "approve"} | fact, ["mode", "review", "approve", "item-1", "--attribute", "asal", "--value-key", "minangkabau"], review),
        Twice(room + "/tinjauan/{identity}/sakral", {}, ["mode", "review", "sensitive", "item-1"], review),
        Twice(room + "/pasangan", pair | {"verdict": "same"}, ["mode", "review", "pair", *pair.values(), "--same"]),
        Twice(room + "/pasangan/batal", pair, ["mode", "review", "pair-take-back", *pair.values()]),
        Twice(room + "/tarik", {"url": "http://a.example/item-3"}, ["library", "undo", "page", "http://a.example/item-3"]),
        Twice(room + "/audit/{sample}", {"verdict": "incorrect:wrong place", "note": WHY}, ["mode", "audit", "label", 1, "incorrect", "--error", "wrong place", "--note", WHY], {"sample": 1}, reasoned=False),
        Twice(room + "/audit/{sample}/tarik", {}, ["mode", "audit", "withdraw", 1], {"sample": 1}),
        Twice(room + "/sengketa/{sample}", {"verdict": "correct"}, ["mode", "audit", "adjudicate", 2, "correct"], {"sample": 2}),
        Twice(room + "/mutu/kalibrasi", {}, ["mode", "audit", "recalibrate"], refused=True),
        Twice(room + "/mutu/kepercayaan", {"name": "extractor.precision"}, ["mode", "audit", "credibility", "--adopt", "extractor.precision"]),
        Twice(room + "/bobot/pencocok", {"what": "adopt"}, ["mode", "audit", "matcher", "--adopt"], refused=True),
        Twice(room + "/bobot", {}, ["tranche", "host", "forget-weights"]),
        Twice(room + "/frontier/henti", {"host": host}, ["tranche", "host", "stop", host]),
        Twice(room + "/frontier/izinkan", {"host": host}, ["tranche", "host", "allow", host]),
        Twice(room + "/frontier/jeda", {"host": host, "seconds": "30"}, ["tranche", "host", "delay", host, "--seconds", 30]),
        Twice(room + "/sumber", {"rules": "academic,host,isi.ac.id,kampus"}, ["tranche", "host", "types", file("rules.csv", "type,rule,pattern,reason\nacademic,host,isi.ac.id,kampus\n")]),
        Twice(room + "/kosakata", {"added": "ind,zurwakel,tarian,head,2", "dropped": ""}, ["mode", "scope", "set-words", file("kata.csv", "change,language,term,category,role,weight\nadded,ind,zurwakel,tarian,head,2\n")]),
        Twice(room + "/sumber/larangan", {"patterns": "toko.example,dagang"}, ["tranche", "host", "deny", file("deny.csv", "pattern,reason\ntoko.example,dagang\n")]),
        Twice(room + "/benih/suntik", {"urls": "http://hulu.example/\nfile:///x", "tranche": "tangan"}, ["tranche", "seed", "http://hulu.example/", "file:///x", "--tranche", "tangan"]),
        Twice(room + "/benih/usul", {"name": "baru", "rows": "http://museum.example/,tarian,ID-SB,2,x", "reason": WHY}, ["tranche", "add", file("baru.csv", "url,category,region,cost,note\nhttp://museum.example/,tarian,ID-SB,2,x\n"), "--note", WHY], reasoned=False),
        Twice(room + "/benih/{name}/periksa", {"url": "http://museum.example/"}, ["tranche", "verify", "baru", "--url", "http://museum.example/"], {"name": "baru"}, reasoned=False),
        Twice(room + "/benih/{name}/tanam", {}, ["tranche", "inject", "baru"], {"name": "baru"}),
        Twice(room + "/benih/{name}/henti", {}, ["tranche", "stop", "baru"], {"name": "baru"}),
        Twice(room + "/makna/daftar", {"terms": numbers["terms"] + "pusaka,,uji\n"}, ["mode", "scope", "set-sensitive", file("peka.csv", "term,category,reason\n" + numbers["terms"] + "pusaka,,uji\n")]),
        Twice(room + "/makna/lingkup", {"scope": "Budaya Nusantara."}, ["mode", "scope", "set-text", file("lingkup.md", "Budaya Nusantara.")]),
        Twice(room + "/makna/lisensi", {"licence": "cc by-sa 4.0"}, ["mode", "scope", "set-licence", "cc by-sa 4.0"]),
        Twice(room + "/makna/sahkan", {"consulted": "Lembaga Adat"}, ["mode", "ratify", "--consulted", "Lembaga Adat"]),
        Twice(room + "/label/entri", {"entry": "h1", "code": "tk-a", "community": ""}, ["library", "labels", "set", "h1", "--label", "tk-a"]),
        Twice(room + "/label/kategori", {"category": "ritual", "code": "tk-cs", "community": ""}, ["library", "labels", "category", "ritual", "--label", "tk-cs"]),
        Twice(room + "/koreksi/{number}", {"verdict": "decline"}, ["library", "correction", "decline", 1], {"number": 1}),
        Twice(room + "/penurunan/{number}", {"verdict": "decline"}, ["library", "takedown", "decline", 1], {"number": 1}),
        Twice(room + "/sembunyi", {"identity": "h1", "hidden": "yes"}, ["library", "entry", "hide", "h1"]),
        Twice(room + "/sembunyi", {"identity": "h1", "hidden": "no"}, ["library", "entry", "unhide", "h1"]),
        Twice("/tulis", {"title": "Tari Lilin", "category": "tarian", "regions": "ID-SB", "text": "Tarian dengan lilin.", "note": WHY}, ["library", "entry", "add", file("lilin.json", '{"title": "Tari Lilin", "category": "tarian", "regions": ["ID-SB"], "text": "Tarian dengan lilin."}'), "--note", WHY], reasoned=False, names_itself=True),
        Twice("/entri/{identity}/ubah", {"title": "Tari Payung", "category": "tarian", "regions": "ID-SB", "text": "Isi baru.", "revision": "1", "note": WHY}, ["library", "entry", "revise", "h1", file("h1.json", '{"title": "Tari Payung", "category": "tarian", "regions": ["ID-SB"], "text": "Isi baru."}'), "--seen", 1, "--note", WHY], {"identity": "h1"}, reasoned=False),
        Twice("/entri/{identity}/kembalikan/{number}", {}, ["library", "entry", "revert", "h1", 1], {"identity": "h1", "number": 1}),
        Twice("/entri/{identity}/diskusi", {"text": "Di Solok pun ada."}, ["library", "discussion", "add", "h1", "Di Solok pun ada."], {"identity": "h1"}, reasoned=False),
        Twice("/entri/{identity}/diskusi/{number}", {}, ["library", "discussion", "withhold", 1], {"identity": "h1", "number": 1}),
        Twice("/entri/{identity}/diskusi/{number}", {}, ["library", "discussion", "show", 1], {"identity": "h1", "number": 1}),
        Twice("/entri/{identity}/hapus", {}, ["library", "entry", "remove", "h1"], {"identity": "h1"}),
        Twice("/entri/{identity}/pulihkan", {}, ["library", "entry", "restore", "h1"], {"identity": "h1"}),
        Twice(room + "/angkatan/{batch}/batal", {}, ["library", "undo", "batch", 1], {"batch": 1}),
        Twice(room + "/mesin/{stage}/jeda", {}, ["pause", "crawl"], {"stage": "crawl"}),
        Twice(room + "/mesin/{stage}/lanjut", {}, ["resume", "crawl"], {"stage": "crawl"}),
        Twice(room + "/gagal", {"id": str(numbers["dead"])}, ["dead-letters", "redrive", "--id", numbers["dead"]]),
        Twice(room + "/anggaran/peringatan/{alarm}", {}, ["mode", "acknowledge", 1], {"alarm": 1}),
        Twice(room + "/kabar/{notice}", {}, ["mode", "scope", "close-notice", numbers["notice"]], {"notice": numbers["notice"]}, reasoned=False),
        Twice(room + "/arsip/periksa", {"reason": WHY}, ["verify", "--later", WHY], reasoned=False),
        Twice(room + "/arsip/hapus", {"url": "http://a.example/item-2"}, ["frontier", "erase", "http://a.example/item-2"]),
        Twice(room + "/otonomi/turun", {"category": "ritual", "mode": "shadow"}, ["mode", "lower", "ritual", "shadow"]),
        Twice(room + "/otonomi/minta", {"category": "ritual", "mode": "trickle"}, ["mode", "request", "ritual", "trickle"]),
        Twice(room + "/permintaan/{number}/tanda/{risk}", {"checked": checked, "reason": WHY}, ["mode", "sign", numbers["mode"], "law", *(word for each in checked for word in ("--checked", each)), "--note", WHY], {"number": numbers["mode"], "risk": "law"}, reasoned=False),
        Twice(room + "/permintaan/{number}/laksanakan", {}, ["mode", "approve", numbers["constant"]], {"number": numbers["constant"]}),
        Twice(room + "/tetapan", {"name": "fusion.theta", "value": "0.99"}, ["mode", "set", "fusion.theta", "0.99"]),
        Twice(room + "/permintaan/{number}/tolak", {}, ["mode", "decline", numbers["mode"]], {"number": numbers["mode"]}),
        Twice(room + "/otonomi/darurat", {}, ["mode", "stop"]),
        Twice(room + "/orang", {"login": "baru", "name": "Baru", "password": NEW}, ["user", "create", "baru", "--name", "Baru", "--password-stdin"], typed=NEW + "\n"),
        Twice(room + "/orang/{person}/peran", {"role": "auditor", "scope": "tarian"}, ["user", "grant", "lain", "auditor", "--scope", "tarian"], {"person": other}),
        Twice(room + "/orang/{person}/cabut", {"role": "auditor", "scope": "tarian"}, ["user", "revoke", "lain", "auditor", "--scope", "tarian"], {"person": other}),
        Twice(room + "/orang/{person}/sandi", {"password": NEW}, ["user", "password", "lain", "--password-stdin"], {"person": other}, typed=NEW + "\n"),
        Twice(room + "/orang/{person}/faktor-kedua/lepas", {}, ["user", "second-factor", "--drop", "lain"], {"person": other}),
        Twice(room + "/orang/{person}/hapus", {}, ["user", "erase", "lain"], {"person": other}),
        Twice(room + "/akun/faktor-kedua/lepas", {"password": PASSWORD}, ["user", "second-factor", "--drop", "semua"], reasoned=False),
        Twice(room + "/akun", {"old": PASSWORD, "password": NEW}, ["user", "password", "semua", "--password-stdin"], typed=NEW + "\n", reasoned=False),
    ]  # fmt: skip


async def furnished(office):
    """The same rows in the same order, so that both twins number them alike."""
    me = await office.person("semua", *Role, password=PASSWORD)
    asker, other = await office.person("peminta", *Role), await office.person("lain")
    async with office.people.transaction() as tx:
        for person in (me, other):
            await people.set_totp(tx, person, new_secret())
        for number in (1, 2, 3):
            await plant_review(tx, f"item-{number}", f"Tari {number}")
        await tx.run(
            "insert into pair_verdict (a, b, score, verdict, decided_by, evidence, versions) "
            """values ('cand-item-1', 'cand-item-2', .5, 'unsure', 'rule', '{"agree": []}', '{"rules": 1}')"""
        )
        await plant_samples(tx, 2)
        await entries.write_human(
            tx,
            HumanEntry(
                "h1",
                "tarian",
                "Tari Payung",
                "x",
                [],
                ["ID-SB"],
                [],
                "ID-SB",
                "isi",
                [],
                None,
                None,
                "reference",
                "h1",
                None,
            ),
            None,
        )
        await ask_for_removal(tx, "h1", "Keluarga", "k@example.org", "foto kami")
        await ask_for_correction(tx, "h1", "salah tahun", None)
        await audits.add_notice(tx, "tranche-barren", "jawa", {}, "barren:jawa")
        notice = await tx.value("select max(id) from notice where kind = 'tranche-barren'")
        dead = await tx.value(
            "insert into job (stage, key, state, reason) values ('extract', 'k', 'dead', 'broken') returning id"
        )
        await tx.run("insert into alarm (kind, subject) values ('budget.overrun', 'extract')")
        await tx.run("insert into batch (run, category) values ('uji', 'tarian')")
        line = await governed.append_action(tx, None, "install", "mode", "for the test", {})
        await governed.set_value(tx, "mode.ritual", "trickle", line)
        for reading, (person, verdict) in enumerate(((asker, "correct"), (other, "unclear")), start=1):
            await audits.add_label(tx, NewLabel(2, person, reading, verdict, None, None, "", False, line))
        constant = await requests.add(
            tx, "set-constant", "fusion.theta", {"value": 0.5, "before": 0.85}, "longgar", asker
        )
        mode = await requests.add(tx, "set-mode", "tarian", {"from": "shadow", "mode": "trickle"}, "naik", asker)
        terms = (await governed.values_now(tx))["sensitive.list"]
        token = await people.open_session(tx, me)
    async with office.system.machine.transaction() as tx:
        await learning.keep_model(tx, {"depth": -1.0}, {}, 10, 0.1)
    listed = "".join(f'"{each["term"]}",{each["category"]},"{each["reason"]}"\n' for each in terms)
    return token, {"other": other, "dead": dead, "notice": notice, "constant": constant, "mode": mode, "terms": listed}


async def lines_since(office, seq):
    async with office.people.transaction() as tx:
        return await tx.rows(
            "select person, verb, subject, reason, effect from action where seq > %(seq)s and verb <> 'row' order by seq",
            {"seq": seq},
        )


class Line(NamedTuple):
    person: int | None
    verb: str
    subject: str
    reason: str
    effect: dict


def told(rows):
    return [Line(*(row[name] for name in Line._fields)) for row in rows]


async def last_seq(office):
    async with office.people.transaction() as tx:
        return await tx.value("select coalesce(max(seq), 0) from action")


def lumbung(act):
    ended = CliRunner().invoke(program.app, act.command, input=act.typed)
    return ended.exception if isinstance(ended.exception, Exception) else None if ended.exit_code == 0 else ended.output


async def by_console(browser, act):
    answer, text = await browser.post(act.address, act.fields, follow=False)
    return None if answer.status in {200, 303} else f"{answer.status} {re.sub('<[^>]*>', ' ', text)[-600:]}"


async def seated(office, opened):
    browser = office.stranger()
    browser.session.cookie_jar.update_cookies({"sesi": opened.token}, aiohttp.client.URL(office.address))
    browser.csrf = opened.csrf
    return browser


@pytest.fixture
def elsewhere():
    """Runs coroutines on a loop in a thread of its own: the command line wants the main thread for itself."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield lambda coroutine: asyncio.run_coroutine_threadsafe(coroutine, loop).result(60)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture
def twins(elsewhere, logins, twin_logins, tmp_path):
    """Two offices, furnished alike."""
    stack = AsyncExitStack()

    async def opened():
        return [
            await stack.enter_async_context(open_office(each, tmp_path / name))
            for each, name in ((logins, "console"), (twin_logins, "command"))
        ]

    yield elsewhere(opened())
    elsewhere(stack.aclose())


def test_every_act_of_the_console_has_the_same_effect_from_the_command_line(
    twins, elsewhere, twin_logins, tmp_path, monkeypatch
):
    console, command = twins
    (opened, numbers), (signed_in, same_numbers) = (elsewhere(furnished(office)) for office in twins)
    assert numbers == same_numbers
    for name, value in {
        "LUMBUNG_DATABASE_URL": twin_logins.people,
        "LUMBUNG_DATABASE_MACHINE_URL": twin_logins.machine,
        "LUMBUNG_NATS_URL": "nats://127.0.0.1:1",
        "LUMBUNG_DATA_DIR": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)
    keep_token(load_settings()[0], signed_in.token)
    browser = elsewhere(seated(console, opened))
    listed = acts(tmp_path, numbers)
    assert {act.route for act in listed} | set(ELSEWHERE) == {path for method, path in DECLARED if method == "POST"}
    silent, unlike = set(), []
    for act in listed:
        seqs = [elsewhere(last_seq(office)) for office in twins]
        problem = elsewhere(by_console(browser, act))
        refusal = lumbung(act)
        done, twin = (told(elsewhere(lines_since(office, seq))) for office, seq in zip(twins, seqs, strict=True))
        if act.names_itself:
            done, twin = ([line._replace(subject="") for line in lines] for lines in (done, twin))
        complete = all(line.person is not None and line.effect for line in done)
        if done != twin or bool(done) == act.refused or (refusal is None) == act.refused or not complete:
            unlike.append((act.route, problem, refusal, done, twin))
        silent |= {line.verb for line in done if not line.reason}
    assert unlike == []
    assert silent <= WITHOUT_A_WORD
    assert not any(PERMISSIONS[verb].reason_needed for verb in silent)

"""Thousands of hostile strings in every field that people or pages can fill: each is shown as text, and none acts."""

from __future__ import annotations

import csv
import json
from io import StringIO
from itertools import product
from urllib.parse import quote

from lxml import etree, html

from lumbung.library import tables
from lumbung.library.actions.import_records import import_record
from lumbung.library.dump import DumpFacts, write_dump
from lumbung.library.exports import disclosed, exported
from lumbung.library.linked_data import json_ld
from lumbung.library.plain_text import UNSEEN, json_line
from lumbung.library.records import RecordReader
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.store import entries, people
from tests.integration.web.console.conftest import office  # noqa: F401
from tests.integration.web.console.planted import plant_review, plant_samples
from tests.integration.web.test_public import entry

OPENINGS = (
    "",
    '"',
    "'",
    '">',
    "'>",
    "-->",
    "</title>",
    "</textarea>",
    "</option></select>",
    "</script>",
    "&quot;>",
    "</svg>",
)
ACTS = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<a href=javascript:alert(1)>x</a>", "<iframe src=//evil>",
    "<style>*{display:none}</style>", "<form action=//evil><input name=password>", "<base href=//evil>", "<meta http-equiv=refresh content=0;url=//evil>",
    " onmouseover=alert(1) ", "javascript:alert(1)", "data:text/html,<script>1</script>", "<math><mi xlink:href=javascript:1>", "<details open ontoggle=1>",
    "{{7*7}}", "{% include 'x' %}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "=cmd|'/c calc'!A1", "@SUM(1)", "+1+1", "-1+1", "\tx", "%0d%0aSet-Cookie:a=b",
)  # fmt: skip
ENDINGS = ("", "\u202etxt.exe", "\u2066\u2069", "\x07\x1b[31m", "\x80\x9f", "\ufffd\ufeff", "<!--", "\u200d\u200c")
HOSTILE = ["".join(parts).replace("\x00", "") for parts in product(OPENINGS, ACTS, ENDINGS)]
ELEMENTS = frozenset(
    "html head meta title link body a header nav main section h1 h2 h3 p form input button select option svg text rect g details summary ul ol li div "
    "article span footer dl dt dd blockquote label textarea table thead tbody tr th td time strong em mark kbd fieldset legend script code pre small "
    "figure figcaption img desc caption br ins del".split()
)
OWN_SCRIPT = "/static/console.js"


def acting(text):
    """Whatever in a page could act, or turn the text around it."""
    tree = html.fromstring(text)
    found = [code for code in UNSEEN if chr(code) in text]
    for element in tree.iter():
        if not isinstance(element.tag, str):
            found.append("a comment")
        elif element.tag not in ELEMENTS or (element.tag == "script" and element.get("src") != OWN_SCRIPT):
            found.append(element.tag)
        else:
            found += [name for name in element.attrib if name.startswith("on") or name == "style"]
            links = [element.get(name) or "" for name in ("href", "src", "action")]
            found += [link for link in links if link.strip().lower().startswith(("javascript:", "data:", "//"))]
    return found


async def fill(tx, hostile, number):
    """Every text of an entry, of its history and of what readers asked is hostile."""
    identity = f"h{number:05}"
    written = entry(identity, f"Tari {number} {hostile}", f"Isi {hostile}\n\n{hostile}")
    await entries.write_human(tx, written, None, hostile)
    return identity


async def test_thousands_of_hostile_strings_are_only_text(office):  # noqa: F811
    assert len(HOSTILE) > 2000
    async with office.people.transaction() as tx:
        made = [await fill(tx, hostile, number) for number, hostile in enumerate(HOSTILE)]
    reader, seen, address = office.stranger(), 0, "/cari"
    while address:
        answer, text = await reader.get(address)
        assert answer.status == 200
        assert acting(text) == [], address
        seen += text.count('class="card"')
        following = html.fromstring(text).xpath("//a[@rel='next']/@href")
        address = following[0] if following else ""
    assert seen == len(made)
    worker = await office.at_work(*Role)
    for number in range(0, len(made), len(made) // 12):
        for path in ("", "/riwayat", "/ubah", "/hapus"):
            answer, text = await worker.get(f"/entri/{made[number]}{path}")
            assert answer.status == 200
            assert acting(text) == [], (HOSTILE[number], path)


async def test_hostile_strings_in_the_console_are_only_text(office):  # noqa: F811
    worker = await office.at_work(*Role)
    chosen = HOSTILE[:: len(HOSTILE) // 40]
    async with office.people.transaction() as tx:
        for number, hostile in enumerate(chosen):
            key = {"text": hostile, "n": number}
            await plant_review(tx, f"i{number}", f"Judul {hostile}", reason=hostile or "x", sensitive=number % 2 == 0)
            await tx.run(
                "insert into job (stage, key, state, reason) values ('extract', %(n)s::text, 'dead', %(text)s)", key
            )
            await tx.run(
                "insert into takedown (entry, requester, contact, reason) values ('i' || %(n)s::text, %(text)s, %(text)s, %(text)s)",
                key,
            )
            await tx.run(
                "insert into alarm (kind, subject, detail) values (%(text)s, %(text)s, jsonb_build_object('a', %(text)s::text))",
                key,
            )
        await plant_samples(tx, 3, chosen[5])
    pages = ["", "/tinjauan", "/audit", "/penurunan", "/gagal", "/anggaran", "/bayangan", "/catatan", "/label?entri=i3"]
    pages += [f"/tinjauan/i{number}" for number in range(len(chosen))]
    for path in pages:
        answer, text = await worker.get("/ruang-kerja" + path)
        assert answer.status == 200, path
        assert acting(text) == [], path


async def test_a_hostile_search_is_only_text(office):  # noqa: F811
    reader = office.stranger()
    for hostile in HOSTILE[:: len(HOSTILE) // 20]:
        for name in ("q", "kategori", "wilayah", "setelah", "bahasa"):
            answer, text = await reader.get("/cari", params={name: hostile})
            assert answer.status == 200, (name, hostile)
            assert acting(text) == [], (name, hostile)


def hostile_record(number, hostile):
    """Every field that an import or a contribution may fill."""
    title = "".join(letter for letter in f"Tari {number} {hostile}" if letter >= " " and not "\x7f" <= letter <= "\x9f")
    return {
        "title": title, "text": f"{hostile}\n\n{hostile}", "category": "tarian", "regions": [hostile, "ID-BA"], "aliases": [hostile, f"{hostile} dua"],
        "contributor": hostile, "licence": hostile, "files": [f"https://a.example/{number}?{hostile}"], "remote_id": f"{number}{hostile}", "revision": hostile,
    }  # fmt: skip


def unseen_in(text):
    return [hex(ord(letter)) for letter in set(text) if ord(letter) in UNSEEN and letter not in "\n\t\r"]


def cells_that_count(table):
    rows = list(csv.reader(StringIO(table)))
    return [cell for row in rows for cell in row if cell.startswith(tuple("=+-@\t\r＝＋－＠"))]


async def all_of_oai(reader):
    """Every page of the list, each read as strict XML."""
    address, pages = "/oai?verb=ListRecords&metadataPrefix=oai_dc", []
    while address:
        answer, text = await reader.get(address)
        assert answer.status == 200
        tree = etree.fromstring(text.encode())
        pages.append(text)
        token = tree.findtext(".//{http://www.openarchives.org/OAI/2.0/}resumptionToken")
        address = f"/oai?verb=ListRecords&resumptionToken={quote(token)}" if token else ""
    return "".join(pages)


async def test_hostile_records_leave_by_every_way_as_text(office, tmp_path):  # noqa: F811
    chosen = HOSTILE[::7]
    system = office.system
    record_reader = RecordReader(system.profile, system.gazetteer, keep_contributors=True)
    async with office.people.transaction() as tx:
        for number, hostile in enumerate(chosen):
            entered = record_reader.read(hostile_record(number, hostile))
            assert await import_record(tx, OPERATOR_AT_THE_MACHINE, entered) == "added"
        operator_lines = [json_line(json.dumps(each, ensure_ascii=False)) async for each in exported(tx, ["published"])]
        open_records = [each async for each in disclosed(tx, ["published"])]
        rows = [row async for row in entries.export(tx, ["published"])]
    reader = office.stranger()
    ways = {
        "oai": await all_of_oai(reader),
        "lines": (await reader.get("/api/v1/entries.jsonl"))[1],
        "atom": (await reader.get("/feed.atom"))[1],
        "sitemap": (await reader.get("/sitemap.xml"))[1],
        "operator": "\n".join(operator_lines),
        "json-ld": "\n".join(json.dumps(json_ld(each, system.profile, "https://a.example"), ensure_ascii=False) for each in open_records),
        "csv": tables.header() + "".join(line for each in open_records for line in tables.lines(each)),
    }  # fmt: skip
    facts = DumpFacts("Pustaka", "2026-11-18", "2026.11.18", {}, None, {})
    await write_dump(tmp_path / "dump", streamed(open_records), system.profile, facts)
    ways["dump"] = (tmp_path / "dump" / "entries.csv").read_text("utf-8")
    assert {name: unseen_in(text) for name, text in ways.items() if unseen_in(text)} == {}
    assert cells_that_count(ways["csv"]) == cells_that_count(ways["dump"]) == []
    assert len(ways["lines"].splitlines()) == len(chosen) == len(operator_lines)
    kept = {record["identity"]: record for record in map(json.loads, operator_lines)}
    first = record_reader.read(hostile_record(3, chosen[3]))
    assert kept[first.identity]["text"] == first.body
    for row in rows[:: len(rows) // 15]:
        for form in (".json", ".jsonld"):
            answer, text = await reader.get(f"/entri/{row['identity']}{form}")
            assert answer.status == 200
            assert unseen_in(text) == []


def hostile_machine_entry(hostile):
    """Every field that a machine account may send."""
    source = {
        "url": f"https://a.example/{quote(hostile, safe=UNQUOTED)}",
        "quote": hostile.strip() or "x",
        "digest": "a" * 64,
    }
    fact = {"attribute": f"x{hostile}"[:100], "value": f"{hostile} nilai", "confidence": 0.9, "sources": [source]}
    picture = {"url": source["url"] + ".png", "caption": hostile, "creator": hostile, "licence_hint": hostile}
    return {
        "title": f"Tari {hostile}", "text": f"{hostile}. {hostile}", "category": "tarian", "regions": ["ID-BA"], "aliases": [f"{hostile} dua"],
        "facts": [fact], "media": [picture],
    }  # fmt: skip


UNQUOTED = "<>\"'(){}=;,+@|`\\\u202e\u2066"


async def test_what_a_machine_account_sends_is_only_text_on_every_way_out(office):  # noqa: F811
    chosen = HOSTILE[:: len(HOSTILE) // 120]
    async with office.people.transaction() as tx:
        account = await people.add(tx, "mesin", "Mesin", None, machine=True)
        token = await people.issue_token(tx, account, "publish", ["publish"])
    reader = office.stranger()
    for number, hostile in enumerate(chosen):
        path, body = f"/api/v1/machine/entries/m{number}", hostile_machine_entry(hostile)
        async with reader.session.put(path, json=body, headers={"Authorization": f"Bearer {token}"}) as answer:
            assert answer.status == 200, (await answer.text(), hostile)
    worker = await office.at_work(*Role)
    for number, hostile in enumerate(chosen):
        for page in (f"/entri/m{number}", f"/entri/m{number}/riwayat", f"/entri/m{number}/riwayat/1"):
            answer, text = await reader.get(page)
            assert answer.status == 200, (page, hostile)
            assert acting(text) == [], (page, hostile)
        for form in (".json", ".jsonld"):
            answer, text = await reader.get(f"/entri/m{number}{form}")
            assert (answer.status, unseen_in(text)) == (200, []), (form, hostile)
        if number % 12 == 0:
            answer, text = await worker.get(f"/ruang-kerja/jelaskan?hal=m{number}")
            assert (answer.status, acting(text)) == (200, []), hostile
    async with office.people.transaction() as tx:
        open_records = [each async for each in disclosed(tx, ["published"])]
        operator_lines = [json_line(json.dumps(each, ensure_ascii=False)) async for each in exported(tx, ["published"])]
    assert len(open_records) == len(operator_lines) == len(chosen)
    table = tables.header() + "".join(line for each in open_records for line in tables.lines(each))
    assert cells_that_count(table) == []
    for text in (table, "\n".join(operator_lines), await all_of_oai(reader)):
        assert unseen_in(text) == []


async def streamed(records):
    for record in records:
        yield record

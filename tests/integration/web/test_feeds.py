"""Interfaces for programs, checked with independent clients."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from urllib.parse import urlencode, urlsplit

import pytest
from lxml import etree
from psycopg.types.json import Jsonb
from sickle import Sickle
from sickle.oaiexceptions import BadArgument, NoRecordsMatch

from lumbung.library.dump import FIELDS
from lumbung.model.permission import Role
from lumbung.store import audits, entries
from lumbung.web import feeds
from tests.integration.web.test_api import token_for
from tests.integration.web.test_public import entry, get, served  # noqa: F401


def harvest(address):
    client = Sickle(f"{address}oai")
    identify = client.Identify()
    records = list(client.ListRecords(metadataPrefix="oai_dc"))
    headers = list(client.ListIdentifiers(metadataPrefix="oai_dc"))
    one = client.GetRecord(identifier=records[0].header.identifier, metadataPrefix="oai_dc")
    subset = list(client.ListRecords(metadataPrefix="oai_dc", set="category:tarian"))
    sets = list(client.ListSets())
    with pytest.raises(NoRecordsMatch):
        list(client.ListRecords(metadataPrefix="oai_dc", set="category:ritual"))
    with pytest.raises(BadArgument):
        list(client.ListRecords())
    return identify, records, headers, one, subset, sets


async def test_a_harvester_takes_all_records_over_several_pages_and_learns_of_deletions(served):  # noqa: F811
    async with served() as (session, people):
        async with people.transaction() as tx:
            for number in range(150):
                await entries.write_human(
                    tx, entry(f"n{number:03}", f"Tari Nomor {number:03}", "Tarian & <b>tebal</b>."), None
                )
            await tx.run("update entry set status = 'tombstone', status_reason = 'x' where identity = 'n000'")
        identify, records, headers, one, subset, sets = await asyncio.to_thread(harvest, str(session._base_url))
        assert identify.deletedRecord == "persistent"
        assert len({record.header.identifier for record in records}) == 152 == len(headers) == len(subset)
        assert [record.header.identifier[-4:] for record in records if record.deleted] == ["n000"]
        assert one.metadata["title"][0].startswith("Tari")
        assert len(sets) == 15 + 38


@pytest.mark.parametrize("status", ["review", "held", "shadow", "withdrawn"])
async def test_what_left_the_library_is_told_as_deleted_however_it_left_and_what_never_stood_there_not_at_all(
    served,  # noqa: F811
    status,
):
    async with served() as (session, people):
        async with people.transaction() as tx:
            await entries.write_human(tx, entry("pernah", "Tari Pernah", "Pernah terbit."), None)
            await entries.write_human(tx, entry("belum", "Tari Belum", "Belum pernah terbit."), None)
            leave = f"update entry set owner = 'machine', status = '{status}' where identity in ('pernah', 'belum')"
            await tx.run(leave)
            await tx.run("update entry set published_at = null where identity = 'belum'")
        listed = await asked(session, verb="ListIdentifiers", metadataPrefix="oai_dc")
        heads = {head.findtext(f"{OAI}identifier")[-6:]: head.get("status") for head in listed.iter(f"{OAI}header")}
        assert heads.get("pernah") == "deleted"
        assert "belum" not in " ".join(heads)
        one = await asked(session, verb="GetRecord", metadataPrefix="oai_dc", identifier="oai:pdbi.lumbung:pernah")
        assert one.find(f".//{OAI}header").get("status") == "deleted" and one.find(f".//{OAI}metadata") is None


OAI = "{http://www.openarchives.org/OAI/2.0/}"
DC = "{http://purl.org/dc/elements/1.1/}"


async def asked(session, **arguments):
    """One answer as the specification orders it: date, request with its arguments, then the verb's own element."""
    answer, text = await get(session, "/oai?" + urlencode(arguments))
    assert answer.content_type == "text/xml"
    date, request, content = etree.fromstring(text.encode())
    assert (date.tag, request.tag) == (f"{OAI}responseDate", f"{OAI}request")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", date.text)
    assert dict(request.attrib) == {name.rstrip("_"): value for name, value in arguments.items()}
    assert content.tag == OAI + arguments["verb"]
    return content


async def walked(session, verb, **arguments):
    """Every item of a list, page after page, as long as a resumption token with content comes."""
    found = []
    while True:
        content = await asked(session, verb=verb, **arguments)
        token = content.find(f"{OAI}resumptionToken")
        found += [each for each in content if each is not token]
        if token is None or not token.text:
            return found
        arguments = {"resumptionToken": token.text}


async def test_a_second_harvester_written_by_the_specification_finds_the_same(served):  # noqa: F811
    async with served() as (session, people):
        async with people.transaction() as tx:
            for number in range(150):
                await entries.write_human(tx, entry(f"n{number:03}", f"Tari Nomor {number:03}", "Tarian."), None)
            await tx.run("update entry set status = 'tombstone', status_reason = 'x' where identity = 'n000'")
        identify = await asked(session, verb="Identify")
        assert [identify.findtext(OAI + name) for name in ("protocolVersion", "deletedRecord", "granularity")] == [
            "2.0", "persistent", "YYYY-MM-DDThh:mm:ssZ",
        ]  # fmt: skip
        formats = await asked(session, verb="ListMetadataFormats")
        assert "oai_dc" in [each.findtext(f"{OAI}metadataPrefix") for each in formats]
        sets = {each.findtext(f"{OAI}setSpec") for each in await walked(session, "ListSets")}
        records = await walked(session, "ListRecords", metadataPrefix="oai_dc")
        heads = [record.find(f"{OAI}header") for record in records]
        named = [head.findtext(f"{OAI}identifier") for head in heads]
        assert len(named) == len(set(named)) == 152
        assert {spec.text for head in heads for spec in head.iter(f"{OAI}setSpec")} <= sets
        for record, head in zip(records, heads, strict=True):
            deleted = head.get("status") == "deleted"
            assert deleted == head.findtext(f"{OAI}identifier").endswith("n000")
            assert (record.find(f"{OAI}metadata") is None) == deleted
            assert deleted or record.find(f".//{DC}title").text
        listed = await walked(session, "ListIdentifiers", metadataPrefix="oai_dc")
        assert [each.findtext(f"{OAI}identifier") for each in listed] == named
        one = await asked(session, verb="GetRecord", metadataPrefix="oai_dc", identifier=named[5])
        assert etree.tostring(one[0], method="c14n") == etree.tostring(records[5], method="c14n")


async def test_a_long_sitemap_is_an_index_of_parts_that_hold_every_entry_once(served, monkeypatch):  # noqa: F811
    async with served() as (session, people):
        async with people.transaction() as tx:
            for number in range(5):
                await entries.write_human(tx, entry(f"s{number}", f"Tari {number}", "Tarian."), None)
        whole = etree.fromstring((await get(session, "/sitemap.xml"))[1].encode())
        assert whole.tag.endswith("}urlset")
        monkeypatch.setattr(feeds, "MOST_IN_SITEMAP", 3)
        index = etree.fromstring((await get(session, "/sitemap.xml"))[1].encode())
        assert index.tag.endswith("}sitemapindex")
        found = []
        for loc in index.iter("{*}loc"):
            part = etree.fromstring((await get(session, urlsplit(loc.text).path))[1].encode())
            found += [each.text for each in part.iter("{*}loc")]
        assert found == [each.text for each in whole.iter("{*}loc")]
        assert len(found) == 7


async def test_feeds_and_linked_data_are_well_formed(served):  # noqa: F811
    async with served() as (session, _):
        for path in ("/feed.atom", "/sitemap.xml", "/oai?verb=Identify", "/oai?verb=Nonsense", "/oai"):
            answer, text = await get(session, path)
            assert answer.status == 200
            etree.fromstring(text.encode())
        async with session.get("/entri/a1.jsonld") as answer:
            described = await answer.json(content_type="application/ld+json")
        from pyld import jsonld

        triples = jsonld.to_rdf(described)["@default"]
        assert any(
            each["predicate"]["value"] == "https://schema.org/name" and each["object"]["value"] == "Tari Piring"
            for each in triples
        )


async def test_what_needs_a_person_is_fed_to_who_governs_and_to_nobody_else(served):  # noqa: F811
    async with served() as (session, people):
        governor = await token_for(people, "ayu", Role.APPROVER)
        reader = await token_for(people, "sari", Role.CONTRIBUTOR)
        async with people.transaction() as tx:
            await audits.add_notice(tx, "demotion", "tarian", {}, "demotion:1")
        for path in ("/api/v1/notices", "/api/v1/notices.atom"):
            assert (await get(session, path))[0].status == 401
            assert (await get(session, path, Authorization=f"Bearer {reader}"))[0].status == 403
            assert "Tarian" in (await get(session, path, Authorization=f"Bearer {governor}"))[1], "by its name"
        answer, text = await get(session, f"/api/v1/notices.atom?key={governor}")
        feed = etree.fromstring(text.encode())
        assert (answer.status, len(feed.findall("{*}entry"))) == (200, 1)


async def test_the_json_twin_says_what_the_page_says(served):  # noqa: F811
    async with served() as (session, _), session.get("/entri/a1.json") as answer:
        twin = await answer.json()
        assert (twin["title"], twin["owner"], twin["licence"]) == ("Tari Piring", "human", "CC-BY-4.0")


OAI_FAULTS = [
    ("verb=Nihil", "badVerb"),
    ("verb=Identify&verb=Identify", "badVerb"),
    ("", "badVerb"),
    ("verb=Identify&x=1", "badArgument"),
    ("verb=ListRecords", "badArgument"),
    ("verb=ListRecords&metadataPrefix=oai_dc&from=2020-1-1", "badArgument"),
    ("verb=ListRecords&metadataPrefix=oai_dc&from=", "badArgument"),
    ("verb=ListRecords&metadataPrefix=oai_dc&from=2020-01-01T00:00:00.5Z", "badArgument"),
    ("verb=ListRecords&metadataPrefix=oai_dc&from=2020-13-01", "badArgument"),
    ("verb=ListRecords&metadataPrefix=oai_dc&from=2020-01-01&until=2020-01-02T00:00:00Z", "badArgument"),
    ("verb=ListRecords&metadataPrefix=oai_dc&from=2020-01-02&until=2020-01-01", "badArgument"),
    ("verb=ListRecords&metadataPrefix=oai_dc&resumptionToken=x", "badArgument"),
    ("verb=ListRecords&resumptionToken=x", "badResumptionToken"),
    ("verb=ListRecords&resumptionToken=", "badResumptionToken"),
    ("verb=ListSets&resumptionToken=x", "badResumptionToken"),
    ("verb=ListRecords&metadataPrefix=marc", "cannotDisseminateFormat"),
    ("verb=ListRecords&metadataPrefix=oai_dc&until=1999-01-01", "noRecordsMatch"),
    ("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:pdbi.lumbung:nihil", "idDoesNotExist"),
    ("verb=ListMetadataFormats&identifier=%EF%BF%BE%01", "idDoesNotExist"),
]


async def test_every_fault_of_a_harvester_has_its_code_and_what_could_not_be_read_is_not_repeated(served):  # noqa: F811
    space = "{http://www.openarchives.org/OAI/2.0/}"
    async with served() as (session, _):
        for query, code in OAI_FAULTS:
            response = await session.get(f"/oai?{query}")
            root = etree.fromstring(await response.read())
            assert [error.get("code") for error in root.iter(f"{space}error")] == [code], query
            repeated = dict(root.find(f"{space}request").attrib)
            assert bool(repeated) != (code in {"badVerb", "badArgument"}), query
        form = {"verb": "GetRecord", "metadataPrefix": "oai_dc", "identifier": "oai:pdbi.lumbung:a\x00b"}
        assert b'code="idDoesNotExist"' in await (await session.post("/oai", data=form)).read()


async def test_an_entry_of_a_regency_or_people_is_in_the_set_of_its_provinces(served):  # noqa: F811
    async with served() as (session, people):
        async with people.transaction() as tx:
            for identity, region in (("kota", "16.71"), ("suku", "x-sunda"), ("lain", "ID-BA")):
                await entries.write_human(
                    tx, replace(entry(identity, f"Tari {identity}", "Isi."), regions=[region]), None
                )

        async def members(province):
            answer = await asked(session, verb="ListIdentifiers", metadataPrefix="oai_dc", set=f"province:{province}")
            headers = answer.findall(f"{OAI}header")
            specs = [{spec.text for spec in each.findall(f"{OAI}setSpec")} for each in headers]
            assert all(f"province:{province}" in each for each in specs)
            return {each.findtext(f"{OAI}identifier").rpartition(":")[2] for each in headers}

        assert "kota" in await members("ID-SS")
        assert "suku" in await members("ID-JB") & await members("ID-BT")
        assert {"kota", "suku"} & await members("ID-BA") == set()


@pytest.mark.parametrize(
    ("licence", "told"),
    [
        ("CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"),
        ("CC BY-SA 3.0 IGO", "https://creativecommons.org/licenses/by-sa/3.0/igo/"),
        ("GFDL-1.3-or-later", "https://spdx.org/licenses/GFDL-1.3-or-later.html"),
        ("Atas izin \u202edesa", {"@type": "CreativeWork", "name": "Atas izin desa"}),
    ],
)
async def test_linked_data_names_the_licence_by_its_address(served, licence, told):  # noqa: F811
    async with served() as (session, people):
        async with people.transaction() as tx:
            await entries.write_human(tx, replace(entry("l1", "Tari Lisensi", "Isi."), licence=licence), None)
        async with session.get("/entri/l1.jsonld") as answer:
            assert (await answer.json(content_type="application/ld+json"))["license"] == told


@pytest.mark.parametrize("display", ["", "blur-media", "withhold-text"])
async def test_linked_data_shows_pictures_with_their_rights_unless_a_label_asks_otherwise(served, display):  # noqa: F811
    copy = {
        "url": "https://museum.example/p.jpg",
        "digest": "a" * 64,
        "content_type": "image/jpeg",
        "width": 4,
        "height": 3,
    }
    rights = {"licence": "CC-BY-4.0", "creator": "Sari <b>", "page": "https://museum.example/p", "caption": "Penari"}
    label = {"code": "x", "url": "https://a.example/", "text": "x", "community": "", "display": [display]}
    async with served() as (session, people):
        async with people.transaction() as tx:
            bare = {"url": "https://museum.example/q.jpg"}
            await entries.write_human(tx, replace(entry("l1", "Tari", "Isi."), files=[copy | rights, bare]), None)
            shown = {"url": copy["url"], "caption": rights["caption"]}
            await tx.run("update entry set media = %(media)s where identity = 'l1'", {"media": Jsonb([shown])})
            if display:
                await tx.run("update entry set labels = %(own)s where identity = 'l1'", {"own": Jsonb([label])})
        async with session.get("/entri/l1.jsonld") as answer:
            described = await answer.json(content_type="application/ld+json")
        shown = {
            "@type": "ImageObject",
            "contentUrl": str(session._base_url) + "media/" + "a" * 64,
            "encodingFormat": "image/jpeg",
            "width": 4,
            "height": 3,
            "caption": "Penari",
            "license": "https://creativecommons.org/licenses/by/4.0/",
            "creditText": "Sari <b>",
            "wasDerivedFrom": "https://museum.example/p",
        }
        assert described.get("image", []) == ([] if display else [shown])


async def test_the_data_dictionary_knows_every_field_of_a_record(served):  # noqa: F811
    async with served() as (session, _):
        record = json.loads((await get(session, "/api/v1/entries.jsonl"))[1].splitlines()[0])
        assert set(record) - {"facts"} <= {name for name, _ in FIELDS}


async def test_a_record_is_found_at_its_own_second(served):  # noqa: F811
    space = "{http://www.openarchives.org/OAI/2.0/}"
    async with served() as (session, _):
        listed = etree.fromstring(await (await session.get("/oai?verb=ListIdentifiers&metadataPrefix=oai_dc")).read())
        stamp = next(listed.iter(f"{space}datestamp")).text
        same = f"/oai?verb=ListIdentifiers&metadataPrefix=oai_dc&from={stamp}&until={stamp}"
        found = etree.fromstring(await (await session.get(same)).read())
        assert stamp in {each.text for each in found.iter(f"{space}datestamp")}

"""What blocking loses is looked for in the background and told with its interval."""

from __future__ import annotations

import psycopg
import pytest

from lumbung.governance.installation import install
from lumbung.governance.reports.quality import blocking_loss
from lumbung.governance.steward import blocking
from lumbung.profiles.loader import load_profile
from lumbung.stages.encode.handler import CHECKED_ONE_IN, EncodeHandler, is_checked
from lumbung.store import features
from lumbung.store.database import Database
from lumbung.store.features import Feature
from lumbung.text.features import FEATURES_VERSION, content_vector
from lumbung.text.namesakes import NameReader
from lumbung.text.region import Gazetteer

FACTS = (("fungsi", "hiburan"), ("iringan", "talempong"), ("busana", "baju kurung"))
PLANTED = (
    ("asked", "Tari Piring", "tarian", "ID-SB", FACTS),
    ("near", "Tari Lilin", "tarian", "ID-SB", FACTS),
    ("far", "Tari Piring", "ornamen", "ID-PA", FACTS),
    ("homonym", "Tari Payung", "tarian", "ID-JB", ()),
    ("lonely", "Tari Payung", "tarian", "ID-SB", FACTS),
)


def planted(superuser):
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(
            "insert into document (id, url, final_url, host, domain, digest, status, content_type, kind) overriding system value "
            "values (1, 'http://a.example/', 'http://a.example/', 'a.example', 'a.example', 'd', 200, 'text/html', 'item')"
        )
        for place, (digest, name, category, region, facts) in enumerate(PLANTED):
            connection.execute(
                "insert into candidate (digest, document, cleaner, segment, extractor, name, name_key, category, regions) "
                "values (%s, 1, '1', %s, 'x', %s, %s, %s, %s)",
                (digest, place, name, name.lower(), category, [region]),
            )
            for attribute, value in facts:
                connection.execute(
                    "insert into claim (candidate, document, cleaner, attribute, value, value_key, quote, span, language, confidence) "
                    "values (%s, 1, '1', %s, %s, %s, %s, '[0,1)', 'ind', .9)",
                    (digest, attribute, value, value, value),
                )


def encoded(digest, name, category, region, facts):
    content = content_vector(name, [], [region], facts, category)
    return Feature(digest, False, int(FEATURES_VERSION), category, [region], content)


@pytest.fixture
async def machine(logins):
    planted(logins.superuser)
    people = Database(logins.people)
    await people.open()
    async with people.transaction() as tx:
        await install(tx, load_profile("pdbi"))
    await people.close()
    database = Database(logins.machine)
    await database.open()
    async with database.transaction() as tx:
        await features.keep(tx, [each[0] for each in PLANTED], [encoded(*each) for each in PLANTED])
    yield database
    await database.close()


async def test_only_what_name_and_facts_call_the_same_outside_the_blocks_is_missed(machine):
    block = {"categories": ["tarian", ""], "provinces": ["ID-SB", "-"]}
    async with machine.transaction() as tx:
        assert (await blocking_loss(tx))["share"] is None
        await blocking.carry_out(NameReader(load_profile("pdbi")), tx, {"node": "asked", **block})
        await blocking.carry_out(NameReader(load_profile("pdbi")), tx, {"node": "lonely", **block})
        await blocking.carry_out(NameReader(load_profile("pdbi")), tx, {"node": "gone", **block})
        rows = await tx.rows("select node, missed, evidence from blocking_check order by node")
        told = await blocking_loss(tx)
    assert [(row["node"], row["missed"]) for row in rows] == [("asked", "far"), ("lonely", None)]
    assert rows[0]["evidence"]["category"] == "ornamen"
    assert rows[0]["evidence"]["regions"] == ["ID-PA"]
    assert (told["checked"], told["missed"], told["share"]) == (2, 1, 0.5)
    assert 0 < told["low"] < 0.5 < told["high"] < 1


async def test_nothing_is_missed_where_the_blocks_hold_it(machine):
    async with machine.transaction() as tx:
        await blocking.carry_out(
            NameReader(load_profile("pdbi")),
            tx,
            {"node": "asked", "categories": ["tarian", "ornamen", ""], "provinces": None},
        )
        assert await features.checks(tx) == (1, 0)


def test_a_fixed_share_of_candidates_is_checked_with_the_blocks_that_stage_4_searches():
    nodes = [f"digest{number}" for number in range(5000)]
    checked = [node for node in nodes if is_checked(node)]
    assert 0.5 < len(checked) * CHECKED_ONE_IN / len(nodes) < 1.5
    assert not any(is_checked("h:" + node) for node in nodes)
    profile = load_profile("pdbi")
    handler = EncodeHandler(profile, Gazetteer(profile))
    known = handler._encoded(
        {"name": "Tari Piring", "aliases": [], "category": "tarian", "regions": ["ID-SB"], "facts": [], "document": 1},
        frozenset({1}),
    )
    unknown = handler._encoded(
        {"name": "Tari Piring", "aliases": [], "category": "tarian", "regions": [], "facts": [], "document": 1},
        frozenset({1}),
    )
    job = handler._check("a", known)
    assert job.payload["provinces"] == ["ID-SB", "-"]
    assert job.payload["categories"] == ["tarian", *profile.categories["tarian"].confusable, ""]
    assert handler._check("a", unknown).payload["provinces"] is None

"""What people ask of the crawl: quiet hours, a page once more, a page erased; and few hosts of one address at a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from tests.integration.stages.crawl.tiny_web import Answer, TinyWeb, page

from lumbung.errors import PolicyRefused, UsageError
from lumbung.governance.actions.corrections import decide_correction
from lumbung.governance.actions.hosts import set_quiet_hours
from lumbung.governance.actions.pages import erase_page, refetch_page
from lumbung.governance.reports.frontier import frontier_report
from lumbung.governance.steward import refetched
from lumbung.library.actions.requests import ask_for_correction
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE as OPERATOR
from lumbung.model.permission import Role
from lumbung.store import frontier, hosts, people
from lumbung.store.database import Database
from lumbung.store.frontier import HOSTS_PER_ADDRESS, HOSTS_PER_DOMAIN, FrontierUrl
from lumbung.store.hosts import Lane, Room


@pytest.fixture
async def office(logins):
    """The login of people: what they ask for stands in the log, where the machine signs for nobody."""
    database = Database(logins.people)
    await database.open()
    yield database
    await database.close()


def around_now(first_hours: float, second_hours: float):
    now = datetime.now(UTC)
    return (now + timedelta(hours=first_hours)).time(), (now + timedelta(hours=second_hours)).time()


@pytest.mark.parametrize(
    ("hours", "is_asked"), [((-2, 2), False), ((2, 4), True), ((-4, -2), True), ((2, 1), False), (None, True)]
)
async def test_a_host_is_left_alone_in_its_quiet_hours(bench, office, hours, is_asked):
    web = TinyWeb()
    web.add("http://a.example/", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        async with office.transaction() as tx:
            chosen = around_now(*hours) if hours else None
            await set_quiet_hours(tx, OPERATOR, "a.example", chosen, "UTC", "they asked")
        await made.crawl()
        async with made.database.transaction() as tx:
            report = await frontier_report(tx)
    assert ("/" in web.paths("a.example")) is is_asked
    assert any("quiet hours" in told for told in report.standstill) is not is_asked


async def test_quiet_hours_are_checked_before_they_are_kept(bench):
    async with bench(TinyWeb()) as made, made.database.transaction() as tx:
        with pytest.raises(UsageError, match="time zone"):
            await set_quiet_hours(tx, OPERATOR, "a.example", around_now(0, 1), "Mars/Olympus", "they asked")
        with pytest.raises(UsageError, match="different times"):
            await set_quiet_hours(tx, OPERATOR, "a.example", around_now(1, 1)[:1] * 2, "UTC", "they asked")
        with pytest.raises(UsageError, match="reason"):
            await set_quiet_hours(tx, OPERATOR, "a.example", None, "UTC", "")


async def steward_jobs(made, verb):
    rows = await made.rows("select payload from job where stage = 'steward' and payload->>'verb' = %(verb)s", verb=verb)
    return [row["payload"] for row in rows]


async def test_a_page_is_asked_for_again_only_when_somebody_says_so(bench, office):
    web = TinyWeb()
    url = "http://a.example/tari"
    web.add(url, page("Tari Topeng"))
    async with bench(web) as made:
        await made.seed(url)
        await made.crawl()
        await made.seed(url)
        await made.crawl()
        assert web.paths("a.example").count("/tari") == 1
        web.add(url, page("Tari Topeng Cirebon"))
        async with office.transaction() as tx:
            await refetch_page(tx, OPERATOR, url, "correction", "the page was corrected")
        await made.crawl()
        old, new = await made.rows("select id, digest from document where url = %(url)s order by id", url=url)
        [told] = await steward_jobs(made, "refetched")
    assert web.paths("a.example").count("/tari") == 2
    assert told["document"] == new["id"] != old["id"]


async def test_a_correction_taken_up_asks_for_each_page_of_the_entry_once_more(bench, office):
    web = TinyWeb()
    urls = [f"http://a.example/{name}" for name in ("satu", "dua")]
    for url in urls:
        web.add(url, page("Tari Topeng"))
    async with bench(web) as made:
        for url in urls:
            await made.seed(url)
        await made.crawl()
        async with made.database.transaction() as tx:
            await made_of(tx, "topeng", urls)
        async with office.transaction() as tx:
            person = await people.add(tx, "budi", "Budi", None)
            await people.grant(tx, person, Role.CURATOR, "*", None, None)
            number = await ask_for_correction(tx, "topeng", "tahunnya salah", None)
            actor = await people.actor_of(tx, person)
            decided = await decide_correction(tx, actor, number, True, "the pages were corrected")
            with pytest.raises(UsageError, match="no open correction"):
                await decide_correction(tx, actor, number, False, "again")
        assert (sorted(decided.pages), decided.left) == (sorted(urls), {})
        await made.crawl()
        asked = await steward_jobs(made, "refetched")
    assert sorted(each["url"] for each in asked) == sorted(urls)
    assert [web.paths("a.example").count(path) for path in ("/satu", "/dua")] == [2, 2]


async def made_of(tx, identity, urls):
    """A machine entry whose item was read from these pages."""
    await tx.run(
        "insert into entry (identity, owner, status, category, title, name_key) "
        "values (%(i)s, 'machine', 'published', 'tarian', 'Tari Topeng', 'tari topeng')",
        {"i": identity},
    )
    await tx.run(
        "insert into item (identity, category, content, digest) values (%(i)s, 'tarian', '{}', 'd')", {"i": identity}
    )
    for url in urls:
        await tx.run(
            "insert into page_text (document, cleaner, title, text, language, script) "
            "select id, 'c', 'T', 'Tari Topeng', 'ind', 'Latn' from document where url = %(url)s "
            "on conflict do nothing",
            {"url": url},
        )
        await tx.run(
            "insert into candidate (digest, document, cleaner, segment, extractor, category, name, name_key) "
            "select url, id, t.cleaner, 0, 'x', 'tarian', 'Tari Topeng', 'tari topeng' from document d "
            "join page_text t on t.document = d.id where url = %(url)s",
            {"url": url},
        )
        await tx.run(
            "insert into item_member (item, candidate) select id, %(url)s from item where identity = %(i)s",
            {"url": url, "i": identity},
        )


async def test_what_a_page_said_before_gives_way_and_what_is_gone_is_erased(bench, office):
    web = TinyWeb()
    url = "http://a.example/tari"
    web.add(url, page("Tari Topeng"))
    async with bench(web) as made:
        await made.seed(url)
        await made.crawl()
        web.add(url, Answer(b"hilang", 410))
        async with office.transaction() as tx:
            await refetch_page(tx, OPERATOR, url, "takedown", "the owner took it down")
        await made.crawl()
        [told] = await steward_jobs(made, "refetched")
        async with made.database.transaction() as tx:
            follow_on = list(await refetched.carry_out(tx, told))
    assert told["document"] is None
    assert [job.payload["verb"] for job in follow_on if job.stage == "steward"] == ["erase-text"]


async def test_a_server_in_trouble_takes_nothing_back(bench, office):
    web = TinyWeb()
    url = "http://a.example/tari"
    web.add(url, page("Tari Topeng"))
    async with bench(web) as made:
        await made.seed(url)
        await made.crawl()
        web.add(url, Answer(b"", 403))
        async with office.transaction() as tx:
            await refetch_page(tx, OPERATOR, url, "correction", "a reader wrote to us")
        await made.crawl()
        assert await steward_jobs(made, "refetched") == []


async def test_only_what_was_kept_is_asked_for_again_or_erased(bench, office):
    web = TinyWeb()
    web.add("http://a.example/", page("Tari"))
    async with bench(web) as made:
        await made.seed("http://a.example/")
        await made.crawl()
        async with office.transaction() as tx:
            with pytest.raises(UsageError, match="never fetched"):
                await refetch_page(tx, OPERATOR, "http://a.example/lain", "correction", "why not")
            with pytest.raises(UsageError, match="Nothing was kept"):
                await erase_page(tx, OPERATOR, "http://a.example/lain", "why not")
            assert await erase_page(tx, OPERATOR, "http://a.example/", "a community asked") == 1
            await hosts.stop(tx, ["a.example"], "stopped")
            with pytest.raises(PolicyRefused, match="stopped"):
                await refetch_page(tx, OPERATOR, "http://a.example/", "correction", "why not")
        assert len(await steward_jobs(made, "erase-text")) == 1


async def leased_hosts(made, names):
    async with made.database.transaction() as tx:
        leases = await frontier.lease(tx, uuid4(), dict.fromkeys(Lane, Room(100)), 0.0, 60.0)
    return {lease.host for lease in leases} & set(names)


@pytest.mark.parametrize(("domains", "at_once"), [(10, HOSTS_PER_ADDRESS), (150, 100)])
async def test_few_hosts_of_one_address_are_asked_at_a_time_unless_it_serves_very_many(bench, domains, at_once):
    async with bench(TinyWeb()) as made:
        names = [f"h{number}.d{number}.example" for number in range(domains)]
        async with made.database.transaction() as tx:
            rows = [FrontierUrl(f"http://{name}/", name, name.partition(".")[2], 1.0, 0) for name in names]
            await frontier.add(tx, rows, "test")
            await tx.run("update host set address = '203.0.114.7' where name = any (%(names)s)", {"names": names})
        assert len(await leased_hosts(made, names)) == at_once
        if domains < 100:
            assert len(await leased_hosts(made, names)) == 0


async def lease_few(made, rooms):
    async with made.database.transaction() as tx:
        return {lease.host for lease in await frontier.lease(tx, uuid4(), rooms, 0.0, 60.0)}


async def known_hosts(made, priorities):
    rows = [
        FrontierUrl(f"http://{name}/", name, ".".join(name.split(".")[-2:]), priority, 0)
        for name, priority in priorities.items()
    ]
    async with made.database.transaction() as tx:
        await frontier.add(tx, rows, "test")


@pytest.mark.parametrize("address", ["203.0.114.7", None])
async def test_whoever_has_very_many_names_stands_in_nobodys_way(bench, address):
    """A full address and a full domain are passed over, however high their hosts rank."""
    async with bench(TinyWeb()) as made:
        many = {f"h{number}.lubang.example": 9.0 for number in range(40)}
        await known_hosts(made, many | {"sanggar.example": 1.0})
        async with made.database.transaction() as tx:
            await tx.run("update host set address = %(address)s where domain = 'lubang.example'", {"address": address})
        rooms = dict.fromkeys(Lane, Room(HOSTS_PER_DOMAIN))
        first, second = await lease_few(made, rooms), await lease_few(made, rooms)
    assert len(first) == (HOSTS_PER_ADDRESS if address else HOSTS_PER_DOMAIN)
    assert first < set(many)
    assert second == {"sanggar.example"}


async def test_a_lane_without_room_stands_in_no_other_lanes_way(bench):
    async with bench(TinyWeb()) as made:
        await known_hosts(made, {"lambat.example": 9.0, "baru.example": 5.0, "cepat.example": 1.0})
        async with made.database.transaction() as tx:
            await tx.run("update host set pages = 1, service_seconds = 20 where name = 'lambat.example'")
            await tx.run("update host set pages = 1, service_seconds = 0.1 where name = 'cepat.example'")
        full = Room(0)
        assert await lease_few(made, dict.fromkeys(Lane, full) | {Lane.PROMPT: Room(5)}) == {"cepat.example"}
        assert await lease_few(made, dict.fromkeys(Lane, full) | {Lane.UNMET: Room(5)}) == {"baru.example"}
        assert await lease_few(made, dict.fromkeys(Lane, full) | {Lane.SLOW: Room(5)}) == {"lambat.example"}

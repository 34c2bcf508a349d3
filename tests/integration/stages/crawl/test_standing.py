"""Who is asked first: the best address by what is known now, of the host that gave most so far."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

from tests.integration.stages.crawl.tiny_web import TinyWeb

from lumbung.store import frontier, learning
from lumbung.store.frontier import FrontierUrl
from lumbung.store.hosts import Lane, Room

ROOMS = dict.fromkeys(Lane, Room(8))


def url(host: str, name: str, priority: float) -> FrontierUrl:
    return FrontierUrl(f"http://{host}/{name}", host, host, priority, 1, (priority,))


async def standing_of(made) -> dict[str, tuple[float, list[float]]]:
    rows = await made.rows("select url, state, priority, features from frontier")
    return {str(row["url"]).rpartition("/")[2]: (row["priority"], row["features"]) for row in rows}


async def test_what_waits_rises_by_what_further_pages_say_and_never_falls(bench):
    async with bench(TinyWeb()) as made:
        rows = [url("a.example", "rendah", 1.0), url("a.example", "tinggi", 3.0), url("a.example", "lewat", 1.0)]
        async with made.database.transaction() as tx:
            await frontier.add_all(tx, rows)
            await frontier.refuse_urls(tx, [(await frontier.find(tx, rows[2].url))["id"]], "for the test")
            raised = [replace(each, priority=2.0, features=(2.0,)) for each in rows]
            await frontier.raise_urls(tx, [*raised, replace(raised[0], priority=4.0, features=(4.0,))])
            await frontier.raise_urls(tx, [])
        assert await standing_of(made) == {"rendah": (4.0, [4.0]), "tinggi": (3.0, [3.0]), "lewat": (1.0, [1.0])}
        assert await made.rows("select best from host") == [{"best": 4.0}]


async def test_one_batch_sends_each_address_once_as_the_find_of_its_first_page(bench):
    async with bench(TinyWeb()) as made:
        found = replace(url("a.example", "x", 1.0), parent=7)
        async with made.database.transaction() as tx:
            offspring = await frontier.add_all(tx, [found, replace(found, priority=2.0, features=(2.0,), parent=8)])
        assert offspring == {7: 1}
        assert await standing_of(made) == {"x": (2.0, [2.0])}


async def test_of_two_hosts_the_one_that_gave_more_is_asked_first(bench):
    async with bench(TinyWeb()) as made:
        async with made.database.transaction() as tx:
            await frontier.add_all(tx, [url("a.example", "x", 1.4), url("z.example", "x", 1.0)])
            seen = (await frontier.find(tx, "http://z.example/x"))["id"]
            assert await hosts_in_turn(tx) == ["a.example"]
        async with made.database.transaction() as tx:
            await tx.run("update host set leased_by = null, waiting = 1")
            await tx.run("update frontier set state = 'waiting', lease = null")
            await learning.keep_yields(tx, [(seen, "z.example", 0.9)], 2.0)
            assert await hosts_in_turn(tx) == ["z.example"]
            assert (await tx.row("select standing from host where name = 'z.example'"))["standing"] == 2.0 * 0.9 / 3
            await learning.settle(tx, 0.0)
            assert (await tx.row("select max(standing) as most from host"))["most"] == 0.0


async def hosts_in_turn(tx) -> list[str]:
    leases = await frontier.lease(tx, uuid4(), ROOMS, 0.0, 20.0, hosts_at_most=1)
    return [lease.host for lease in leases]

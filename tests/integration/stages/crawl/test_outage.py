"""Our own line is down: no URL is lost by it, and what waits goes on when somebody answers again."""

from __future__ import annotations

from tests.integration.stages.crawl.tiny_web import TinyWeb, page

from lumbung.providers.fetch.limits import Reason, Verdict
from lumbung.providers.fetch.result import FetchResult
from lumbung.stages.crawl.uplink import HOSTS_IN_A_ROW

HOSTS = [f"h{number}.example" for number in range(HOSTS_IN_A_ROW + 3)]


def cut(visitor, reason):
    """Nobody is reached: what the fetcher says when the name server, or the network, does not answer."""

    async def fetch(url):
        return FetchResult(url, Verdict.UNRESOLVED, reason)

    visitor._fetcher = type("Cut", (), {"fetch": staticmethod(fetch)})()
    return visitor


async def states(made):
    ends = await made.ends()
    return {ends[f"http://{host}/"][0] for host in HOSTS}


async def test_an_outage_costs_no_url_and_the_next_answer_ends_it(bench):
    web = TinyWeb()
    for host in HOSTS:
        web.add(f"http://{host}/", page(f"Tari {host}"))
    async with bench(web) as made:
        await made.seed(*(f"http://{host}/" for host in HOSTS))
        visitor = cut(made.visitor(), Reason.NAME_TIMEOUT)
        for _ in range(2):
            await made.crawl(visitor=visitor)
            assert await made.rows("update host set cooldown_until = null where note = 'nobody answers' returning name")
        assert await states(made) == {"waiting"}
        await made.crawl()
        assert await states(made) == {"fetched"}


async def test_a_name_that_is_not_there_ends_its_url_however_many_there_are(bench):
    async with bench(TinyWeb()) as made:
        await made.seed(*(f"http://{host}/" for host in HOSTS))
        await made.crawl(visitor=cut(made.visitor(), Reason.NO_SUCH_NAME))
        assert await states(made) == {"failed"}

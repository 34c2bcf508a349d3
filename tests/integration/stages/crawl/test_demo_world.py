"""The hosts of the demo world end as they should: refused, blocked, trapped, led through, each for its reason."""

from __future__ import annotations

from tests.integration.stages.crawl.tiny_web import TinyWeb

from lumbung.demo.curation import tranches
from lumbung.demo.server import DemoWorld
from lumbung.providers.fetch.addresses import AddressGuard, parse_network
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import FetchLimits
from lumbung.providers.fetch.resolver import Endpoint

REFUSED = {
    "http://tertutup.example/catatan": "robots.txt: Disallow",
    "http://cadangan-tdm.example/": "opt-out: tdmrep.json",
    "http://tanpa-ai.example/tari-gandrung": "opt-out: noai",
    "http://tanpa-ai.example/catatan-pribadi": "opt-out: noarchive",
    "http://jahat.example/atribut": "unreadable: too-many-attributes",
    "http://jahat.example/bersarang": "unreadable: too-deep",
}
FAILED = {
    "http://jahat.example/bom-gzip": "decompression-bomb",
    "http://jahat.example/lingkaran": "redirects to itself",
    "http://jahat.example/tajuk-raksasa": "headers-too-long",
}


async def test_every_host_of_the_demo_world_ends_for_its_own_reason(bench):
    world = DemoWorld()
    await world.start()
    try:
        async with bench(TinyWeb()) as made:
            visitor = made.visitor()
            await made.fetcher.close()
            made.fetcher = visitor._fetcher = Fetcher(
                "LumbungBot/0.1",
                AddressGuard([parse_network("127.0.0.1")]),
                FetchLimits(redirects=0, grace_seconds=1.0, stall_seconds=2.0),
                {(host, 80): Endpoint("127.0.0.1", world.port) for host in world.sites},
                ask_public=False,
            )
            hosts = [f"http://{host}/" for host in world.sites]
            await made.seed(*(seed.url for seeds in tranches().values() for seed in seeds), *hosts)
            await made.crawl(within=60, visitor=visitor)
            ends = await made.ends()
            kinds = await made.rows(
                "select url, kind, body is null as bodiless from document where kind = 'encyclopaedia'"
            )
            resting = {
                row["name"]: row["note"]
                for row in await made.rows("select name, note from host where cooldown_until is not null")
            }
    finally:
        await world.stop()
    for url, reason in REFUSED.items():
        assert ends[url][0] == "refused", url
        assert ends[url][1].startswith(reason), url
    for url, reason in FAILED.items():
        assert ends[url] == ("failed", reason), url
    assert resting["robots-rusak.example"] == "robots.txt could not be read: nothing may be asked"
    assert resting["blokir.example"].startswith("blocked: ")
    assert not any("/agenda/" in url for url in ends)
    assert ends["http://pindah.example/rumah/joglo"] == ("fetched", "redirect")
    assert all(row["bodiless"] for row in kinds)
    assert "http://ensiklopedia.example/wiki/Angklung" in {row["url"] for row in kinds}
    asked = {(record.host, record.path) for record in world.requests}
    assert ("tertutup.example", "/catatan") not in asked
    assert ("robots-rusak.example", "/") not in asked

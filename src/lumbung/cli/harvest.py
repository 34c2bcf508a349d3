"""`lumbung harvest`"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

import typer

from lumbung.cli.csv_input import read_table, read_text
from lumbung.cli.identity import acting
from lumbung.cli.lines import write_record
from lumbung.cli.session import require_broker, run, settings_now, system, talk
from lumbung.errors import TransientError, UsageError
from lumbung.runtime.ending import end_if_cancelled

if TYPE_CHECKING:
    from lumbung.bootstrap import LocalNames, System
    from lumbung.funnel import Running
    from lumbung.governance.reports.funnel import FunnelReport

POLL_SECONDS = 0.25
TALK_EVERY = 8


def command(
    seed: Annotated[list[str] | None, typer.Option("--seed", help="A URL to start from; repeatable.")] = None,
    tranche: Annotated[list[Path] | None, typer.Option(help="A CSV of seeds: url,category,region,cost,note.")] = None,
    until_dry: Annotated[bool, typer.Option("--until-dry", help="Return when nothing is left to do.")] = False,
    pages: Annotated[int | None, typer.Option(min=1, help="Fetch at most this many pages.")] = None,
    hosts: Annotated[Path | None, typer.Option(help="Local name resolution: lines `host address:port`.")] = None,
    delay: Annotated[
        float | None, typer.Option(min=0, help="Seconds between requests, for the hosts of --hosts and this run only.")
    ] = None,
    warc: Annotated[list[Path] | None, typer.Option(help="WARC files as the source, without any fetch.")] = None,
    demo_governance: Annotated[
        bool, typer.Option("--demo-governance", help="Every category to full, by demo people.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="The summary as one JSON object.")] = False,
) -> None:
    """Crawl from seeds and carry what is found through all five stages; Ctrl-C leaves everything resumable.

    Example: lumbung harvest --seed https://museum.example/koleksi --until-dry
    """
    from lumbung.bootstrap import LocalNames

    if delay is not None and hosts is None:
        raise UsageError("--delay needs --hosts: only hosts that you resolve locally may be asked faster.")
    names = LocalNames(read_hosts(hosts) if hosts else {})
    urls = [*(seed or []), *(url for file in tranche or [] for url in read_tranche(file))]
    summary, new_dead = run(harvest(urls, names, delay, pages, until_dry, warc or [], demo_governance))
    report(summary, json)
    if new_dead:
        talk(f"{new_dead} new dead letters; `lumbung dead-letters list` shows them.")
        raise typer.Exit(1)


def read_hosts(file: Path) -> dict[str, tuple[str, int]]:
    names: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(read_text(str(file)).splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        pieces = line.split()
        place = read_place(pieces[-1]) if len(pieces) == 2 else None
        if place is None:
            raise UsageError(f"{file}, line {number}: write `host address:port`, with an IP address.")
        names[pieces[0].lower()] = place
    return names


def read_place(text: str) -> tuple[str, int] | None:
    address, _, port = text.rpartition(":")
    try:
        place = str(ip_address(address.strip("[]"))), int(port)
    except ValueError:
        return None
    return place if 0 < place[1] < 65_536 else None


def read_tranche(file: Path) -> list[str]:
    return [url for url in read_table(str(file)).column("url") if url]


async def harvest(
    urls: list[str],
    names: LocalNames,
    delay: float | None,
    pages: int | None,
    until_dry: bool,
    warcs: list[Path],
    with_demo_governance: bool,
) -> tuple[FunnelReport, int]:
    from lumbung.funnel import Running, running_funnel, take_in_archives
    from lumbung.governance.actions.demo_governance import demo_governance
    from lumbung.governance.actions.inject_seeds import inject_seeds
    from lumbung.governance.reports.funnel import dead_letters, funnel_report
    from lumbung.outside import require_usable
    from lumbung.runtime.presence import WorkPresence
    from lumbung.store.hosts import RunDelay

    require_usable(settings_now())
    async with system(names) as opened:
        await require_broker(opened)
        presence = WorkPresence(opened.settings.data_dir)
        if not presence.take() and pages is not None:
            raise UsageError(
                f"--pages bounds this run alone, and process {presence.holder()} does the work on this data folder; "
                "stop it with `lumbung down` first."
            )
        async with opened.people.transaction() as tx:
            before = await dead_letters(tx)
            if with_demo_governance:
                await demo_governance(
                    tx, await acting(tx, opened.settings), opened.profile, opened.settings.library.mapping is None
                )
            if urls:
                seeds = await inject_seeds(
                    tx, await acting(tx, opened.settings), urls, "command line", "named on the command line"
                )
                talk(f"{seeds.added} seeds added, {seeds.known} known already, {len(seeds.refused)} refused.")
                for url, reason in seeds.refused.items():
                    talk(f"  {url}: {reason}")
        if warcs:
            kept, refused = await take_in_archives(opened, warcs)
            talk(f"{kept} archived pages taken in, {refused} refused.")
        if not presence.is_ours:
            talk(f"Process {presence.holder()} does the work here, by its own names and delays; this command waits.")
            await wait(opened, Running(), until_dry, over=presence.take)
        if presence.is_ours:
            async with running_funnel(opened, f"harvest:{uuid4()}") as running:
                if running.crawler:
                    running.crawler.limits.pages = pages
                    if delay is not None:
                        running.crawler.limits.pace = RunDelay(tuple(names.hosts), delay)
                await wait(opened, running, until_dry or pages is not None)
            presence.leave()
        async with opened.people.transaction() as tx:
            return await funnel_report(tx), await dead_letters(tx) - before


async def wait(opened: System, running: Running, until_dry: bool, over: Callable[[], bool] = lambda: False) -> None:
    """Until nothing is leased, leasable, ready, running or in backoff, nothing unsent and nothing unarchived."""
    from lumbung.governance.reports.funnel import funnel_report, is_dry

    turn = 0
    while not over():
        end_if_cancelled()
        running.check()
        with suppress(TransientError):  # an engine is being restarted: the work goes on when it is back
            async with opened.people.transaction() as tx:
                if until_dry and await is_dry(tx, ignore_frontier=page_limit_reached(running)):
                    return
                if turn % TALK_EVERY == 0:
                    talk((await funnel_report(tx)).line())
        turn += 1
        await asyncio.sleep(POLL_SECONDS)


def page_limit_reached(running: Running) -> bool:
    crawler = running.crawler
    return crawler is not None and crawler.limits.pages is not None and crawler.pages >= crawler.limits.pages


def report(summary: FunnelReport, as_json: bool) -> None:
    if as_json:
        write_record(summary.as_json())
    else:
        typer.echo(summary.table())

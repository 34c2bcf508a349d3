"""`lumbung demo`"""

from __future__ import annotations

import asyncio
import shutil
import time
from typing import Annotated

import typer

from lumbung.bootstrap import Running, System, open_system, running_funnel
from lumbung.cli.session import run, settings_now, talk
from lumbung.demo.script import inject, local_names, prepare, tranches
from lumbung.demo.server import DemoWorld
from lumbung.governance.reports.funnel import FunnelReport, funnel_report, is_dry
from lumbung.web.server import web_server

FOLDER = "demo"


def command(
    once: Annotated[bool, typer.Option("--once", help="End by itself, with a summary.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin with an empty demo folder.")] = False,
) -> None:
    """Harvest a miniature web end to end on embedded engines, in a data folder of its own.

    Example: lumbung demo --once
    """
    run(show(once, fresh))


async def show(once: bool, fresh: bool) -> None:
    started = time.monotonic()
    settings = settings_now()
    settings = settings.model_copy(update={"data_dir": settings.data_dir / FOLDER})
    if fresh and settings.data_dir.exists():
        shutil.rmtree(settings.data_dir)
    world = DemoWorld()
    await world.start()
    talk(f"A miniature web of {len(world.sites)} hosts is served on loopback.")
    try:
        async with open_system(settings, talk, local_names(world)) as system:
            talk(f"Engines are up after {time.monotonic() - started:.1f} s.")
            report = await harvest(system, world)
            typer.echo(report.table())
            talk(f"Harvested in {time.monotonic() - started:.1f} s.")
            if not once:
                async with web_server(system) as address:
                    talk(f"The library is open at {address} ; Ctrl-C ends the demo.")
                    await asyncio.Event().wait()
    finally:
        await world.stop()


async def harvest(system: System, world: DemoWorld) -> FunnelReport:
    await prepare(system, world, talk)
    async with running_funnel(system, "demo") as running:
        for name, urls in tranches().items():
            await inject(system, name, urls, talk)
            await until_dry(system, running)
            talk("The frontier has run dry.")
    async with system.people.transaction() as tx:
        return await funnel_report(tx)


async def until_dry(system: System, running: Running) -> None:
    turn = 0
    while True:
        running.check()
        async with system.people.transaction() as tx:
            if await is_dry(tx):
                return
            if turn % 8 == 0:
                talk((await funnel_report(tx)).line())
        turn += 1
        await asyncio.sleep(0.25)

"""`lumbung demo`"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.session import run, settings_now, talk
from lumbung.errors import TransientError

if TYPE_CHECKING:
    from lumbung.bootstrap import System
    from lumbung.config import Settings
    from lumbung.demo.progress import Filling
    from lumbung.demo.server import DemoWorld
    from lumbung.governance.reports.funnel import FunnelReport
    from lumbung.runtime.presence import WorkPresence

FOLDER = "demo"
MODEL = "recorded-answers"
PROGRESS_SECONDS = 2.0
LOOK_SECONDS = 1.0
TO_TRY = (
    "Search for Wajang Koelit: old spelling and Javanese script find Wayang Kulit.",
    "Open Tari Jaipong: two sources disagree about the year, and both stand there with their quotes.",
    "Open Angklung: the human text is untouched, and what a machine adds is a supplement beside it.",
    "Sign in as demo-guardian: sacred matters with one source, or with copies of one, wait for a person. Approve one.",
    "Open /robot and opt a site out: it is never asked again, from that moment on.",
)


def command(
    once: Annotated[bool, typer.Option("--once", help="End by itself, with a summary.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin with an empty demo folder.")] = False,
    with_model: Annotated[
        bool, typer.Option("--with-model", help="Then read what waited for a model, with recorded answers.")
    ] = False,
) -> None:
    """Harvest a miniature web end to end on embedded engines, in a data folder of its own.

    A second start opens the library that is already there; --fresh harvests it anew. Without a model, pages in other
    languages wait for one; --with-model plays recorded answers through the model protocol and tells the difference.

    Example: lumbung demo --once
    """
    run(show(once, fresh, with_model))


async def show(once: bool, fresh: bool, with_model: bool) -> None:
    from lumbung.bootstrap import open_system
    from lumbung.demo.progress import outcome
    from lumbung.demo.script import local_names
    from lumbung.demo.server import DemoWorld
    from lumbung.runtime.presence import WorkPresence
    from lumbung.web.sockets import listening_socket

    settings = settings_now()
    settings = settings.model_copy(update={"data_dir": settings.data_dir / FOLDER})
    presence = WorkPresence(settings.data_dir)
    if not presence.take() and fresh:
        raise TransientError(f"A demo runs in this folder, process {presence.holder()}: end it first, then --fresh.")
    if not once:
        listening_socket(settings.web.host, settings.web.port).close()  # told before anything is started
    if fresh:
        empty(settings.data_dir)
    started = time.monotonic()
    world = DemoWorld()
    await world.start()
    talk(f"A miniature web of {len(world.sites)} hosts is served on loopback.")
    try:
        async with open_system(settings, talk, local_names(world)) as system, open_doors(system, once) as address:
            talk(f"The engines are up ({time.monotonic() - started:.1f} s).")
            report = await filled_library(system, world, presence)
            typer.echo(report.table())
            for sentence in outcome(report):
                talk(sentence)
            talk(f"Ready after {time.monotonic() - started:.1f} s.")
            if once:
                talk("Without --once it stays open for your browser, with people of every role and five things to try.")
            if not once and not with_model:
                await receive(system, presence, address)
        if with_model:
            await read_with_model(settings, world, report, presence, once)
    finally:
        await world.stop()


async def read_with_model(
    settings: Settings, world: DemoWorld, before: FunnelReport, presence: WorkPresence, once: bool
) -> None:
    """The same library with a model configured: what was parked for want of one is read again."""
    from lumbung.bootstrap import open_system
    from lumbung.demo.progress import spent_micros
    from lumbung.demo.protocol_server import ProtocolServer
    from lumbung.demo.recorded import recall
    from lumbung.demo.script import local_names, until_dry
    from lumbung.funnel import running_funnel
    from lumbung.governance.reports.funnel import funnel_report

    async with ProtocolServer(mind=recall) as server:
        told = {"base_url": f"http://127.0.0.1:{server.port}/v1", "model": MODEL, "extracts": False}
        prices = {"input_micros_per_million": 150_000, "output_micros_per_million": 600_000}
        settings = settings.model_copy(update={"llm": settings.llm.model_copy(update=told | prices)})
        async with open_system(settings, talk, local_names(world)) as system, open_doors(system, once) as address:
            with timed("What waited for a model is read"):
                async with running_funnel(system, "demo") as running:
                    await until_dry(system, running, Progress())
            async with system.people.transaction() as tx:
                after, spent = await funnel_report(tx), await spent_micros(tx)
            for sentence in difference(before, after):
                typer.echo(sentence)
            talk(f"{server.requests} questions were answered from the recording and booked with {spent} micro-units.")
            if not once:
                await receive(system, presence, address)


def difference(before: FunnelReport, after: FunnelReport) -> list[str]:
    """What changed, a line a figure, as `candidates parked 13 -> 2`."""
    lines = []
    for part in ("candidates", "entries"):
        old, new = getattr(before, part), getattr(after, part)
        lines += [
            f"{part} {name} {old.get(name, 0)} -> {new.get(name, 0)}"
            for name in sorted({*old, *new})
            if old.get(name, 0) != new.get(name, 0)
        ]
    return lines or ["Nothing was left that a model could read."]


def empty(folder: Path) -> None:
    """All but the lock that says who works here; engines that a killed demo left behind are ended first."""
    from lumbung.runtime.engines import stop_engines
    from lumbung.runtime.presence import LOCK_NAME

    stop_engines(folder)
    for each in folder.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        elif each.name != LOCK_NAME:
            each.unlink()


async def filled_library(system: System, world: DemoWorld, presence: WorkPresence) -> FunnelReport:
    from lumbung.demo.script import is_harvested, prepare, round_off
    from lumbung.governance.reports.funnel import funnel_report

    if await is_harvested(system):
        talk("The library of an earlier demo is here; --fresh harvests it anew.")
    elif not presence.is_ours:
        raise TransientError(f"Another demo, process {presence.holder()}, still harvests; wait until it is ready.")
    else:
        with timed("The people's part is done"):
            await prepare(system, world, talk)
        await harvest(system)
        await round_off(system)
    async with system.people.transaction() as tx:
        return await funnel_report(tx)


async def harvest(system: System) -> None:
    from lumbung.demo.curation import reap, sow
    from lumbung.demo.script import until_dry
    from lumbung.funnel import running_funnel

    progress = Progress()
    async with running_funnel(system, "demo") as running:
        while (tranche := await sow(system, talk)) is not None:
            with timed(f"The frontier of {tranche} has run dry"):
                await until_dry(system, running, progress)
            await reap(system, tranche, talk)


class Progress:
    """A line every now and then, and only when something moved."""

    def __init__(self) -> None:
        self.told = ""
        self.at = 0.0

    def __call__(self, filling: Filling) -> None:
        line = filling.line()
        if line != self.told and time.monotonic() - self.at >= PROGRESS_SECONDS:
            talk("  " + line)
            self.told, self.at = line, time.monotonic()


@contextmanager
def timed(sentence: str) -> Iterator[None]:
    started = time.monotonic()
    yield
    talk(f"{sentence} ({time.monotonic() - started:.1f} s).")


@asynccontextmanager
async def open_doors(system: System, once: bool) -> AsyncIterator[str]:
    """The web server, from the start, so that the library can be watched as it fills; none for who only wants the end."""
    from lumbung.web.server import web_server

    if once:
        yield ""
        return
    async with web_server(system) as address:
        talk(f"\nThe library is open at {address}\n")
        yield address


async def receive(system: System, presence: WorkPresence, address: str) -> None:
    """Who may sign in, and what to look at; then visitors are served until it is interrupted."""
    from lumbung.demo.people import give_passwords

    async with system.people.transaction() as tx:
        passwords = await give_passwords(tx)
    talk("\nPeople who can sign in, with passwords for this start alone:")
    for login, password in passwords.items():
        talk(f"  {login:<{max(map(len, passwords))}} {password}")
    talk(f"\nFive things to try at {address}")
    for number, sentence in enumerate(TO_TRY, 1):
        talk(f"  {number}. {sentence}")
    talk("\nCtrl-C ends the demo.")
    await keep_working(system, presence)


async def keep_working(system: System, presence: WorkPresence) -> None:
    """What visitors approve, retract or inject is carried out, by this process or by the demo that works here already."""
    from lumbung.funnel import Running, running_funnel

    async with running_funnel(system, "demo") if presence.is_ours else nullcontext(Running()) as running:
        while True:
            running.check()
            await asyncio.sleep(LOOK_SECONDS)

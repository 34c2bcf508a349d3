"""A part of the funnel as a process of its own: what `lumbung up` starts. Not a command for people."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lumbung.cli.harvest import read_hosts
from lumbung.cli.session import run, system, talk
from lumbung.errors import LumbungError, SettingsError
from lumbung.model.job import STAGES

if TYPE_CHECKING:
    from lumbung.funnel import Parts


def parts_of(arguments: argparse.Namespace) -> Parts:
    from lumbung.funnel import Parts

    named = frozenset(arguments.stage or ())
    if arguments.relay:
        return Parts(frozenset(), crawl=False, relay=True, parsers=1)
    return Parts(named & frozenset(STAGES) if named else frozenset(STAGES), "crawl" in named or not named, relay=False)


async def serve(arguments: argparse.Namespace) -> None:
    from lumbung.bootstrap import LocalNames
    from lumbung.funnel import running_funnel
    from lumbung.runtime.processes import until_parent_is_gone
    from lumbung.telemetry import log

    names = LocalNames(read_hosts(arguments.hosts) if arguments.hosts else {})
    async with system(names) as opened, running_funnel(opened, arguments.run, parts_of(arguments)) as running:
        log.info("part.works", parts=arguments.stage or ("relay" if arguments.relay else "all"))
        gone = asyncio.create_task(until_parent_is_gone())
        await asyncio.wait({gone, *running.serving, *running.background}, return_when=asyncio.FIRST_COMPLETED)
        running.check()


async def serve_web() -> None:
    from lumbung.governance.actions.people import first_account_link
    from lumbung.runtime.processes import until_parent_is_gone
    from lumbung.web.server import web_server  # no worker needs the pages

    async with system() as opened, web_server(opened) as address:
        talk(f"The library is open at {address}")
        async with opened.people.transaction() as tx:
            link = await first_account_link(tx)
        if link:
            talk(f"Nobody has an account yet; the first one is made, once, at {address}mulai/{link}")
        await until_parent_is_gone()


def main() -> None:
    parser = argparse.ArgumentParser(prog="lumbung.cli.part")
    parser.add_argument("--run", required=True)
    parser.add_argument("--stage", action="append")
    parser.add_argument("--relay", action="store_true")
    parser.add_argument("--web", action="store_true")
    parser.add_argument("--hosts", type=Path)
    arguments = parser.parse_args()
    try:
        run(serve_web() if arguments.web else serve(arguments))
    except LumbungError as error:
        from lumbung.runtime.processes import WRONG_SETTINGS

        print(f"lumbung: {error}", file=sys.stderr)
        sys.exit(WRONG_SETTINGS if isinstance(error, SettingsError) else 1)


if __name__ == "__main__":
    main()

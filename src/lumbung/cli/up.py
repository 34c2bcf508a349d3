"""`lumbung up`"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from lumbung.cli.harvest import read_hosts
from lumbung.cli.session import require_broker, run, settings_now, system, talk
from lumbung.errors import SettingsError, UsageError
from lumbung.model.job import STAGES


def command(
    processes: Annotated[int, typer.Option(min=1, max=64, help="Worker processes.")] = 1,
    stage: Annotated[
        list[str] | None, typer.Option(help="Serve only this stage; repeatable. Relay and web stay elsewhere.")
    ] = None,
    hosts: Annotated[Path | None, typer.Option(help="Local name resolution: lines `host address:port`.")] = None,
) -> None:
    """Run engines, workers, relay, reconciler, archiver and the web server until stopped; Ctrl-C stops cleanly.

    Example: lumbung up --processes 2
    """
    unknown = sorted(set(stage or []) - {"crawl", *STAGES})
    if unknown:
        raise UsageError(f"There is no stage {unknown[0]}; there are crawl, {', '.join(STAGES)}.")
    if hosts is not None:
        read_hosts(hosts)
    run(serve(processes, stage or [], hosts))


async def serve(processes: int, stages: list[str], hosts: Path | None) -> None:
    from lumbung.outside import require_usable
    from lumbung.runtime.presence import WorkPresence
    from lumbung.runtime.processes import ChildProcess, keep_all
    from lumbung.web.sockets import listening_socket

    settings = settings_now()
    require_usable(settings)
    if not stages and not settings.serves_people():
        raise SettingsError(
            "The web server needs people's login: set LUMBUNG_DATABASE_URL, or name with --stage what this machine serves."
        )
    presence = WorkPresence(settings.data_dir)
    if not stages and not presence.take():
        raise UsageError(
            f"Lumbung already runs on this data folder (process {presence.holder()}); `lumbung down` stops it."
        )
    try:
        if not stages:
            listening_socket(settings.web.host, settings.web.port).close()  # told before anything is started
        async with system() as opened:
            await require_broker(opened)
            name = f"day:{datetime.now(UTC).date()}"
            named = [argument for each in stages for argument in ("--stage", each)]
            named += ["--hosts", str(hosts)] if hosts else []
            children = [ChildProcess(f"worker {number}", ["--run", name, *named]) for number in range(1, processes + 1)]
            if not stages:
                children.append(ChildProcess("relay", ["--run", name, "--relay"]))
                children.append(ChildProcess("web", ["--run", name, "--web"]))
            number = "one process" if len(children) == 1 else f"{len(children)} processes"
            talk(f"Lumbung runs with {number}; Ctrl-C or `lumbung down` stops it.")
            await keep_all(children)
    finally:
        presence.leave()

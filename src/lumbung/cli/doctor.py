"""`lumbung doctor`"""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.lines import write_record
from lumbung.cli.session import require_broker, run, settings_now, system
from lumbung.errors import LumbungError, SettingsError

if TYPE_CHECKING:
    from lumbung.bootstrap import System
    from lumbung.config import Settings

LEAST_FREE_SHARE = 0.05
Finding = tuple[str, bool, str]
WITHOUT = {
    "model": "none; the lexical engine works alone, and what needs a model is parked",
    "ocr": "none; PDFs without text wait until ocr.program is set",
}


def command(json: Annotated[bool, typer.Option("--json", help="One JSON object a finding.")] = False) -> None:
    """Check the installation and say what to do; exit 1 if something is wrong.

    Example: lumbung doctor
    """
    findings = run(examine())
    for name, fine, told in findings:
        if json:
            write_record({"check": name, "ok": fine, "detail": told})
        else:
            typer.echo(f"{'ok   ' if fine else 'WRONG'}  {name}: {told}")
    if not all(fine for _, fine, _ in findings):
        raise typer.Exit(1)


async def examine() -> list[Finding]:
    settings = settings_now()
    findings = [python_version(), free_disk(settings), contact(settings), *outside(settings)]
    try:
        async with system() as opened:
            findings += [finding async for finding in engine_findings(opened)]
    except LumbungError as error:
        findings.append(("engines", False, str(error)))
    return findings


def python_version() -> Finding:
    return "python", sys.version_info >= (3, 11), sys.version.split()[0]


def free_disk(settings: Settings) -> Finding:
    folder = settings.data_dir
    while not folder.exists():
        folder = folder.parent
    usage = shutil.disk_usage(folder)
    share = usage.free / max(1, usage.total)
    return (
        "disk",
        share >= LEAST_FREE_SHARE,
        f"{share:.0%} free at {folder}; the crawl pauses under {LEAST_FREE_SHARE:.0%}",
    )


def contact(settings: Settings) -> Finding:
    told = settings.crawl.contact or "not set; set LUMBUNG_CONTACT before you ask public hosts"
    return "contact", True, told


def outside(settings: Settings) -> Iterator[Finding]:
    """Services that the settings name: what is there, or the fault of one that is named badly."""
    from lumbung.outside import CHECKS

    for name, check in CHECKS.items():
        try:
            told = check(settings) or WITHOUT.get(name)
        except SettingsError as error:
            yield name, False, str(error)
        else:
            if told:
                yield name, True, told


async def engine_findings(opened: System) -> AsyncIterator[Finding]:
    from lumbung.store import governed, health

    async with opened.machine.transaction() as tx:
        faults = await health.login_faults(tx)
        yield "machine login", not faults, "; ".join(faults) or "owns nothing and is bound by row security"
        yield "postgresql", True, await health.server_version(tx)
    await require_broker(opened)
    yield "nats", True, "answers, and its streams are there"
    yield await archive_finding(opened)
    async with opened.people.transaction() as tx:
        unlicensed = await health.unlicensed(tx)
        yield "licence", True, unlicensed_told(unlicensed) if unlicensed else "every entry of people's has one"
        broken = await governed.broken_links(tx)
        yield "log", not broken, f"line {broken[0]['seq']}: {broken[0]['fault']}" if broken else "its chain holds"


def unlicensed_told(entries: int) -> str:
    return f"{entries} entries of people's are shown without one; set library.licence and import them again"


async def archive_finding(opened: System) -> Finding:
    """A record that is not there is asked for: whoever answers that it is not there would give one that is."""
    where = opened.settings.archive_url or str(opened.settings.archive_folder)
    try:
        await opened.archive.holds("lumbung-doctor.warc.gz")
    except LumbungError as error:
        return "archive", False, str(error)
    return "archive", True, f"reachable at {where}"

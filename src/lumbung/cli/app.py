"""The `lumbung` program: a table of commands, each loaded only when it is called."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import signal
import sys
import traceback
from importlib.metadata import version
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from lumbung.cli import end_interrupted
from lumbung.errors import LumbungError, PermissionRefused, PolicyRefused, ProfileError, UsageError

COMMANDS: dict[str, str] = {
    "demo": "Show the whole funnel on a miniature web, then browse what came out.",
    "up": "Run engines, workers and the web server until stopped.",
    "down": "Stop what `lumbung up` started.",
    "harvest": "Crawl from seeds and carry what is found through all five stages.",
    "reextract": "Send archived pages through the current extractor, without a fetch.",
    "library": "Import the human corpus, and other work on the library.",
    "export": "Write entries as JSON Lines, CSV, JSON-LD or WARC.",
    "status": "What runs, what waits, what was spent.",
    "doctor": "Check the installation and say what to do.",
    "explain": "Why a page, an entry or a decision is as it is.",
    "dead-letters": "List failed jobs and send them again.",
    "pause": "Pause a stage.",
    "resume": "Resume a paused stage.",
    "tranche": "Seed tranches: list, choose, inject.",
    "frontier": "How long the frontier will last, what it learned, and single pages on request.",
    "suggest": "Ask a search service for seeds that a curator may take.",
    "mode": "Autonomy modes by category: show, request, sign.",
    "user": "People, roles and sign-in on the command line.",
    "migrate": "Bring the database schema up to date.",
    "backup": "Write a backup of the data folder.",
    "restore": "Bring a backup back into an empty data folder.",
    "verify": "Check the action log, the archive and the human corpus.",
    "settings": "Each setting, its value and where it came from.",
    "url": "Parse and normalise URLs as the frontier does.",
    "robots": "Answer what robots.txt allows (RFC 9309).",
    "fetch": "Fetch politely through the address guard, or check what it would allow.",
    "gate": "The cheap relevance gate of stage 1.",
    "language": "Language and script of a text.",
    "canonical": "Canonical form and key of a name in any script or spelling.",
    "region": "Places, peoples and cultural regions named in a text.",
    "licence": "What a licence text, link or page allows.",
    "extract": "Candidates with their quotes from HTML, text, PDF or WARC.",
    "match": "Find records about the same thing, in one file or between two.",
    "fuse": "Weigh claims of several sources, copies counted once.",
    "simulate": "The frontier as a branching process: how long it lasts, what re-seeding does.",
    "plan": "Cost of a run and entries a day under a budget, before it is spent.",
}


def module_of(name: str) -> str:
    return "lumbung.cli." + name.replace("-", "_")


class LazyCommands(TyperGroup):
    """Loads `lumbung.cli.<name>` on use: its `app` (a group) or its `command` (a function)."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(module_of(cmd_name))
        if hasattr(module, "app"):
            return typer.main.get_command(module.app)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(name=cmd_name)(module.command)
        return typer.main.get_command(single)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


app = typer.Typer(cls=LazyCommands, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


def tell_version(asked: bool) -> None:
    if asked:
        typer.echo(f"lumbung {version('lumbung')}")
        raise typer.Exit


@app.callback()
def program(
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=tell_version, is_eager=True)
    ] = False,
) -> None:
    """Lumbung harvests cultural knowledge from the open web into a library of culture.

    Example: lumbung demo --once
    """


def exit_code_of(error: LumbungError) -> int:
    if isinstance(error, (UsageError, ProfileError)):
        return 2
    if isinstance(error, (PolicyRefused, PermissionRefused)):
        return 3
    return 1


def main() -> None:
    """Exit 0 done, 1 failed, 2 wrong usage, 3 refused by policy, 130 interrupted."""
    signal.signal(signal.SIGINT, end_interrupted)
    _set_up_streams()
    try:
        _run()
    except LumbungError as error:
        _end(str(error), exit_code_of(error))
    except BrokenPipeError:
        _end("", 1)
    except OSError as error:
        _end(f"{error.filename or 'reading or writing'}: {error.strerror or error}.", 1)
    except Exception as error:  # noqa: BLE001 - the border: a person reads one sentence, who debugs the rest
        _end(f"unexpected {type(error).__name__}: {' '.join(str(error).split()) or 'no further words'}", 1)


def _run() -> None:
    try:
        app()
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def _end(sentence: str, code: int) -> NoReturn:
    if os.environ.get("LUMBUNG_LOG_LEVEL", "").lower() == "debug":
        traceback.print_exc()
    if sentence:
        print(f"lumbung: {sentence}", file=sys.stderr)
    with contextlib.suppress(OSError):
        # What could not be written is not tried again while the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)


def _set_up_streams() -> None:
    """UTF-8 in every locale. A closed standard input is an empty one, a closed output fails when it is written to;
    no other file is given their numbers.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(io.FileIO(0)), encoding="utf-8")
    sys.stdout = sys.stdout or io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w")), encoding="utf-8")
    for stream, errors in ((sys.stdout, "strict"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)

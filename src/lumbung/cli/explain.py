"""`lumbung explain`"""

from __future__ import annotations

import json as json_module
from typing import Annotated, Any

import typer

from lumbung.cli.session import run, system
from lumbung.errors import UsageError


def command(
    subject: Annotated[
        str, typer.Argument(help="A URL, the identity or title of an entry, or the number of a decision.")
    ],
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Why a page, an entry or a decision is as it is: evidence, inputs, versions, who signed what.

    Example: lumbung explain https://museum.example/tari-piring
    """
    found = run(read(subject))
    if not found:
        raise UsageError(f"Nothing is known of {subject}.")
    if json:
        typer.echo(json_module.dumps(found, ensure_ascii=False, default=str))
    else:
        for line in told(found):
            typer.echo(line)


async def read(subject: str) -> dict[str, Any]:
    from lumbung.governance.reports.explanation import explain

    async with system() as opened, opened.people.transaction() as tx:
        return await explain(tx, subject)


def told(value: Any, indent: int = 0) -> list[str]:
    """Nested values as indented lines, for people."""
    space = "  " * indent
    if isinstance(value, dict):
        lines = []
        for name, part in value.items():
            inner = told(part, indent + 1)
            lines += [f"{space}{name}: {inner[0].strip()}"] if len(inner) == 1 else [f"{space}{name}:", *inner]
        return lines or [f"{space}none"]
    if isinstance(value, list):
        return [line for part in value for line in told(part, indent)] or [f"{space}none"]
    return [f"{space}{value}"]

"""`lumbung reextract`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.identity import acting
from lumbung.cli.lines import write_record
from lumbung.cli.session import run, system

if TYPE_CHECKING:
    from lumbung.governance.actions.reextract import Selection


def command(
    where: Annotated[
        list[str],
        typer.Option(help="field=value, repeatable: host, url (beginning), category, language, parked, kind; or all."),
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many pages it would be.")] = False,
    reason: Annotated[str, typer.Option(help="Why; it stands in the log.")] = "a newer extractor",
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Send archived pages through the current extractor, without a fetch; the running workers do it.

    Example: lumbung reextract --where language=nld --dry-run
    """
    from lumbung.governance.actions.reextract import Selection

    selection = Selection.parse(where)
    pages = run(queue(selection, dry_run, reason))
    if json:
        write_record({"pages": pages, "queued": 0 if dry_run else pages})
    else:
        typer.echo(f"{pages} pages {'would be' if dry_run else 'are'} read again.")


async def queue(selection: Selection, dry_run: bool, reason: str) -> int:
    from lumbung.governance.actions.reextract import reextract

    async with system() as opened, opened.people.transaction() as tx:
        return await reextract(
            tx, await acting(tx, opened.settings), selection, opened.extractor_version, dry_run, reason
        )

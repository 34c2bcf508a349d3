"""`lumbung suggest`"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.acts import act
from lumbung.cli.lines import write_record
from lumbung.cli.session import run, system, talk
from lumbung.errors import CapabilityMissing

if TYPE_CHECKING:
    from lumbung.governance.actions.tranches import AddedTranche
    from lumbung.ports.search import Found

MOST_FOUND = 100


def command(
    query: Annotated[
        list[str] | None, typer.Argument(help="Words to search for; else the category and the region.")
    ] = None,
    category: Annotated[str, typer.Option(help="Category the seeds would be for.")] = "",
    region: Annotated[str, typer.Option(help="Code of the region they would be for.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=MOST_FOUND, help="At most so many.")] = 20,
    tranche: Annotated[
        str | None, typer.Option(help="Propose them as seeds of this tranche; a curator verifies and injects them.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a finding.")] = False,
) -> None:
    """Ask the search service of the settings for seeds; nothing is fetched, and nothing is injected.

    Example: lumbung suggest --category tarian --region ID-SB --tranche sumatra-barat-tari
    """
    found, report = run(propose(" ".join(query or ()), category, region, limit, tranche))
    for each in found:
        if json:
            write_record({"url": each.url, "title": each.title, "snippet": each.snippet})
        else:
            typer.echo(f"{each.url}\n    {each.title}")
    if report is not None:
        known = len(report.duplicates) + len(report.refused)
        talk(f"{report.seeds} proposed in tranche {report.name}, {known} left out; a curator verifies them.")


async def propose(
    words: str, category: str, region: str, limit: int, tranche: str | None
) -> tuple[Sequence[Found], AddedTranche | None]:
    from lumbung.governance.actions.tranches import add_tranche
    from lumbung.governance.suggestions import query_for, seeds_from

    async with system() as opened:
        search = opened.capabilities.search()
        if search is None:
            raise CapabilityMissing("No search service is configured; set LUMBUNG_SEARCH__URL.", "search")
        found = await search.find(words or query_for(opened.profile, category, region), limit)
        if tranche is None:
            return found, None
    seeds = seeds_from(found, category, region)
    async with act() as now:
        return found, await add_tranche(now.tx, now.actor, tranche, seeds, now.system.profile, "proposed by search")

"""`lumbung region`: places, peoples and cultural regions named in texts."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.lines import Record, answer_lines, required_text

if TYPE_CHECKING:
    from lumbung.text.region import Gazetteer


def command(
    source: Annotated[str, typer.Argument(metavar="FILE", help="JSON Lines with id and text; - reads standard input.")],
    profile: Annotated[str, typer.Option(help="Name of a shipped profile, or the folder of your own.")] = "pdbi",
) -> None:
    """Find the regions that each text names; what is ambiguous is settled by context or left open.

    Example: echo '{"id":1,"text":"Tari Saman dari Kabupaten Gayo Lues, Aceh"}' | lumbung region -
    """
    from lumbung.profiles.loader import load_profile
    from lumbung.text.region import Gazetteer

    gazetteer = Gazetteer(load_profile(profile))
    answer_lines(source, lambda record: _answer(gazetteer, record))


def _answer(gazetteer: Gazetteer, record: Record) -> Record:
    text = unicodedata.normalize("NFC", required_text(record, "text"))
    regions: dict[str, Record] = {}
    for found in gazetteer.find(text):
        shown = {"code": found.code, "province": found.province, "name": found.name, "level": found.level}
        regions.setdefault(found.code, shown | {"via": found.via})
    return {"id": record.get("id"), "regions": list(regions.values())}

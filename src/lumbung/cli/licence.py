"""`lumbung licence`: what a licence text, link or page allows."""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.lines import Record, answer_lines, required_text


def command(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON Lines with id and text, url or html; - reads standard input.")
    ],
) -> None:
    """Say which licence each text, address or page names, and whether the library may keep a copy.

    Example: echo '{"id":1,"url":"https://creativecommons.org/licenses/by-sa/4.0/deed.id"}' | lumbung licence -
    """
    answer_lines(source, _answer)


def _answer(record: Record) -> Record:
    from lumbung.text.licence import read_licence

    required_text(record, "text", "url", "html")
    given = {name: required_text(record, name) for name in ("text", "url", "html") if name in record}
    verdict = read_licence(**given)
    return {
        "id": record.get("id"),
        "licence": verdict.licence,
        "reusable": verdict.reusable,
        "attribution_required": verdict.attribution_required,
        "reason": verdict.reason,
    }

"""`lumbung language`: language and script of each line's text."""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.lines import Record, answer_lines, required_text


def command(
    path: Annotated[
        str, typer.Argument(metavar="FILE", help='JSON Lines {"id","text"}; - reads standard input.')
    ] = "-",
) -> None:
    """Name the language (ISO 639-3) and script (ISO 15924) of each text; `und` when it cannot be told.

    Example: echo '{"id": 1, "text": "Wayang iku pagelaran saka tanah Jawa"}' | lumbung language -
    """
    answer_lines(path, _answer)


def _answer(record: Record) -> Record:
    from lumbung.text.language import identify

    found = identify(required_text(record, "text"))
    return {
        "id": record.get("id"),
        "language": found.language,
        "script": found.script,
        "confidence": found.confidence,
    }

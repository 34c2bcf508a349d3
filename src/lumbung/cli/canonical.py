"""`lumbung canonical`: canonical form and key of each line's name."""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.lines import Record, answer_lines, required_text
from lumbung.errors import UsageError

_LONGEST_NAME = 100_000


def command(
    path: Annotated[
        str, typer.Argument(metavar="FILE", help='JSON Lines {"id","name"}; - reads standard input.')
    ] = "-",
) -> None:
    """Put each name into Latin letters and today's spelling, with a key that its other spellings share.

    Example: echo '{"id": 1, "name": "Wajang Koelit"}' | lumbung canonical -
    """
    answer_lines(path, _answer)


def _answer(record: Record) -> Record:
    from lumbung.text.names import canonical_name

    written = required_text(record, "name")
    if len(written) > _LONGEST_NAME:
        message = f"longer than {_LONGEST_NAME} characters: no name"
        raise UsageError(message)
    name = canonical_name(written)
    return {
        "id": record.get("id"),
        "latin": name.latin,
        "canonical": name.canonical,
        "key": name.key,
        "script": name.script,
    }

"""`lumbung robots`: what a robots.txt allows."""

from __future__ import annotations

import base64
import binascii
from functools import lru_cache
from typing import Annotated, Any

import typer

from lumbung.cli.lines import answer_lines, required_text
from lumbung.errors import UsageError
from lumbung.text.robots import MAX_BYTES, Robots

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Answer what robots.txt allows (RFC 9309).\n\nExample: lumbung robots check cases.jsonl",
)


@app.callback()
def group() -> None:
    """Answer what robots.txt allows (RFC 9309)."""


@app.command()
def check(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help='JSON Lines {"robots" or "robots_base64","agent","url"}; - for standard input.'
        ),
    ] = "-",
) -> None:
    r"""May this agent fetch this URL, by which rule, and how fast?

    Example: echo '{"robots":"User-agent: *\nDisallow: /x","agent":"Bot","url":"http://a.id/"}' | lumbung robots check -
    """
    answer_lines(source, _answer, echo=("url",))


def _answer(record: dict[str, Any]) -> dict[str, Any]:
    url = required_text(record, "url")
    verdict = _parsed(_robots_bytes(record)[: 2 * MAX_BYTES + 2]).check(required_text(record, "agent"), url)
    return {"url": url, "allowed": verdict.allowed, "rule": verdict.rule, "crawl_delay": verdict.crawl_delay}


@lru_cache(maxsize=16)
def _parsed(body: bytes) -> Robots:
    return Robots.parse(body)


def _robots_bytes(record: dict[str, Any]) -> bytes:
    if "robots_base64" not in record:
        return required_text(record, "robots", "robots_base64").encode()
    try:
        return base64.b64decode(required_text(record, "robots_base64"), validate=True)
    except (binascii.Error, ValueError) as error:
        message = '"robots_base64" is not valid base64'
        raise UsageError(message) from error

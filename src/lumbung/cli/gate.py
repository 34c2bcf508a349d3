"""`lumbung gate`: which pages are worth the stages that follow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.lines import MOST_LINE_BYTES, Record, answer_lines, is_readable, required_text, write_record
from lumbung.errors import InputRefused, LumbungError, UsageError

if TYPE_CHECKING:
    from lumbung.text.gate import Gate, GateVerdict

_LINES = frozenset({".jsonl", ".ndjson"})
_MARKUP = frozenset({".html", ".htm", ".xhtml"})
_TYPES = {".txt": "text/plain", ".md": "text/plain", ".pdf": "application/pdf"}


def command(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…", help="JSON Lines with id and text or html (- or .jsonl), or HTML, text and PDF files."
        ),
    ],
    profile: Annotated[str, typer.Option(help="Name of a shipped profile, or the folder of your own.")] = "pdbi",
) -> None:
    """Pass pages about items of the profile's culture; refuse shops, news of the day and everything else.

    Example: echo '{"id":1,"text":"Tari Piring adalah tarian tradisional Minangkabau."}' | lumbung gate -
    """
    from lumbung.profiles.loader import load_profile
    from lumbung.text.gate import Gate

    missing = next((name for name in sources if name != "-" and not is_readable(name)), None)
    if missing is not None:
        message = f"There is no file {missing}; name pages or JSON Lines, or - for standard input."
        raise UsageError(message)
    gate = Gate(load_profile(profile))
    for name in sources:
        if name == "-" or Path(name).suffix.lower() in _LINES:
            answer_lines(name, lambda record: _answer(gate, record))
        else:
            write_record(_answer_file(gate, name))


def _answer(gate: Gate, record: Record) -> Record:
    url = required_text(record, "url") if "url" in record else ""
    if "text" in record:
        return _shown(record.get("id"), gate.judge(required_text(record, "text"), None, url))
    html = required_text(record, "text", "html")
    text, surroundings = _texts_of(html, url)
    return _shown(record.get("id"), gate.judge(text, None, url, surroundings))


def _answer_file(gate: Gate, name: str) -> Record:
    from lumbung.text.markup import Unreadable, read_any, refused

    path = Path(name)
    try:
        with path.open("rb") as stream:
            body = stream.read(MOST_LINE_BYTES + 1)
        if len(body) > MOST_LINE_BYTES:
            raise refused(Unreadable.TOO_LARGE)
        if path.suffix.lower() in _MARKUP:
            text, surroundings = _texts_of(body, "")
        else:
            text, surroundings = read_any(body, "", _TYPES.get(path.suffix.lower(), "")).text, ""
    except OSError as error:
        return {"id": name, "error": f"cannot be read: {error.strerror or error}"}
    except LumbungError as error:
        return {"id": name, "error": str(error)}
    return _shown(name, gate.judge(text, None, "", surroundings))


def _texts_of(html: str | bytes, url: str) -> tuple[str, str]:
    """The main text and everything visible; of a page that no parser should touch, the words alone."""
    from lumbung.text.markup import read_page
    from lumbung.text.tag_soup import words_of

    everything = words_of(html if isinstance(html, str) else html.decode("utf-8", "replace"))
    try:
        return read_page(html, url).text or everything, everything
    except InputRefused:
        return everything, everything


def _shown(identity: object, verdict: GateVerdict) -> Record:
    filters = [{"name": one.name, "pass": one.passed, "score": one.score} for one in verdict.filters]
    return {"id": identity, "pass": verdict.passed, "score": verdict.score, "filters": filters}

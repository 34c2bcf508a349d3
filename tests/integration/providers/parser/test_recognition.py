"""Letters read from pictures by a program of its own: within limits, and gone with the child that asked it."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from tests.unit.text.markup.sheets import pdf_of, scanned

from lumbung.errors import InputRefused, SettingsError
from lumbung.providers.parser import pool
from lumbung.providers.parser.pool import ParserPool
from lumbung.providers.parser.recognition import Recognition, find_recognition

LINES = [
    (60.0, 780.0, 18.0, "Tari Gambyong"),
    (60.0, 740.0, 12.0, "Tari Gambyong adalah tarian yang berasal dari Surakarta, Jawa Tengah."),
    (60.0, 724.0, 12.0, "Tarian ini diiringi gamelan."),
]
SCAN = scanned(pdf_of([LINES]))
needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs the package tesseract-ocr-ind")


def program(folder: Path, reading: str) -> str:
    """A program that knows one language and does this when it is asked to read."""
    file = folder / "reader"
    file.write_text(
        "#!/bin/sh\ncase $1 in\n"
        '--version) echo "tesseract 9.9";;\n--list-langs) echo "List of available languages:"; echo ind; echo osd;;\n'
        f"*) {reading};;\nesac\n"
    )
    file.chmod(0o755)
    return str(file)


async def refusal_of(recognition: Recognition | None) -> str:
    async with ParserPool(1, recognition=recognition) as parsers:
        with pytest.raises(InputRefused) as refusal:
            await parsers.extract(SCAN, "https://a.example/x.pdf", "application/pdf")
    return refusal.value.reason


@needs_tesseract
async def test_a_scan_is_read_with_its_facts() -> None:
    async with ParserPool(1, recognition=find_recognition("tesseract", ["ind"], 5)) as parsers:
        page, [candidate] = await parsers.extract(SCAN, "https://a.example/x.pdf", "application/pdf")
    assert page.title == "Tari Gambyong"
    assert page.recognised_by.startswith("tesseract-")
    assert ("iringan", "gamelan") in {(fact.attribute, fact.value) for fact in candidate.facts}
    assert all(page.text[fact.start : fact.end] == fact.quote for fact in candidate.facts)


async def test_without_a_program_a_scan_is_refused_as_one() -> None:
    assert await refusal_of(None) == "no-text-layer"


async def test_a_program_that_fails_or_says_nothing_ends_in_a_reason(tmp_path: Path) -> None:
    for reading, reason in (("exit 1", "parser-crashed"), ("cat > /dev/null", "no-letters")):
        assert await refusal_of(find_recognition(program(tmp_path, reading), [], 5)) == reason


async def test_a_program_that_hangs_goes_with_its_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "SECONDS_A_PAGE", 1.0)
    started = tmp_path / "started"
    hanging = find_recognition(program(tmp_path, f"echo $$ > {started}; exec sleep 600"), [], 1)
    async with ParserPool(1, recognition=hanging, seconds=2) as parsers:
        with pytest.raises(InputRefused) as refusal:
            await parsers.extract(SCAN, "https://a.example/x.pdf", "application/pdf")
    assert refusal.value.reason == "time-limit"
    process = Path("/proc") / started.read_text().strip()
    async with asyncio.timeout(60):
        while process.exists() and "sleep" in (process / "cmdline").read_text():
            await asyncio.sleep(0.05)


def test_a_program_or_language_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="not installed; install tesseract-ocr"):
        find_recognition("no-such-program", [], 5)
    with pytest.raises(SettingsError, match="cannot read jav, nld .*it has ind"):
        find_recognition(program(tmp_path, "true"), ["ind", "nld", "jav"], 5)
    with pytest.raises(SettingsError, match="it is not Tesseract"):
        find_recognition("false", [], 5)
    found = find_recognition(program(tmp_path, "true"), [], 5)
    assert (found.version, found.languages) == ("tesseract-9.9", ("ind",))

"""Tesseract, a program of its own that reads letters from a picture; it runs inside the parser's killable child."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lumbung.errors import SettingsError
from lumbung.text.markup.refusal import Unreadable, refused

if TYPE_CHECKING:
    from lumbung.text.markup.scan import Sheet

SECONDS_A_PAGE = 120.0
_NO_LANGUAGE = frozenset({"osd", "equ"})
_DIE_WITH_PARENT = 1


@dataclass(frozen=True, slots=True)
class Recognition:
    program: str
    version: str
    languages: tuple[str, ...]
    most_pages: int

    def of(self, sheet: Sheet) -> bytes:
        """The words of a sheet as hOCR."""
        command = [self.program, "-", "-", "-l", "+".join(self.languages), "--dpi", str(sheet.dots_per_inch), "hocr"]
        # One thread: several sheets are read side by side by several children.
        surroundings = os.environ | {"OMP_THREAD_LIMIT": "1"}
        try:
            done = subprocess.run(
                command, input=sheet.picture, capture_output=True, check=True, env=surroundings,
                timeout=SECONDS_A_PAGE, preexec_fn=die_with_parent,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise refused(Unreadable.TIME_LIMIT) from None
        except (subprocess.CalledProcessError, OSError):
            raise refused(Unreadable.PARSER_CRASHED) from None
        return done.stdout


def die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)


def find_recognition(program: str | None, languages: Sequence[str], most_pages: int) -> Recognition | None:
    """The program that the settings of `ocr` name, with what it can read; None where they name none: then scans wait.

    SettingsError when it is not there or lacks a language.
    """
    if program is None:
        return None
    path = shutil.which(program)
    if path is None:
        raise SettingsError(f"ocr.program names {program}, which is not installed; install tesseract-ocr or unset it.")
    version = _told(path, "--version").partition("\n")[0].removeprefix("tesseract").strip() or "unknown"
    there = [line.strip() for line in _told(path, "--list-langs").splitlines()[1:]]
    known = tuple(sorted(each for each in there if each and each not in _NO_LANGUAGE))
    missing = sorted(set(languages) - set(known))
    if missing or not known:
        wanted = ", ".join(missing) or "any language"
        raise SettingsError(
            f"{program} cannot read {wanted} (ocr.languages); it has {', '.join(known) or 'none'}: install its data, "
            "such as tesseract-ocr-ind."
        )
    return Recognition(path, f"tesseract-{version}", tuple(languages) or known, most_pages)


def _told(path: str, question: str) -> str:
    try:
        done = subprocess.run([path, question], capture_output=True, check=True, timeout=30)
    except (subprocess.SubprocessError, OSError) as error:
        raise SettingsError(f"{path} (ocr.program) does not answer {question}: it is not Tesseract.") from error
    return (done.stdout or done.stderr).decode(errors="replace")

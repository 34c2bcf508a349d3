"""The remote library that the settings name."""

from __future__ import annotations

from pathlib import Path

from lumbung.providers.library.http import HttpLibrary
from lumbung.providers.library.mapping import load_mapping


def open_library(mapping: str, token: str | None, read_only: bool) -> HttpLibrary:
    return HttpLibrary(load_mapping(Path(mapping)), token, read_only)

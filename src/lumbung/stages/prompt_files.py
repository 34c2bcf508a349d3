"""Prompts are files, one a version: `prompts/<name>-<version>.md` beside the code that asks them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import resources
from string import Template


@cache
def _text(package: str, name: str, version: str) -> str:
    return resources.files(package).joinpath("prompts", f"{name}-{version}.md").read_text(encoding="utf-8")


def instructions(package: str, name: str, version: str, **values: str) -> str:
    """The prompt's text with its `$names` filled in."""
    return Template(_text(package, name, version)).substitute(values).strip()


def delimited(kind: str, text: str) -> str:
    """Data between marks that it cannot contain: they carry its own digest."""
    mark = f"{kind}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    return f"<{mark}>\n{text}\n</{mark}>"

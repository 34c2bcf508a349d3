"""Where the demo's facts come from: `SOURCES.md` is written from the pages and the bibliography by this module."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from lumbung.demo.pages import Site, load_world, world_folder

HEAD = """# Sources of the demo world

The sites of the demo world are invented; the traditions they describe are not. Every statement of fact is written in
our own words after the published works and registers below. Sacred matters are kept general. Pages that contradict
each other do so because the literature does: the year of Jaipong, the year of the Kedukan Bukit inscription, and
whether the attendants of Gending Sriwijaya are counted as dancers.

This file is written by `python -m lumbung.demo.sources`.
"""


@dataclass(frozen=True, slots=True)
class Bibliography:
    works: dict[str, str]
    corpus: dict[str, list[str]]


@cache
def read_bibliography() -> Bibliography:
    table = tomllib.loads(world_folder().joinpath("bibliography.toml").read_text(encoding="utf-8"))
    return Bibliography(works=table["works"], corpus=table["corpus"])


def sources_markdown(world: dict[str, Site], bibliography: Bibliography) -> str:
    """The text of `SOURCES.md`."""
    lines = [HEAD, "## Works and registers", "", "| key | work |", "|---|---|"]
    lines += [f"| {key} | {work} |" for key, work in sorted(bibliography.works.items())]
    lines += ["", "## Pages", "", "| page | title | sources |", "|---|---|---|"]
    for host in sorted(world):
        lines += [
            f"| {page.url} | {page.title} | {', '.join(page.sources)} |"
            for page in world[host].pages.values()
            if page.sources
        ]
    lines += ["", "## Human corpus", "", "| entry | sources |", "|---|---|"]
    lines += [f"| {title} | {', '.join(keys)} |" for title, keys in bibliography.corpus.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(sources_markdown(load_world(), read_bibliography()), end="")

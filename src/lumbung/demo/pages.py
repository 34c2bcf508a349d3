"""The miniature web as data: one TOML file a host under `world/hosts/`, read once into sites and pages."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lumbung.errors import ContractError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

WORLD = "world"
FACT_KINDS = frozenset({"item", "pdf"})
"""Page kinds that state facts of culture, and so must name their published sources."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A small picture drawn by code; `licence` is what the page says, "" when it says nothing."""

    path: str
    caption: str
    creator: str = ""
    licence: str = ""
    pattern: str = "kawung"


@dataclass(frozen=True, slots=True)
class Page:
    host: str
    path: str
    title: str
    body: str = ""
    kind: str = "item"
    layout: str = ""
    language: str = "id"
    facts: tuple[tuple[str, str], ...] = ()
    sources: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    published: str = ""
    author: str = ""
    licence: str = ""
    canonical: str = ""
    redirect: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    meta: dict[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    oddity: str = ""
    """Name of the hostile or endless response of `oddities` that is served instead of the body."""
    listed: bool = True
    """Whether the host's own front page and sitemap name it."""

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.path}"


@dataclass(frozen=True, slots=True)
class Site:
    host: str
    title: str
    layout: str
    language: str = "id"
    intro: str = ""
    footer: str = ""
    robots: str | None = None
    robots_status: int = 200
    crawl_delay: float | None = None
    sitemap: bool = False
    charset: str = "utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    oai: bool = False
    calendar: bool = False
    tdm_reservation: bool = False
    pages: dict[str, Page] = field(default_factory=dict)

    def item_pages(self) -> list[Page]:
        return [page for page in self.pages.values() if page.kind in FACT_KINDS]


def world_folder() -> Traversable:
    return files(__package__).joinpath(WORLD)


def _picture(table: dict[str, Any]) -> Picture:
    return Picture(**table)


def _page(host: str, defaults: dict[str, Any], table: dict[str, Any]) -> Page:
    values = dict(table)
    values["facts"] = tuple((str(label), str(value)) for label, value in values.get("facts", []))
    values["sources"] = tuple(values.get("sources", ()))
    values["pictures"] = tuple(_picture(picture) for picture in values.get("pictures", []))
    values.setdefault("language", defaults["language"])
    values.setdefault("layout", defaults["layout"])
    return Page(host=host, **values)


def read_site(text: str, origin: str) -> Site:
    """One host's file; a wrong field name or type is named with the file it stands in."""
    try:
        table = tomllib.loads(text)
        head = dict(table["host"])
        head["host"] = head.pop("name")
        head.setdefault("language", "id")
        pages = [_page(head["host"], head, page) for page in table.get("page", [])]
        by_path = {page.path: page for page in pages}
        if len(by_path) != len(pages):
            raise ContractError(f"{origin}: a path occurs twice")
        if "/" not in by_path:
            by_path = {"/": _front_page(head), **by_path}
        return Site(pages=by_path, **head)
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise ContractError(f"{origin}: {error}") from error


def _front_page(head: dict[str, Any]) -> Page:
    return Page(
        host=head["host"],
        path="/",
        title=head["title"],
        body=head.get("intro", ""),
        kind="index",
        layout=head["layout"],
        language=head["language"],
    )


@cache
def load_world() -> dict[str, Site]:
    """Every site by host name."""
    folder = world_folder().joinpath("hosts")
    entries = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda e: e.name)
    sites = [read_site(entry.read_text(encoding="utf-8"), entry.name) for entry in entries]
    world = {site.host: site for site in sites}
    if len(world) != len(sites):
        raise ContractError("two files of the demo world describe the same host")
    return world

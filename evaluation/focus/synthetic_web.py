"""Synthetic webs with topical locality; the model is told in the README, and nothing of the project is imported."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

TOPICAL = [
    "tari",
    "batik",
    "wayang",
    "gamelan",
    "angklung",
    "upacara",
    "adat",
    "tenun",
    "songket",
    "keris",
    "permainan",
    "dongeng",
    "motif",
    "ukiran",
    "tembang",
]
PLAIN = [
    "berita",
    "harga",
    "jadwal",
    "kontak",
    "profil",
    "unduh",
    "cara",
    "tips",
    "politik",
    "film",
    "cuaca",
    "saham",
    "resmi",
    "kantor",
    "pegawai",
    "rapat",
    "tahun",
    "data",
]


GATE_ERROR = 0.1


@dataclass(frozen=True)
class Shape:
    name: str
    hosts: int = 60
    relevant: float = 0.2
    """Share of pages on the topic."""
    locality: float = 0.4
    signal: float = 0.6
    noise: float = 0.03
    listings: float = 0.1
    links: int = 12
    even_hosts: bool = False
    """Every host is on the topic equally often."""


@dataclass
class Page:
    url: str
    host: str
    relevant: bool
    listing: bool
    passes: bool
    """What a gate that errs on one page in ten thinks of it; a listing of pages on the topic is on it."""
    links: list[tuple[int, str]] = field(default_factory=list)
    """Target and anchor words."""


def words(draw: random.Random, topical: bool) -> str:
    chosen = [draw.choice(PLAIN) for _ in range(3)]
    if topical:
        chosen[draw.randrange(3)] = draw.choice(TOPICAL)
    return " ".join(chosen)


def make_web(shape: Shape, size: int, seed: int) -> list[Page]:
    draw = random.Random(f"{shape.name}:{seed}")  # noqa: S311 - the same web at every run
    hosts = [f"situs{number}.example" for number in range(shape.hosts)]
    propensity = {
        host: shape.relevant if shape.even_hosts else shape.relevant * draw.choice((0.2, 0.2, 0.4, 3.2))
        for host in hosts
    }
    pages: list[Page] = []
    for number in range(size):
        host = draw.choice(hosts)
        listing = draw.random() < shape.listings
        relevant = not listing and draw.random() < min(0.95, propensity[host])
        named = draw.random() < (shape.signal if relevant else shape.noise)
        slug = words(draw, named).replace(" ", "-")
        passes = (relevant or listing) is not (draw.random() < GATE_ERROR)
        pages.append(Page(f"http://{host}/{slug}-{number}", host, relevant, listing, passes))
    _link(draw, shape, pages)
    return pages


def _link(draw: random.Random, shape: Shape, pages: list[Page]) -> None:
    on_topic = [number for number, page in enumerate(pages) if page.relevant]
    others = [number for number, page in enumerate(pages) if not page.relevant]
    base = len(on_topic) / len(pages)
    for page in pages:
        near = page.relevant or page.listing
        towards = base + (1 - base) * shape.locality * (0.8 if near else 0.0)
        for _ in range(max(1, round(draw.gauss(shape.links, shape.links / 3)))):
            target = draw.choice(on_topic if on_topic and draw.random() < towards else others)
            named = draw.random() < (shape.signal if pages[target].relevant else shape.noise)
            page.links.append((target, words(draw, named)))

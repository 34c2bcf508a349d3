"""A second made-up corpus: records of one item as several portals would keep it. Imports nothing of ours.

Every portal has a manner of its own, which all its records share: what it calls the kind of thing (in Indonesian, in
English, or not at all), upper case, old spelling, abbreviated regions, which columns it fills. Names are drawn from a
small stock of words by Zipf's law, so that different items share words as real ones do. On top come slips of the hand
(neighbouring keys, doubled and dropped letters), of the ear (f/p/v, k/q, ks/x, y/i, u/o, e dropped), reduplication
written with 2, honorifics, apostrophes, words run together. Names of items are syllables and name nobody's tradition.

Usage: python portal_corpus.py OUT.csv [--records N] [--seed S] [--noise F] [--columns rich|poor] (truth: `cluster`)
"""

from __future__ import annotations

import argparse
import csv
import random
from dataclasses import dataclass
from pathlib import Path

KINDS = {
    "tarian": (["Tari", "Tarian"], "Dance"),
    "alat musik": (["Alat Musik"], "Instrument"),
    "makanan minuman": (["Kue", "Sambal", "Gulai", "Nasi"], "Food"),
    "motif kain": (["Batik", "Tenun", "Songket"], "Cloth"),
    "ritual": (["Upacara", "Upacara Adat"], "Ceremony"),
    "cerita rakyat": (["Legenda", "Asal Usul"], "Legend"),
    "permainan tradisional": (["Permainan"], "Game"),
    "senjata dan alat perang": (["Senjata"], "Weapon"),
}
REGIONS = {
    "Jawa Tengah": ("Jateng", ["Banyumas", "Jepara", "Kudus", "Blora"]),
    "Jawa Timur": ("Jatim", ["Ponorogo", "Madiun", "Sumenep", "Tuban"]),
    "Jawa Barat": ("Jabar", ["Garut", "Ciamis", "Cianjur"]),
    "Sumatera Barat": ("Sumbar", ["Agam", "Solok", "Pasaman"]),
    "Sumatera Utara": ("Sumut", ["Karo", "Samosir", "Nias"]),
    "Sulawesi Selatan": ("Sulsel", ["Gowa", "Bone", "Luwu"]),
    "Kalimantan Selatan": ("Kalsel", ["Banjar", "Tapin"]),
    "Nusa Tenggara Timur": ("NTT", ["Ende", "Sikka", "Manggarai"]),
    "Bali": ("Bali", ["Gianyar", "Tabanan"]),
    "Aceh": ("Aceh", ["Pidie", "Gayo Lues"]),
    "Papua": ("Papua", ["Jayapura", "Biak Numfor"]),
}
USES = [
    "hiburan",
    "penyambutan tamu",
    "pernikahan",
    "panen",
    "pengobatan",
    "upacara kematian",
    "permainan anak",
    "perang",
]
STUFFS = [
    "kayu nangka",
    "bambu",
    "rotan",
    "kulit kambing",
    "benang emas",
    "besi",
    "tepung beras",
    "santan",
    "gula aren",
    "ikan",
    "kuningan",
    "tanah liat",
]
KEYS = {
    "a": "sq",
    "s": "ad",
    "d": "sf",
    "k": "jl",
    "l": "k",
    "i": "uo",
    "o": "ip",
    "u": "yi",
    "n": "bm",
    "m": "n",
    "t": "ry",
    "r": "et",
    "g": "fh",
    "e": "wr",
    "b": "vn",
    "p": "o",
}
EAR = [
    ("f", "p"),
    ("v", "p"),
    ("k", "q"),
    ("ks", "x"),
    ("y", "i"),
    ("u", "o"),
    ("i", "e"),
    ("ng", "n"),
    ("h", ""),
    ("au", "o"),
    ("ai", "e"),
    ("dh", "d"),
    ("th", "t"),
    ("k", "'"),
]
OLD = (("ny", "nj"), ("sy", "sj"), ("kh", "ch"), ("j", "dj"), ("c", "tj"), ("y", "j"), ("u", "oe"))


@dataclass(frozen=True)
class Portal:
    kind: str
    upper: bool
    old: bool
    short_regions: bool
    regencies: bool
    fills: frozenset[str]
    category: bool


@dataclass
class Item:
    words: list[str]
    head: str
    kind: str
    province: str
    regency: str
    village: str
    use: str
    stuff: list[str]
    year: int


def old(text: str) -> str:
    out, place = "", 0
    while place < len(text):
        for new, was in OLD:
            if text.startswith(new, place):
                out, place = out + was, place + len(new)
                break
        else:
            out, place = out + text[place], place + 1
    return out


class World:
    def __init__(self, seed: int, noise: float) -> None:
        self.rng = random.Random(seed)  # noqa: S311
        self.noise = noise
        rng = self.rng
        self.stock = [self._word() for _ in range(2500)]
        self.weights = [1 / (rank + 8) for rank in range(len(self.stock))]
        columns = ["use", "stuff", "origin", "year"]
        self.portals = [
            Portal(
                rng.choice(["own", "own", "none", "english"]),
                rng.random() < 0.2,
                rng.random() < 0.2,
                rng.random() < 0.3,
                rng.random() < 0.35,
                frozenset(c for c in columns if rng.random() < 0.65),
                rng.random() < 0.9,
            )
            for _ in range(9)
        ]

    def _word(self) -> str:
        rng = self.rng
        made = "".join(
            rng.choice("b c d g h j k l m n p r s t w y ng ny k t s r".split()) + rng.choice("aaaaiiuueo")  # noqa: SIM905
            for _ in range(rng.choice([2, 2, 2, 3, 3]))
        )
        return made + rng.choice(["", "", "", "n", "ng", "k", "r", "s", "h"])

    def item(self) -> Item:
        rng = self.rng
        count = rng.choices([1, 2, 3], [3, 6, 2])[0]
        words = rng.choices(self.stock, self.weights, k=count)
        if count == 1:
            words = [rng.choice(self.stock[300:])]
        if rng.random() < 0.05:
            words[0] = f"{words[0]}-{words[0]}"
        kind = rng.choice(list(KINDS))
        province = rng.choice(list(REGIONS))
        regency = rng.choice(REGIONS[province][1])
        return Item(
            words,
            rng.choice(KINDS[kind][0]),
            kind,
            province,
            regency,
            self._word().capitalize(),
            rng.choice(USES),
            rng.sample(STUFFS, rng.randint(1, 4)),
            rng.randint(1700, 1980),
        )

    def relative(self, item: Item) -> Item:
        """Shares the head word and the place (a sister), or all of the name but not the place (a homonym)."""
        rng = self.rng
        other = self.item()
        other.kind, other.head = item.kind, item.head
        if rng.random() < 0.6:
            other.words = [item.words[0], *rng.choices(self.stock, self.weights, k=1)]
            other.province, other.regency = item.province, item.regency
        else:
            other.words = list(item.words)
            while other.province == item.province:
                other.province = rng.choice(list(REGIONS))
            other.regency = rng.choice(REGIONS[other.province][1])
        return other

    def slip(self, word: str) -> str:
        rng = self.rng
        if len(word) < 4:
            return word
        place = rng.randrange(1, len(word))
        kind = rng.random()
        if kind < 0.3 and word[place] in KEYS:
            return word[:place] + rng.choice(KEYS[word[place]]) + word[place + 1 :]
        if kind < 0.45:
            return word[:place] + word[place] + word[place:]
        if kind < 0.6:
            return word[:place] + word[place + 1 :]
        if kind < 0.7 and place + 1 < len(word):
            return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        fitting = [(a, b) for a, b in EAR if a in word]
        if fitting:
            a, b = rng.choice(fitting)
            return word.replace(a, b, 1)
        return word

    def chance(self, rate: float) -> bool:
        return self.rng.random() < rate * self.noise

    def name(self, item: Item, portal: Portal) -> str:
        words = [self.slip(word) if self.chance(0.12) else word for word in item.words]
        if any("-" in w for w in words) and self.chance(0.5):
            words = [w.split("-")[0] + "2" if "-" in w else w for w in words]
        if len(words) > 2 and self.chance(0.12):
            words.pop()
        name = " ".join(words)
        if " " in name and self.chance(0.08):
            name = name.replace(" ", "", 1)
        if portal.old:
            name = old(name)
        name = name.title()
        if self.chance(0.04):
            name = f"{self.rng.choice(['Ki', 'Nyi', 'Sang', 'Dewi', 'Datuk'])} {name}"
        kind = portal.kind if not self.chance(0.15) else "own"
        if kind == "own":
            name = f"{item.head} {name}"
        elif kind == "english":
            name = f"{name} {KINDS[item.kind][1]}"
        if self.chance(0.05):
            name = f"{name} khas {item.regency}"
        if self.chance(0.04):
            name = f"{name} ({self._word().capitalize()})"
        return name.upper() if portal.upper else name

    def record(self, item: Item, columns: str) -> dict[str, str]:
        rng = self.rng
        portal = rng.choice(self.portals)
        region = (
            item.regency if portal.regencies else REGIONS[item.province][0] if portal.short_regions else item.province
        )
        if self.chance(0.04):
            region = rng.choice(list(REGIONS))
        if self.chance(0.08):
            region = ""
        category = item.kind if portal.category else ""
        if self.chance(0.05):
            category = rng.choice(list(KINDS))
        found = {"name": self.name(item, portal), "category": category, "region": region}
        if columns == "poor":
            return found
        stuff = list(item.stuff)
        if len(stuff) > 1 and self.chance(0.3):
            stuff.pop(rng.randrange(len(stuff)))
        rng.shuffle(stuff)
        values = {
            "use": item.use if not self.chance(0.15) else rng.choice(USES),
            "stuff": rng.choice(["; ", ", "]).join(stuff),
            "origin": f"{rng.choice(['Desa', 'Kampung', ''])} {self.slip(item.village) if self.chance(0.15) else item.village}, {item.regency}".strip(),
            "year": str(item.year if not self.chance(0.1) else item.year + rng.choice([-10, -1, 1, 10, 100])),
        }
        return found | {
            key: value if key in portal.fills and not self.chance(0.15) else "" for key, value in values.items()
        }


def corpus(records: int, seed: int, noise: float, columns: str = "rich") -> list[dict[str, str]]:
    world = World(seed, noise)
    rows: list[dict[str, str]] = []
    cluster = 0
    while len(rows) < records:
        item = world.item()
        family = [item] + [world.relative(item) for _ in range(world.rng.choices([0, 1, 2, 4], [70, 15, 10, 5])[0])]
        for each in family:
            cluster += 1
            copies = 1
            while world.rng.random() < 0.38 and copies < 8:
                copies += 1
            rows += [{"cluster": str(cluster), **world.record(each, columns)} for _ in range(copies)]
    rows = rows[:records]
    world.rng.shuffle(rows)
    return [{"id": f"r{number}", **row} for number, row in enumerate(rows)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=float, default=1.0, help="scales every error rate")
    parser.add_argument("--columns", choices=["rich", "poor"], default="rich")
    given = parser.parse_args()
    rows = corpus(given.records, given.seed, given.noise, given.columns)
    with given.out.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()

"""A made-up corpus of records about made-up cultural items, with known duplicates. Imports nothing of ours.

Every name is built from syllables and does not name a tradition of anybody; only generic words (tari, batik, upacara
...), province names and months are real. The error model, each with its rate in `Errors`:

- names: a generic word added, dropped or exchanged; spelling of before 1947 or 1972; one or two slips of a letter;
  words run together, hyphenated or swapped; an added province name; another name altogether (an alias, which the
  record of origin lists half of the time);
- category: exchanged for a neighbour, or missing; region: a regency for its province, missing, or wrong;
- attributes (year, maker, material, short description): missing, mistyped, or reworded;
- hard non-duplicates: families that share a head word (Parang so, Parang such), parts and wholes, homonyms of
  another province.

Usage: python culture_corpus.py OUT.csv [--items N] [--seed S] [--noise F]   (truth is the column `cluster`)
"""

from __future__ import annotations

import argparse
import csv
import random
import re
from dataclasses import dataclass, replace
from pathlib import Path

GENERIC = {
    "tarian": ["Tari", "Tarian", "Tari Tradisional", "Seni Tari"],
    "motif kain": ["Batik", "Motif Batik", "Kain", "Tenun"],
    "ritual": ["Upacara", "Ritual", "Upacara Adat", "Tradisi"],
    "alat musik": ["Alat Musik", "Instrumen", "Alat Musik Tradisional"],
    "makanan minuman": ["Makanan", "Kue", "Masakan", "Kuliner", "Makanan Khas"],
    "cerita rakyat": ["Cerita", "Legenda", "Dongeng", "Cerita Rakyat"],
    "permainan tradisional": ["Permainan", "Permainan Rakyat", "Dolanan"],
    "produk arsitektur": ["Rumah", "Rumah Adat", "Bangunan"],
}
NEIGHBOUR = {"tarian": "ritual", "ritual": "tarian", "motif kain": "tarian", "cerita rakyat": "ritual"}
PROVINCES = {
    "Aceh": ["Gayo Lues", "Aceh Tengah", "Pidie"],
    "Sumatera Utara": ["Toba", "Samosir", "Karo"],
    "Sumatera Barat": ["Agam", "Tanah Datar", "Solok"],
    "Riau": ["Siak", "Kampar", "Pelalawan"],
    "Jawa Barat": ["Garut", "Ciamis", "Sumedang"],
    "Jawa Tengah": ["Banyumas", "Jepara", "Klaten"],
    "Jawa Timur": ["Banyuwangi", "Ponorogo", "Sumenep"],
    "Daerah Istimewa Yogyakarta": ["Bantul", "Sleman", "Gunungkidul"],
    "Bali": ["Gianyar", "Karangasem", "Buleleng"],
    "Nusa Tenggara Barat": ["Lombok Timur", "Sumbawa", "Dompu"],
    "Kalimantan Barat": ["Sambas", "Sintang", "Landak"],
    "Sulawesi Selatan": ["Bone", "Gowa", "Tana Toraja"],
    "Maluku": ["Buru", "Seram Bagian Barat", "Kepulauan Aru"],
    "Papua": ["Jayapura", "Biak Numfor", "Keerom"],
}
ONSETS = "b c d g h j k l m n p r s t w y ng ny sy".split()  # noqa: SIM905
CODAS = ["", "", "", "", "n", "ng", "k", "r", "s", "t", "h", "m"]
MATERIALS = (  # noqa: SIM905
    "kayu,bambu,rotan,kulit,kapas,tembaga,besi,tanah liat,daun lontar,sutra,kelapa,beras,ketan,gula aren"
).split(",")
WORDS = (  # noqa: SIM905
    "dibawakan diwariskan masyarakat pesisir pegunungan perempuan laki-laki penari pemusik panen musim hujan kemarau "
    "pernikahan kelahiran raja keraton desa sawah hutan laut perahu nelayan petani pengrajin warna merah putih hitam "
    "kuning emas bunga burung naga gunung awan air api doa syukur leluhur sesaji lagu gong kendang suling topeng "
    "selendang mahkota keris tombak perisai anak-anak malam purnama pasar perayaan tamu kehormatan lambang kesuburan"
).split()
OLD = (("ny", "nj"), ("sy", "sj"), ("kh", "ch"), ("j", "dj"), ("c", "tj"), ("y", "j"), ("u", "oe"))


@dataclass(frozen=True)
class Errors:
    generic: float = 0.35
    old_spelling: float = 0.30
    old_of_1972: float = 0.5
    slip: float = 0.22
    second_slip: float = 0.25
    spacing: float = 0.10
    swap: float = 0.05
    added_region: float = 0.06
    alias: float = 0.05
    category_wrong: float = 0.05
    category_missing: float = 0.05
    regency: float = 0.25
    region_missing: float = 0.12
    region_wrong: float = 0.03
    attribute_missing: float = 0.35
    attribute_slip: float = 0.15

    def scaled(self, factor: float) -> Errors:
        return replace(
            self, **{name: min(0.9, rate * factor) for name, rate in vars(self).items() if name != "old_of_1972"}
        )


@dataclass
class Item:
    name: str
    alias: str
    category: str
    province: str
    regency: str
    year: str
    maker: str
    material: str
    description: list[str]


class Maker:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311
        self.words = [self.word() for _ in range(6000)]

    def word(self) -> str:
        count = self.random.choices([2, 3, 4], [5, 4, 1])[0]
        made = "".join(self.random.choice(ONSETS) + self.random.choice("aaaiiueoo") for _ in range(count))
        return (made + self.random.choice(CODAS)).capitalize()

    def item(self, name: str | None = None) -> Item:
        choose = self.random.choice
        province = choose(list(PROVINCES))
        made = name or " ".join(choose(self.words) for _ in range(self.random.choices([1, 2, 3], [4, 5, 1])[0]))
        return Item(
            made,
            " ".join(choose(self.words) for _ in range(self.random.choice([1, 2]))),
            choose(list(GENERIC)),
            province,
            choose(PROVINCES[province]),
            str(self.random.randint(1650, 1990)),
            f"{choose(self.words)} {choose(self.words)}",
            ", ".join(self.random.sample(MATERIALS, self.random.randint(1, 3))),
            self.random.sample(WORDS, 10),
        )

    def relatives(self, item: Item) -> list[Item]:
        """What is near but not the same: a sister, a part, a homonym elsewhere."""
        kind = self.random.random()
        if kind < 0.15:
            sisters = [self.item(f"{item.name.split()[0]} {self.random.choice(self.words)}") for _ in range(3)]
            for sister in sisters:
                sister.category, sister.province, sister.regency = item.category, item.province, item.regency
            return sisters
        if kind < 0.20:
            part = self.item(f"{item.name} {self.random.choice(self.words)}")
            part.category, part.province = item.category, item.province
            return [part]
        if kind < 0.27:
            homonym = self.item(item.name)
            homonym.category = item.category
            while homonym.province == item.province:
                homonym.province = self.random.choice(list(PROVINCES))
            homonym.regency = self.random.choice(PROVINCES[homonym.province])
            return [homonym]
        return []


def slip(text: str, rng: random.Random) -> str:
    if len(text) < 4:
        return text
    place, kind = rng.randrange(1, len(text) - 1), rng.randrange(4)
    if kind == 0:
        return text[:place] + text[place + 1 :]
    if kind == 1:
        return text[:place] + rng.choice("aeioubdgklmnprst") + text[place:]
    if kind == 2:
        return text[:place] + rng.choice("aeioubdgklmnprst") + text[place + 1 :]
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def old(text: str, before_1947: bool) -> str:
    """Each letter is rewritten once: what was written dj is not a j again."""
    forms = dict(OLD if before_1947 else OLD[:-1])

    def written(match: re.Match[str]) -> str:
        form = forms[match.group().lower()]
        return form.capitalize() if match.group()[0].isupper() else form

    return re.sub("|".join(forms), written, text, flags=re.IGNORECASE)


def written_name(item: Item, maker: Maker, errors: Errors, first: bool) -> tuple[str, str]:
    """The name and the alias column of one record."""
    rng = maker.random
    name, alias = item.name, ""
    if not first and rng.random() < errors.alias:
        name = item.alias
    elif first and rng.random() < 0.5:
        alias = item.alias
    words = name.split()
    if len(words) > 1 and rng.random() < errors.swap:
        rng.shuffle(words)
    name = " ".join(words)
    if rng.random() < errors.slip:
        name = slip(name, rng)
        if rng.random() < errors.second_slip:
            name = slip(name, rng)
    if rng.random() < errors.old_spelling:
        name = old(name, rng.random() < errors.old_of_1972)
    if " " in name and rng.random() < errors.spacing:
        name = name.replace(" ", rng.choice(["", "-"]), 1)
    if rng.random() < (errors.generic if not first else 0.7):
        name = f"{rng.choice(GENERIC[item.category])} {name}"
    if rng.random() < errors.added_region:
        name = f"{name} {item.province}"
    return name, alias


def record(item: Item, maker: Maker, errors: Errors, first: bool) -> dict[str, str]:
    rng = maker.random
    name, alias = written_name(item, maker, errors, first)
    category = item.category
    if not first and rng.random() < errors.category_wrong:
        category = NEIGHBOUR.get(category, "ritual")
    region = item.regency if rng.random() < errors.regency else item.province
    if not first and rng.random() < errors.region_wrong:
        region = rng.choice(list(PROVINCES))
    described = rng.sample(item.description, 7) + rng.sample(WORDS, 3)
    rng.shuffle(described)
    values = {"year": item.year, "maker": item.maker, "material": item.material, "description": " ".join(described)}
    for key, value in values.items():
        if rng.random() < errors.attribute_missing:
            values[key] = ""
        elif key in {"year", "maker"} and rng.random() < errors.attribute_slip:
            values[key] = slip(value, rng)
    return {
        "name": name,
        "aliases": alias,
        "category": "" if rng.random() < errors.category_missing else category,
        "region": "" if rng.random() < errors.region_missing else region,
        **values,
    }


def corpus(records: int, seed: int, errors: Errors) -> list[dict[str, str]]:
    maker = Maker(seed)
    items: list[Item] = []
    rows: list[dict[str, str]] = []
    while len(rows) < records:
        item = maker.item()
        for each in [item, *maker.relatives(item)]:
            items.append(each)
            copies = maker.random.choices([1, 2, 3, 4], [60, 25, 10, 5])[0]
            for number in range(copies):
                rows.append({"cluster": str(len(items)), **record(each, maker, errors, number == 0)})  # noqa: PERF401
    rows = rows[:records]
    maker.random.shuffle(rows)
    return [{"id": f"r{number}", **row} for number, row in enumerate(rows)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=float, default=1.0, help="scales every error rate")
    given = parser.parse_args()
    rows = corpus(given.records, given.seed, Errors().scaled(given.noise))
    with given.out.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()

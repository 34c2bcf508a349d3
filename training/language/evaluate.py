"""Figures of the language identifier: `python evaluate.py --data DIR --packages DIR [--sources] [--strangers]`.

Without options: the shipped model on parts it never saw. With `--sources` each source is left out of training in turn,
with `--strangers` some languages are left out of the class `und`, to see how texts of unknown kind fare.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from corpus import Places, gather, held_out, place_names, varied
from sources import OTHER, Sample, word_count
from train import calibrate, fit, pair_evidence, scores
from variation import OLD_SPELLING, old_spelling

from lumbung.text.language import identify

LONG = 10
MADE_UP = frozenset({"wordfreq", "gibberish", "names"})
SOURCES = ("nusax", "nusawrites", "mediawiki", "udhr")
STRANGERS = frozenset(
    [
        "fi",
        "tr",
        "vi",
        "sv",
        "pl",
        "hu",
        "tl",
        "sw",
        "it",
        "cs",
        "fin",
        "tur",
        "vie",
        "swe",
        "pol",
        "hun",
        "tgl",
        "swh",
        "ita",
        "ces",
        "ceb",
        "hil",
        "ilo",
        "mri",
        "smo",
    ]
)

Answer = Callable[[Sequence[str]], list[str]]


def shipped(texts: Sequence[str]) -> list[str]:
    return [identify(text).language for text in texts]


def of_model(model: dict[str, np.ndarray]) -> Answer:
    def answer(texts: Sequence[str]) -> list[str]:
        return [str(name) for name in model["languages"][scores(model, texts).argmax(axis=1)]]

    return answer


def recalls(samples: Sequence[Sample], answer: Answer) -> dict[tuple[str, str], tuple[int, int]]:
    """Right answers and samples, by language and source."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for sample, language in zip(samples, answer([sample.text for sample in samples]), strict=True):
        source = sample.source.split("-")[0] if sample.language == OTHER else sample.source
        for key in ((sample.language, source), (sample.language, "all")):
            counts[key][0] += language == sample.language
            counts[key][1] += 1
    return {key: (right, number) for key, (right, number) in sorted(counts.items())}


def show(title: str, table: dict[tuple[str, str], tuple[int, int]]) -> None:
    print(f"\n## {title}")
    for (language, source), (right, number) in table.items():
        print(f"{language} {source:20} {right / number:.3f} of {number}")


def long_enough(samples: Iterable[Sample]) -> list[Sample]:
    return [sample for sample in samples if word_count(sample.text) >= LONG]


def show_shipped(samples: list[Sample]) -> None:
    unseen = [sample for sample in samples if held_out(sample)]
    prose = [sample for sample in unseen if sample.source not in MADE_UP]
    show("Held-out texts of 10 words and more", recalls(long_enough(prose), shipped))
    aged = [replace(s, text=old_spelling(s.text, with_oe=True)) for s in prose if s.language in OLD_SPELLING]
    show("The same in the spelling before 1947", recalls(long_enough(aged), shipped))
    short = [sample for sample in prose if 4 <= word_count(sample.text) < LONG]
    show("Held-out texts of 4 to 9 words", recalls(short, shipped))
    show(
        "Gibberish, lists of names, words in random order", recalls([s for s in unseen if s.source in MADE_UP], shipped)
    )
    wrong = Counter((s.language, identify(s.text).language) for s in long_enough(prose))
    print([item for item in wrong.most_common() if item[0][0] != item[0][1]][:25])
    show_calibration(long_enough(prose))


def show_calibration(samples: list[Sample]) -> None:
    bins: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for sample in samples:
        found = identify(sample.text)
        if found.language != OTHER:
            cell = bins[min(int(found.confidence * 10), 9)]
            cell[0] += 1
            cell[1] += found.confidence
            cell[2] += found.language == sample.language
    total = sum(cell[0] for cell in bins.values())
    error = sum(abs(cell[1] - cell[2]) for cell in bins.values()) / total
    print(f"\n## Calibration: expected error {error:.3f}")
    for _, (number, confidence, right) in sorted(bins.items()):
        print(f"confidence {confidence / number:.2f} right {right / number:.2f} of {number:.0f}")


def show_sources(samples: list[Sample], names: list[str]) -> None:
    for source in SOURCES:
        known = [sample for sample in samples if not sample.source.startswith(source) and not held_out(sample)]
        languages = {sample.language for sample in known}
        model = fit(varied(known, names), rounds=5)
        pair_evidence(model)
        foreign = [s for s in samples if s.source == source and s.language in languages and s.language != OTHER]
        show(f"Trained without {source}, asked about it", recalls(long_enough(foreign), of_model(model)))


def show_strangers(samples: list[Sample], names: list[str]) -> None:
    def strange(sample: Sample) -> bool:
        return sample.language == OTHER and sample.source.rpartition("-")[2] in STRANGERS

    model = fit(varied([s for s in samples if not strange(s) and not held_out(s)], names), rounds=5)
    pair_evidence(model)
    calibrate(model, varied([s for s in samples if held_out(s) and not strange(s)], names))
    show("Languages never seen: share answered und", recalls(long_enough(filter(strange, samples)), of_model(model)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--sources", action="store_true")
    parser.add_argument("--strangers", action="store_true")
    options = parser.parse_args()
    places = Places(options.data, options.packages)
    samples = gather(places)
    if options.sources:
        show_sources(samples, place_names(places.data))
    elif options.strangers:
        show_strangers(samples, place_names(places.data))
    else:
        show_shipped(samples)


if __name__ == "__main__":
    main()

"""Trains the language identifier and writes its weights: `python train.py --data DIR --packages DIR --model FILE`."""

from __future__ import annotations

import argparse
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from corpus import SEED, Places, gather, held_out, place_names, varied
from scipy import sparse
from softmax import fit_softmax
from sources import OTHER, Sample, word_count

from lumbung.text.ngrams import FEATURE_BITS, RATIO_STEPS, divide, features, plain_text, weighted, word_hash, word_ratio

KEPT_FEATURES = 140_000
ROUNDS = 10
EVENED = 0.75
RAREST = 3e-7


def matrix(texts: Sequence[str]) -> sparse.csr_matrix:
    indices, values, ends = [], [], [0]
    for text in texts:
        distinct, weights = weighted(features(plain_text(text)))
        indices.append(distinct)
        values.append(weights)
        ends.append(ends[-1] + len(distinct))
    return sparse.csr_matrix(
        (np.concatenate(values), np.concatenate(indices).astype(np.int64), np.array(ends)),
        shape=(len(texts), 1 << FEATURE_BITS),
    )


def telling_features(table: sparse.csr_matrix, labels: np.ndarray, classes: list[str], kept: int) -> np.ndarray:
    """The features that say most about the class: documents times divergence of the class shares from the prior."""
    present = (table > 0).astype(np.float32)
    often = np.flatnonzero(np.asarray(present.sum(axis=0)).ravel() >= 4)
    present = present[:, often].tocsr()
    counts = np.vstack([np.asarray(present[labels == name].sum(axis=0)).ravel() for name in classes])
    sizes = np.array([(labels == name).sum() for name in classes], dtype=np.float64)[:, None]
    rates = (counts + 0.02) / sizes
    shares = rates / rates.sum(axis=0)
    divergence = (shares * np.log(shares * len(classes))).sum(axis=0)
    score = divergence * np.sqrt(rates.max(axis=0))
    return np.sort(often[np.argsort(-score)[:kept]])


def fit(samples: Sequence[Sample], kept: int = KEPT_FEATURES, rounds: int = ROUNDS) -> dict[str, np.ndarray]:
    labels = np.array([sample.language for sample in samples])
    classes = sorted(set(labels))
    table = matrix([sample.text for sample in samples])
    buckets = telling_features(table, labels, classes, kept)
    sizes = {name: int((labels == name).sum()) for name in classes}
    evened = {name: (len(labels) / len(classes) / size) ** EVENED for name, size in sizes.items()}
    importance = np.array([evened[name] for name in labels], dtype=np.float32)
    truth = np.searchsorted(classes, labels)
    chosen = table[:, buckets].astype(np.float32).tocsr()
    weights, intercept = fit_softmax(chosen, truth, importance, len(classes), rounds, SEED)
    scale = np.abs(weights).max(axis=0) / 127
    return {
        "languages": np.array(classes, dtype="U3"),
        "buckets": buckets.astype(np.uint32),
        "weights": np.round(weights / scale).astype(np.int8),
        "scale": scale.astype(np.float32),
        "intercept": intercept,
    }


def pair_evidence(model: dict[str, np.ndarray]) -> None:
    """How much likelier each word is in Indonesian than in Malay, from word frequencies: evidence without topics."""
    from wordfreq import get_frequency_dict

    indonesian, malay = get_frequency_dict("id"), get_frequency_dict("ms")
    ratios = {
        word_hash(word): np.log((indonesian.get(word, 0) + RAREST) / (malay.get(word, 0) + RAREST))
        for word in sorted({*indonesian, *malay})
        if word.isalpha()
    }
    telling = sorted((bucket, ratio) for bucket, ratio in ratios.items() if abs(ratio) > 0.3)
    clipped = np.clip([ratio for _, ratio in telling], -4, 4)
    model["pair_words"] = np.array([bucket for bucket, _ in telling], dtype=np.uint32)
    model["pair_ratios"] = np.round(clipped * RATIO_STEPS).astype(np.int8)


def scores(model: dict[str, np.ndarray], texts: Sequence[str]) -> np.ndarray:
    """Scores as the program computes them, Indonesian and Malay divided by the evidence of their words."""
    table = matrix(texts)[:, model["buckets"]]
    found = table @ (model["weights"] * model["scale"]) + model["intercept"]
    if "pair_words" in model:
        first, second = (int(np.flatnonzero(model["languages"] == name)[0]) for name in ("ind", "zsm"))
        for row, text in enumerate(texts):
            ratio = word_ratio(plain_text(text), model["pair_words"], model["pair_ratios"])
            found[row, first], found[row, second] = divide(found[row, first], found[row, second], ratio)
    return found


def sharpness(logits: np.ndarray, truth: np.ndarray, words: np.ndarray) -> tuple[float, float]:
    """How sure a score may be: logits are multiplied by a + b ln(words), with a and b of least log loss held out."""
    best = (float("inf"), 1.0, 0.0)
    for a in np.arange(0.2, 2.01, 0.1):
        for b in np.arange(0.0, 1.01, 0.1):
            sharpened = logits * (a + b * np.log1p(words))[:, None]
            shifted = sharpened - sharpened.max(axis=1, keepdims=True)
            log_share = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
            best = min(best, (float(-log_share[np.arange(len(truth)), truth].mean()), float(a), float(b)))
    return best[1], best[2]


def calibrate(model: dict[str, np.ndarray], samples: Sequence[Sample]) -> None:
    order = {name: place for place, name in enumerate(model["languages"])}
    words = np.array([word_count(sample.text) for sample in samples], dtype=np.float32)
    truth = np.array([order[sample.language] for sample in samples])
    logits = scores(model, [sample.text for sample in samples])
    model["sharpness"] = np.array(sharpness(logits, truth, words), dtype=np.float32)


def write(model: dict[str, np.ndarray], path: Path) -> None:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **model)
    path.write_bytes(buffer.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    options = parser.parse_args()
    places = Places(options.data, options.packages)
    names = place_names(places.data)
    samples = gather(places)
    learned = varied([sample for sample in samples if not held_out(sample)], names)
    kept_back = varied([sample for sample in samples if held_out(sample)], names)
    model = fit(learned)
    pair_evidence(model)
    calibrate(model, kept_back)
    write(model, options.model)
    print(
        f"{len(learned)} texts, {len(model['languages'])} classes ({OTHER} among them), {options.model.stat().st_size} bytes"
    )


if __name__ == "__main__":
    main()

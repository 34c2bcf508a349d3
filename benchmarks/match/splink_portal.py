"""Splink on the corpus of portals, with the same columns and a fair, stated configuration. One JSON line out.

Fair means: term frequencies on names and regions, Jaro-Winkler levels on every attribute, blocking by whole name, last
word, prefix and ending and by every attribute, u from random pairs, m by EM under a rule for each selective column.
Usage: python splink_portal.py CORPUS.csv [ATTRIBUTE...]
"""

from __future__ import annotations

import json
import resource
import sys

import numpy as np
import pandas as pd
import splink.comparison_library as cl
from splink import Linker, SettingsCreator, block_on
from splink.backends.duckdb import DuckDBAPI

SELECTIVE, TELLING = 1500, 200


def read(path: str) -> pd.DataFrame:
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    frame["name"] = frame["name"].str.lower()
    frame["last_word"] = frame["name"].str.split().str[-1]
    frame["bare"] = frame["name"].str.replace(" ", "").str[-8:]
    return frame.replace("", None)


def settings(frame: pd.DataFrame, attributes: list[str]) -> SettingsCreator:
    comparisons = [
        cl.JaroWinklerAtThresholds("name", [0.95, 0.88, 0.8]).configure(term_frequency_adjustments=True),
        cl.JaroWinklerAtThresholds("last_word", [0.95, 0.88]).configure(term_frequency_adjustments=True),
        cl.ExactMatch("category"),
        cl.ExactMatch("region").configure(term_frequency_adjustments=True),
        *(cl.JaroWinklerAtThresholds(each, [0.95, 0.88]) for each in attributes),
    ]
    rules = [block_on("name"), block_on("last_word"), block_on("substr(name, 1, 7)", "category"), block_on("bare")]
    for each in attributes:
        alone = frame[each].nunique() >= SELECTIVE
        rules.append(block_on(each) if alone else block_on(each, "region", "category"))
    return SettingsCreator(
        link_type="dedupe_only",
        unique_id_column_name="id",
        blocking_rules_to_generate_predictions=rules,
        comparisons=comparisons,
    )


def figures(frame: pd.DataFrame, found: pd.DataFrame) -> dict[str, float]:
    cluster = dict(zip(frame["id"], frame["cluster"], strict=True))
    truth = sum(int(n) * (int(n) - 1) // 2 for n in frame["cluster"].value_counts())
    right = (found["id_l"].map(cluster) == found["id_r"].map(cluster)).to_numpy()
    belief = found["match_probability"].to_numpy()
    ranked = right[np.argsort(-belief)].cumsum()
    said = belief >= 0.5
    hits = int((right & said).sum())
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "precision": hits / max(1, int(said.sum())),
        "recall": hits / truth,
        "f1": 2 * hits / (int(said.sum()) + truth),
        "best_f1": float((2 * ranked / (np.arange(1, len(ranked) + 1) + truth)).max()),
        "blocking_recall": int(right.sum()) / truth,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
    }


def main(path: str, attributes: list[str]) -> None:
    frame = read(path)
    linker = Linker(DuckDBAPI().register(frame), settings(frame, attributes))
    linker.training.estimate_probability_two_random_records_match([block_on("name", "region")], recall=0.3)
    linker.training.estimate_u_using_random_sampling(max_pairs=2e6, seed=1)
    taught = [block_on(each) for each in attributes if frame[each].nunique() >= TELLING]
    for rule in (block_on("last_word", "region"), block_on("name"), *taught):
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    print(json.dumps(figures(frame, linker.inference.predict(threshold_match_probability=0.0).as_pandas_dataframe())))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

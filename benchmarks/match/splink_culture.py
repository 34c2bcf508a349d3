"""Splink on the made-up culture corpus, with the same columns and a fair, stated configuration. One JSON line out.

Fair means: comparison levels fit for each column, term frequencies on names, eight blocking rules that mix prefixes
and exact values, u from random pairs, m by EM under three rules. With --modern the old spelling of names is put into
today's first by the usual letter table, to show how much of the gap is spelling alone.
"""

from __future__ import annotations

import json
import re
import resource
import sys

import pandas as pd
import splink.comparison_library as cl
from splink import Linker, SettingsCreator, block_on
from splink.backends.duckdb import DuckDBAPI

MODERN = {"nj": "ny", "sj": "sy", "ch": "kh", "dj": "j", "tj": "c", "j": "y", "oe": "u"}


def modern(name: str) -> str:
    if not re.search("oe|tj|dj|nj|sj", name):
        return name
    return re.sub("nj|sj|ch|dj|tj|oe|j", lambda found: MODERN[found.group()], name)


def read(path: str, modernise: bool) -> pd.DataFrame:
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    frame["name"] = frame["name"].str.lower()
    if modernise:
        frame["name"] = frame["name"].map(modern)
    frame["last_word"] = frame["name"].str.split().str[-1]
    frame["bare"] = frame["name"].str.replace(" ", "").str[-8:]
    return frame.replace("", None)


SETTINGS = SettingsCreator(
    link_type="dedupe_only",
    unique_id_column_name="id",
    blocking_rules_to_generate_predictions=[
        block_on("name"),
        block_on("last_word"),
        block_on("substr(name, 1, 7)", "category"),
        block_on("bare"),
        block_on("maker"),
        block_on("year", "category"),
        block_on("year", "region"),
        block_on("material", "region", "category"),
    ],
    comparisons=[
        cl.JaroWinklerAtThresholds("name", [0.95, 0.88, 0.8]).configure(term_frequency_adjustments=True),
        cl.JaroWinklerAtThresholds("last_word", [0.95, 0.88]).configure(term_frequency_adjustments=True),
        cl.ExactMatch("category"),
        cl.ExactMatch("region").configure(term_frequency_adjustments=True),
        cl.LevenshteinAtThresholds("year", [1]),
        cl.JaroWinklerAtThresholds("maker", [0.95, 0.88]),
        cl.JaccardAtThresholds("material", [0.9, 0.6]),
        cl.JaccardAtThresholds("description", [0.95, 0.9, 0.8]),
    ],
)


def main(path: str, modernise: bool) -> None:
    frame = read(path, modernise)
    linker = Linker(DuckDBAPI().register(frame), SETTINGS)
    linker.training.estimate_probability_two_random_records_match([block_on("name", "region")], recall=0.3)
    linker.training.estimate_u_using_random_sampling(max_pairs=2e6, seed=1)
    for rule in (block_on("year"), block_on("maker"), block_on("name")):
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    found = linker.inference.predict(threshold_match_probability=0.0).as_pandas_dataframe()
    cluster = dict(zip(frame["id"], frame["cluster"], strict=True))
    truth = sum(int(n) * (int(n) - 1) // 2 for n in frame["cluster"].value_counts())
    right = found["id_l"].map(cluster) == found["id_r"].map(cluster)
    ranked = right[found["match_probability"].sort_values(ascending=False).index].cumsum()
    best = (2 * ranked.to_numpy() / (range(1, len(ranked) + 1) + truth * pd.Series(1, index=range(len(ranked))))).max()
    said = found["match_probability"] >= 0.5
    hits = int((right & said).sum())
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "precision": hits / max(1, int(said.sum())),
                "recall": hits / truth,
                "f1": 2 * hits / (int(said.sum()) + truth),
                "best_f1": float(best),
                "blocking_recall": int(right.sum()) / truth,
                "pairs": len(found),
                "cpu_seconds": usage.ru_utime + usage.ru_stime,
                "rss_mb": usage.ru_maxrss // 1024,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], "--modern" in sys.argv)

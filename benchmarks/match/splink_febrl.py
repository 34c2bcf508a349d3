"""Splink on FEBRL, as its own documentation does it: FEBRL 4 from the tutorial, FEBRL 3 alike. One JSON line out.

Runs in an environment of its own, with splink and pandas installed; imports nothing of ours.
"""

from __future__ import annotations

import json
import resource
import sys

import pandas as pd
import splink.comparison_library as cl
from splink import Linker, SettingsCreator, block_on
from splink.backends.duckdb import DuckDBAPI

NAMES = ["given_name", "surname", "street_number", "address_1", "suburb", "postcode", "date_of_birth", "soc_sec_id"]


def read(path: str) -> pd.DataFrame:
    frame = pd.read_csv(path, skipinitialspace=True, dtype=str, keep_default_na=False)
    frame.columns = [column.strip() for column in frame.columns]
    frame = frame.replace("", None)
    frame["cluster"] = frame["rec_id"].str.extract(r"rec-(\d+)")[0]
    return frame


def settings(kind: str) -> SettingsCreator:
    return SettingsCreator(
        link_type=kind,
        unique_id_column_name="rec_id",
        blocking_rules_to_generate_predictions=[
            block_on("given_name", "surname"),
            block_on("soc_sec_id"),
            block_on("date_of_birth"),
            block_on("surname", "postcode"),
            block_on("given_name", "postcode"),
            block_on("street_number", "address_1"),
            block_on("street_number", "postcode"),
        ],
        comparisons=[
            cl.NameComparison("given_name"),
            cl.NameComparison("surname"),
            cl.DamerauLevenshteinAtThresholds("date_of_birth", [1, 2]),
            cl.DamerauLevenshteinAtThresholds("soc_sec_id", [1, 2]),
            cl.ExactMatch("street_number"),
            cl.DamerauLevenshteinAtThresholds("postcode", [1, 2]),
            cl.JaroWinklerAtThresholds("address_1", [0.9, 0.8]),
            cl.JaroWinklerAtThresholds("suburb", [0.9, 0.8]),
        ],
    )


def main(paths: list[str]) -> None:
    frames = [read(path) for path in paths]
    engine = DuckDBAPI()
    tables = [engine.register(frame) for frame in frames]
    linker = Linker(tables, settings("link_only" if len(frames) > 1 else "dedupe_only"))
    linker.training.estimate_probability_two_random_records_match(
        [block_on("soc_sec_id"), block_on("given_name", "surname", "date_of_birth")], recall=0.8
    )
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("date_of_birth"))
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("postcode"))
    found = linker.inference.predict(threshold_match_probability=0.0).as_pandas_dataframe()
    cluster = {row.rec_id: row.cluster for frame in frames for row in frame.itertuples()}
    if len(frames) > 1:
        left = frames[0]["cluster"].value_counts()
        truth = sum(int(left.get(c, 0)) * int(n) for c, n in frames[1]["cluster"].value_counts().items())
    else:
        truth = sum(int(n) * (int(n) - 1) // 2 for n in frames[0]["cluster"].value_counts())
    right = found["rec_id_l"].map(cluster) == found["rec_id_r"].map(cluster)
    said = found["match_probability"] >= 0.5
    hits = int((right & said).sum())
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "precision": hits / max(1, int(said.sum())),
                "recall": hits / truth,
                "f1": 2 * hits / (int(said.sum()) + truth),
                "blocking_recall": int(right.sum()) / truth,
                "pairs": len(found),
                "cpu_seconds": usage.ru_utime + usage.ru_stime,
                "rss_mb": usage.ru_maxrss // 1024,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])

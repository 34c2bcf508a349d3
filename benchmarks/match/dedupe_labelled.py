"""dedupe on a table with a `cluster` (or FEBRL) truth, trained on labelled pairs. One JSON line out.

Runs in an environment of its own, with dedupe installed; imports nothing of ours. It gets the labels of LABELS.csv
(left_id,right_id,match) as marked pairs, as its documentation does in batch mode.
Usage: python dedupe_labelled.py DATA.csv LABELS.csv [febrl]
"""

from __future__ import annotations

import csv
import json
import re
import resource
import sys
from collections import Counter

import dedupe
from dedupe import variables

FEBRL = ["given_name", "surname", "street_number", "address_1", "suburb", "postcode", "date_of_birth", "soc_sec_id"]
CULTURE = ["name", "category", "region", "year", "maker", "material", "description"]


def read(path: str, fields: list[str]) -> tuple[dict[str, dict[str, str | None]], dict[str, str]]:
    records, truth = {}, {}
    with open(path, encoding="utf-8", newline="") as stream:  # noqa: PTH123 - a plain script
        for row in csv.DictReader(stream, skipinitialspace=True):
            clean = {key.strip(): (value or "").strip() for key, value in row.items()}
            key = clean.get("id") or clean["rec_id"]
            records[key] = {field: clean[field].lower() or None for field in fields}
            truth[key] = clean.get("cluster") or re.findall(r"rec-(\d+)", key)[0]
    return records, truth


def main(path: str, labels: str, kind: str) -> None:
    fields = FEBRL if kind == "febrl" else CULTURE
    records, truth = read(path, fields)
    model = dedupe.Dedupe([variables.String(field, has_missing=True) for field in fields], num_cores=1)
    with open(labels, encoding="utf-8", newline="") as stream:  # noqa: PTH123
        marked: dict[str, list[tuple[object, object]]] = {"match": [], "distinct": []}
        for row in csv.DictReader(stream):
            pair = (records[row["left_id"]], records[row["right_id"]])
            marked["match" if row["match"] == "1" else "distinct"].append(pair)
    model.prepare_training(records, sample_size=3000)
    model.mark_pairs(marked)  # type: ignore[arg-type]
    model.train()
    clusters = model.partition(records, threshold=0.5)
    said = hits = 0
    for members, _ in clusters:
        for i, a in enumerate(members):
            for b in members[i + 1 :]:
                said, hits = said + 1, hits + (truth[a] == truth[b])
    wanted = sum(n * (n - 1) // 2 for n in Counter(truth.values()).values())
    usage = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = usage.ru_utime + usage.ru_stime + children.ru_utime + children.ru_stime
    figures = {"precision": hits / max(1, said), "recall": hits / wanted, "f1": 2 * hits / (said + wanted)}
    print(json.dumps({**figures, "cpu_seconds": cpu, "rss_mb": usage.ru_maxrss // 1024}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "culture")

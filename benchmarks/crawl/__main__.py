"""The crawl's cost a page beside Scrapy's, by turns on one local site, with 10, 40 and 150 links a page.

python -m benchmarks.crawl [--links N ...] [--pages N] [--repeat N]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.peers import peers_python

HERE = Path(__file__).parent
PORT, HOSTS = 18123, 20
LINKS = (10, 40, 150)
OURS, GATED, SCRAPY = "without the gate", "with the gate", "scrapy"


@contextmanager
def site(pages: int, links: int) -> Iterator[None]:
    command = [sys.executable, str(HERE / "site.py"), *map(str, (PORT, HOSTS, pages, links))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        server.stdout.readline()
        try:
            yield
        finally:
            server.terminate()


def crawl(who: str, pages: int) -> dict[str, Any]:
    place = [str(PORT), str(HOSTS)]
    command = (
        [peers_python(), str(HERE / "with_scrapy.py"), *place]
        if who == SCRAPY
        else [sys.executable, str(HERE / "ours.py"), *place, str(pages), str(int(who == GATED))]
    )
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    figures: dict[str, Any] = json.loads(told.splitlines()[-1])
    print(json.dumps({"by": who, **figures}), flush=True)
    return figures


def compare(pages: int, links: int, repeat: int) -> None:
    found: dict[str, list[dict[str, Any]]] = {who: [] for who in (OURS, SCRAPY, GATED)}
    with site(pages, links):
        for _ in range(repeat):
            for who, runs in found.items():
                runs.append(crawl(who, pages))
    scrapy = median(each["pages_per_cpu_second"] for each in found[SCRAPY])
    for who in (OURS, GATED):
        own, whole = (
            median(each[figure] for each in found[who]) / scrapy
            for figure in ("pages_per_cpu_second", "pages_per_cpu_second_with_postgres")
        )
        print(f"{links} links, {who}: {own:.2f} times Scrapy, {whole:.2f} with PostgreSQL counted", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, nargs="+", default=LINKS)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--repeat", type=int, default=1, help="runs of each; the medians are compared")
    given = parser.parse_args()
    for links in given.links:
        compare(given.pages, links, given.repeat)


if __name__ == "__main__":
    main()

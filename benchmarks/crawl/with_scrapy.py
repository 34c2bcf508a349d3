"""Scrapy's crawl of the same site: persistent job directory, robots on, no delay. Runs in a venv of its own.

python with_scrapy.py PORT HOSTS
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import dnscache

PORT, HOSTS = int(sys.argv[1]), int(sys.argv[2])
KEPT = {"pages": 0, "bytes": 0}


class Pages(scrapy.Spider):
    name = "pages"
    extractor = LinkExtractor()

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for host in range(HOSTS):
            yield scrapy.Request(f"http://h{host}.example:{PORT}/halaman/0")

    def parse(self, response: scrapy.http.Response) -> Iterator[scrapy.Request]:
        KEPT["pages"] += 1
        KEPT["bytes"] += len(response.body)
        for link in self.extractor.extract_links(response):
            yield scrapy.Request(link.url)


if __name__ == "__main__":
    process = CrawlerProcess(
        {
            "JOBDIR": tempfile.mkdtemp(prefix="scrapy-bench-"),
            "ROBOTSTXT_OBEY": True,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS": 32,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    for number in range(HOSTS):
        dnscache[f"h{number}.example"] = "127.0.0.1"
    started = time.monotonic()
    before = time.process_time()
    process.crawl(Pages)
    process.start()
    own = time.process_time() - before
    print(
        json.dumps(
            {
                "crawler": "scrapy " + scrapy.__version__,
                "pages": KEPT["pages"],
                "seconds": round(time.monotonic() - started, 2),
                "own_cpu": round(own, 2),
                "pages_per_cpu_second": round(KEPT["pages"] / own, 1),
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            }
        )
    )

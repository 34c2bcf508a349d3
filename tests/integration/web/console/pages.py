"""Every page of the console by its address, from the routes themselves, with something behind each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lumbung.store import coverage, entries, remarks, requests
from lumbung.store.entries import HumanEntry
from lumbung.web.console.routes import DECLARED
from tests.integration.web.console.planted import plant_review, plant_samples

STREAM = "/ruang-kerja/arus"
ASKED = (
    "/ruang-kerja/label?kategori=tarian", "/ruang-kerja/label?entri=h1", "/ruang-kerja/jelaskan?hal=Tari+Piring", "/ruang-kerja/jelaskan?hal=http://a.example/item-1",
    "/ruang-kerja/makna?kata=tari", "/ruang-kerja/benih?pilih=3", "/ruang-kerja/bayangan?status=published", "/ruang-kerja/catatan?kata=test", "/ruang-kerja/frontier?dari=h5",
)  # fmt: skip
"""Pages that answer a question."""


async def plant_everything(tx, asker: int, samples: int = 3) -> dict[str, object]:
    """What the addresses of pages name, by the names of their parts."""
    claim = await plant_review(tx)
    await plant_samples(tx, samples)
    human = HumanEntry("h1", "tarian", "Tari", "x", [], [], [], "-", "isi", [], None, None, "reference", "h1", None)
    await entries.write_human(tx, human, None)
    number = await requests.add(tx, "set-mode", "tarian", {"from": "shadow", "mode": "trickle"}, "naik", asker)
    await coverage.add_tranche(tx, "jawa", "untuk uji", [])
    sample = await tx.value("select min(id) from sample")
    remark = await remarks.add(tx, "h1", asker, "Di kampung kami juga.")
    return {
        "claim": claim,
        "sample": sample,
        "identity": "item-1",
        "human": "h1",
        "name": "jawa",
        "request": number,
        "remark": remark,
    }


def addresses(planted: Mapping[str, object]) -> list[str]:
    """All pages that anybody signed in may open; the stream of figures is no page."""
    found = []
    for method, path in sorted(DECLARED):
        if method == "GET" and path != STREAM:
            parts = {"risk": "law", "number": planted["request"]} | dict(planted)
            if path.startswith("/entri/"):
                parts |= {"identity": planted["human"], "number": planted["remark"] if "/diskusi/" in path else 1}
            found.append(re.sub(r"\{(\w+)\}", lambda name, parts=parts: str(parts[name.group(1)]), path))
    return [*found, *ASKED]

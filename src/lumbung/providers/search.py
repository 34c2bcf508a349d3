"""Search behind the guard: a JSON endpoint whose findings are proposed to the curator and never fetched from here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lumbung.errors import RefusedError
from lumbung.ports.breaker import Breaker
from lumbung.ports.search import Found
from lumbung.providers.guard import Guard
from lumbung.providers.json_service import JsonService
from lumbung.text.url import normalize

CAPABILITY = "search"
LONGEST_TITLE = 300
LONGEST_SNIPPET = 500
CONTROL = re.compile(r"[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class GuardedSearch:
    """The endpoint is asked `?q=…&format=json`; any list of objects that have a `url` or a `link` is read."""

    service: JsonService
    breaker: Breaker

    async def find(self, query: str, limit: int = 20) -> Sequence[Found]:
        async def attempt(service: JsonService) -> Any:
            return await service.ask("GET", "", query={"q": query, "format": "json"})

        answer = await Guard(CAPABILITY, self.breaker).call([self.service], attempt)
        found: dict[str, Found] = {}
        for each in proposals(answer):
            found.setdefault(each.url, each)
        return list(found.values())[:limit]


def proposals(answer: Any) -> Iterator[Found]:
    for result in results_in(answer):
        try:
            url = normalize(str(result.get("url") or result.get("link")))
        except RefusedError:
            continue
        snippet = result.get("content") or result.get("snippet") or result.get("description") or ""
        yield Found(url, plain(result.get("title"), LONGEST_TITLE), plain(snippet, LONGEST_SNIPPET))


def results_in(answer: Any) -> list[dict[str, Any]]:
    """The first list of results, at the top or one level below: services name it differently."""
    if isinstance(answer, list):
        return [each for each in answer if isinstance(each, dict) and ("url" in each or "link" in each)]
    if isinstance(answer, dict):
        for inner in answer.values():
            if found := results_in(inner):
                return found
    return []


def plain(text: Any, longest: int) -> str:
    return CONTROL.sub(" ", str(text or "")).strip()[:longest]

"""An upper bound of tokens without a tokenizer: no token of a byte-level vocabulary is shorter than a byte."""

from __future__ import annotations

from collections.abc import Iterable

OVERHEAD_TOKENS = 1000
"""For what the endpoint adds around our text: roles, separators, its own words about tools and schemas."""


def token_bound(texts: Iterable[str]) -> int:
    """At most so many tokens; scripts outside Latin really cost about one a byte."""
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) + OVERHEAD_TOKENS

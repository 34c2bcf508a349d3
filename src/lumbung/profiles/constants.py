"""Every constant the program reads from a profile, and the limits within which it makes sense."""

from __future__ import annotations

from types import MappingProxyType

_PROBABILITY = (0.0, 1.0)
_WEIGHT = (-100.0, 100.0)
_COUNT = (0, 1_000_000_000)
_SECONDS = (0, 31_536_000)
_RATIO = (1.0, 10_000.0)

REQUIRED_CONSTANTS = MappingProxyType(
    {
        "fusion.prior_odds": (0.0001, 10_000.0),
        "fusion.ratio.academic": _RATIO,
        "fusion.ratio.official": _RATIO,
        "fusion.ratio.community": _RATIO,
        "fusion.ratio.unknown": _RATIO,
        "fusion.ratio.encyclopaedia": _RATIO,
        "fusion.theta": _PROBABILITY,
        "fusion.theta_sensitive": _PROBABILITY,
        "fusion.flag_margin": _PROBABILITY,
        "fusion.independent_sources_sensitive": (2, 100),
        "extractor.precision": _PROBABILITY,
        "extractor.precision.ocr": _PROBABILITY,
        "novelty.tau": _PROBABILITY,
        "similarity.alpha": _PROBABILITY,
        "similarity.beta": _PROBABILITY,
        "similarity.gamma": _PROBABILITY,
        "crawl.host_delay_seconds": _SECONDS,
        "crawl.max_depth": _COUNT,
        "crawl.pages_per_host": _COUNT,
        "crawl.priority.bias": _WEIGHT,
        "crawl.priority.link_context": _WEIGHT,
        "crawl.priority.url_tokens": _WEIGHT,
        "crawl.priority.page_kind": _WEIGHT,
        "crawl.priority.page_topic": _WEIGHT,
        "crawl.priority.depth": _WEIGHT,
        "crawl.priority.host_yield": _WEIGHT,
        "crawl.priority.language": _WEIGHT,
        "crawl.priority.denylist": _WEIGHT,
        "crawl.priority.exploration": _PROBABILITY,
        "frontier.phi_min": _COUNT,
        "frontier.inject_by_itself": (0, 1),
        "backoff.first_seconds": _SECONDS,
        "backoff.factor": (1, 100),
        "backoff.cap_seconds": _SECONDS,
        "backoff.tries": (1, 1000),
        "gate.threshold": _PROBABILITY,
        "gate.min_characters": _COUNT,
        "gate.min_words": _COUNT,
        "gate.random_order_share": _PROBABILITY,
        "audit.p_min": _PROBABILITY,
        "audit.confidence": _PROBABILITY,
        "audit.rate": _PROBABILITY,
        "audit.rate_flagged": _PROBABILITY,
        "audit.rate_sensitive": _PROBABILITY,
        "audit.rate_rejected": _PROBABILITY,
        "audit.second_reading_share": _PROBABILITY,
        "audit.gold_share": _PROBABILITY,
        "audit.ece_limit": _PROBABILITY,
        "audit.label_silence_seconds": _SECONDS,
        "autonomy.trickle_per_day": _COUNT,
    }
)

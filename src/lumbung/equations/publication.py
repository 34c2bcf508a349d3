"""Eq. (19): which facts may be published without a person."""

from __future__ import annotations

from dataclasses import dataclass

FLAG_MARGIN = 0.07
MINIMUM_INDEPENDENT = 2


@dataclass(frozen=True, slots=True)
class PublicationVerdict:
    passes: bool
    flagged: bool
    """Published with a visible low-confidence mark, and audited more."""
    reason: str


def may_publish(
    probability: float,
    theta: float,
    sensitive: bool,
    theta_sensitive: float,
    independent_sources: int,
    margin: float = FLAG_MARGIN,
    needed: int = MINIMUM_INDEPENDENT,
) -> PublicationVerdict:
    """Eq. (19): P >= theta; a sensitive fact needs the higher threshold and independent sources besides.

    Whatever the rows say, the sensitive threshold is never below the ordinary one, and fewer than two sources never
    suffice. A probability that is
    not a number passes nothing, because no comparison with it is true.
    """
    needed = max(needed, MINIMUM_INDEPENDENT)
    threshold = max(theta, theta_sensitive) if sensitive else theta
    if not probability >= threshold:
        name = "theta_s" if sensitive else "theta"
        return PublicationVerdict(False, False, f"probability {probability:.3f} is below {name} {threshold:.3f}")
    if sensitive and independent_sources < needed:
        found = f"{independent_sources} independent source" + ("" if independent_sources == 1 else "s")
        return PublicationVerdict(False, False, f"sensitive, with {found} of {needed} needed")
    flagged = probability <= threshold + margin + 1e-12
    reason = f"probability {probability:.3f} reaches {threshold:.3f}"
    return PublicationVerdict(True, flagged, reason + (", closely" if flagged else ""))

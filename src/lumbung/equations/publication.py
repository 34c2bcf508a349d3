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
) -> PublicationVerdict:
    """Eq. (19): P >= theta; a sensitive fact needs the higher threshold and two independent sources besides.

    Whatever the rows say, the sensitive threshold is never below the ordinary one. A probability that is
    not a number passes nothing, because no comparison with it is true.
    """
    threshold = max(theta, theta_sensitive) if sensitive else theta
    if not probability >= threshold:
        name = "theta_s" if sensitive else "theta"
        return PublicationVerdict(False, False, f"probability {probability:.3f} is below {name} {threshold:.3f}")
    if sensitive and independent_sources < MINIMUM_INDEPENDENT:
        found = f"{independent_sources} independent source" + ("" if independent_sources == 1 else "s")
        return PublicationVerdict(False, False, f"sensitive, with {found} of {MINIMUM_INDEPENDENT} needed")
    flagged = probability <= threshold + margin + 1e-12
    reason = f"probability {probability:.3f} reaches {threshold:.3f}"
    return PublicationVerdict(True, flagged, reason + (", closely" if flagged else ""))

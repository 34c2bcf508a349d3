"""What the licence of a work allows, from its text, its address or its page.

A licence counts only if it is named with its version or linked at its own address; an address without a version
leads to the newest one, words without a version leave the licence open. Contradicting statements allow nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from lumbung.text.licence_evidence import Evidence, of_expression, of_link, of_text
from lumbung.text.licence_names import is_free, needs_attribution, of_spdx
from lumbung.text.licence_page import of_page
from lumbung.text.licence_wording import SPDX_EXPRESSION


@dataclass(frozen=True, slots=True)
class LicenceVerdict:
    licence: str | None
    """SPDX identifier."""
    reusable: bool
    """The library may store and show a copy."""
    attribution_required: bool
    reason: str


def read_licence(text: str = "", url: str = "", html: str = "", also_reusable: Collection[str] = ()) -> LicenceVerdict:
    """The verdict on all that is given; `also_reusable` widens what the profile lets the library copy."""
    evidence: list[Evidence] = []
    if url:
        evidence.append(of_link(url) or Evidence(None, f"{url[:80]} is not the address of a licence"))
    if text:
        is_expression = SPDX_EXPRESSION.fullmatch(text.strip()) and any(map(of_spdx, text.split()))
        evidence.extend(of_expression(text.strip()) if is_expression else of_text(text))
    if html:
        evidence.extend(of_page(html))
    return _weigh(evidence, frozenset(also_reusable))


def _weigh(evidence: list[Evidence], also_reusable: frozenset[str]) -> LicenceVerdict:
    declared = [piece for piece in evidence if piece.declared and piece.spdx]
    speaking = declared or [piece for piece in evidence if not piece.forbids]
    named = sorted({piece.spdx for piece in speaking if piece.spdx})
    forbidding = next((piece for piece in evidence if _forbids(piece, named)), None)
    if not named:
        piece = forbidding or next(iter(speaking), None)
        reason = piece.reason if piece else "no licence is named"
        return LicenceVerdict(None, reusable=False, attribution_required=False, reason=reason)
    if forbidding:
        return _refused(named, f"conflict: {', '.join(named)}, but it also {forbidding.reason}")
    strict = _strictest(evidence, named)
    chosen = _one_licence(strict)
    if chosen is None:
        return _refused(strict, f"conflict: {', '.join(strict)}")
    reusable = is_free(chosen) or chosen in also_reusable
    reason = next((piece.reason for piece in evidence if piece.spdx == chosen), chosen)
    if not reusable:
        reason += "; not among the licences under which the library may keep a copy"
    return LicenceVerdict(chosen, reusable, needs_attribution(chosen), reason)


def _forbids(piece: Evidence, named: list[str]) -> bool:
    """What a licence itself reserves, as BY-NC does trade, is no conflict with it."""
    return piece.forbids and not (piece.unless and named and all(f"-{piece.unless}-" in name for name in named))


def _strictest(evidence: list[Evidence], named: list[str]) -> list[str]:
    """What is declared leads, but words on the page that are less free than it are not passed over."""
    unfree = {
        piece.spdx for piece in evidence if piece.spdx and not is_free(piece.spdx) and not piece.spdx.startswith("GFDL")
    }
    return sorted(set(named) | unfree)


def _one_licence(named: list[str]) -> str | None:
    """One licence, or one in several versions, or one beside the GFDL, which only adds a grant."""
    others = [name for name in named if not name.startswith("GFDL")] or named
    kinds = {_kind(name) for name in others}
    return max(others, key=_version) if len(kinds) == 1 else None


def _kind(name: str) -> str:
    return re.split(r"-?\d", name, maxsplit=1)[0]


def _version(name: str) -> tuple[str, int, str]:
    number = re.search(r"\d\.\d", name)
    return number.group() if number else "", len(name), name


def _refused(named: list[str], reason: str) -> LicenceVerdict:
    only = named[0] if len(named) == 1 else None
    return LicenceVerdict(
        None, reusable=False, attribution_required=bool(only and needs_attribution(only)), reason=reason
    )

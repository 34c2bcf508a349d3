"""A fresh installation: version 1 of every governed row from the profile, every category in shadow.

A newer release may ship other words; then the lexicon has a new version, which keeps what people changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lumbung.governance.constants import DEFAULTS
from lumbung.governance.scope_rows import SCOPE, SENSITIVE_LIST, terms_as_rows
from lumbung.model.profile import Profile
from lumbung.store import governed, lexicon
from lumbung.store.database import Transaction
from lumbung.text.lexicon import Words


async def install(tx: Transaction, profile: Profile) -> list[str]:
    """Set what has no version yet; returns the names. Rows that people changed are left as they are."""
    known = await governed.values_now(tx)
    words = Words().as_row(profile)
    wanted: dict[str, object] = {
        **DEFAULTS,
        **profile.constants,
        **{f"mode.{code}": "shadow" for code in profile.categories},
        SENSITIVE_LIST: terms_as_rows(profile.sensitive),
        SCOPE: profile.scope,
        lexicon.ROW: words,
        "profile": {"name": profile.name, "version": profile.version},
    }
    missing = sorted(set(wanted) - set(known))
    await _take_over_shipped_words(tx, known.get(lexicon.ROW), words)
    if not missing:
        return []
    action = await governed.append_action(
        tx, None, "install", profile.name, "version 1 from the profile", {"rows": missing}
    )
    for name in missing:
        await governed.set_value(tx, name, wanted[name], action)
    return missing


async def _take_over_shipped_words(tx: Transaction, row: Mapping[str, Any] | None, new: Mapping[str, Any]) -> None:
    if row is None or row["digest"] == new["digest"]:
        return
    shipped = {name: new[name] for name in ("words", "digest")}
    action = await governed.append_action(
        tx, None, "install", lexicon.ROW, "the profile ships other words", {"before": row["digest"], **shipped}
    )
    await governed.set_value(tx, lexicon.ROW, dict(row) | shipped, action)

"""A fresh installation: version 1 of every governed row from the profile, every category in shadow."""

from __future__ import annotations

from lumbung.governance.actions.scope import SCOPE, SENSITIVE_LIST, terms_as_rows
from lumbung.governance.audit.sampling import DEFAULTS
from lumbung.model.profile import Profile
from lumbung.store import governed
from lumbung.store.database import Transaction


async def install(tx: Transaction, profile: Profile) -> list[str]:
    """Set what has no version yet; returns the names. Rows that people changed are left as they are."""
    known = await governed.values_now(tx)
    wanted: dict[str, object] = {
        **DEFAULTS,
        **profile.constants,
        **{f"mode.{code}": "shadow" for code in profile.categories},
        SENSITIVE_LIST: terms_as_rows(profile.sensitive),
        SCOPE: profile.scope,
        "profile": {"name": profile.name, "version": profile.version},
    }
    missing = sorted(set(wanted) - set(known))
    if not missing:
        return []
    action = await governed.append_action(
        tx, None, "install", profile.name, "version 1 from the profile", {"rows": missing}
    )
    for name in missing:
        await governed.set_value(tx, name, wanted[name], action)
    return missing

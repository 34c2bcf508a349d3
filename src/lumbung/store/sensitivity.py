"""Sensitivity by the list in force: the guardian's governed row, or the profile's proposal where there is none."""

from __future__ import annotations

from dataclasses import replace

from lumbung.model.profile import Profile, SensitiveTerm
from lumbung.store import governed
from lumbung.store.database import Transaction
from lumbung.text.sensitive import Sensitivity

ROW = "sensitive.list"


class GovernedSensitivity:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._version = 0
        self._current = Sensitivity(profile)

    async def current(self, tx: Transaction) -> Sensitivity:
        version = (await governed.versions_now(tx)).get(ROW, 0)
        if version != self._version:
            rows = (await governed.values_now(tx)).get(ROW) or []
            terms = tuple(SensitiveTerm(**row) for row in rows)
            self._current = Sensitivity(replace(self._profile, sensitive=terms))
            self._version = version
        return self._current

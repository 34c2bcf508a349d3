"""Which words are in force: the governed row of what people changed of the profile's lexicon."""

from __future__ import annotations

from collections.abc import Mapping

from lumbung.errors import StaleRead
from lumbung.model.profile import Profile
from lumbung.store import governed
from lumbung.store.database import Transaction
from lumbung.text.lexicon import Words

ROW = "lexicon.words"


async def in_force(tx: Transaction) -> Words:
    """What holds now; the profile's own words where nothing was installed yet."""
    version = (await governed.versions_now(tx)).get(ROW)
    return Words() if version is None else Words.from_row((await governed.values_now(tx))[ROW], version)


async def require(tx: Transaction, profile: Profile) -> None:
    require_version(await governed.versions_now(tx), profile)


def require_version(versions: Mapping[str, int], profile: Profile) -> None:
    """Nothing is read or decided with words that are no longer in force; the process is taking the others over."""
    if versions.get(ROW, profile.words_version) != profile.words_version:
        raise StaleRead("The words in force changed; they are being taken over.")

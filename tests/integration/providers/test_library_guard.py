"""A remote library behind the breaker that all workers share."""

from __future__ import annotations

import pytest

from lumbung.errors import ProviderDown, TransientError
from lumbung.ports.library import HumanOwned, OutcomeUnknown, SeenEntry
from lumbung.providers.library.guarded import GuardedLibrary
from lumbung.store.breakers import BreakerRules, SharedBreakers
from lumbung.store.database import Database

SEEN = SeenEntry("7", "machine", False, "1", "digest", "Tari Piring")


class Library:
    """Does what the test says, and counts."""

    name = "pdbi"
    read_only = False

    def __init__(self):
        self.error = None
        self.asked = 0

    async def look(self, identity, remote_id=None):
        self.asked += 1
        if self.error:
            raise self.error
        return SEEN

    async def write(self, entry, seen):
        return await self.look("")

    async def withdraw(self, identity, seen, reason):
        await self.look(identity)


@pytest.fixture
async def guarded(logins):
    database = Database(logins.machine)
    await database.open()
    library = Library()
    yield library, [GuardedLibrary(library, SharedBreakers(database, BreakerRules(failures=3))) for _ in range(2)]
    await database.close()


async def test_after_several_failures_no_worker_asks_the_library_and_the_work_is_kept(guarded):
    library, workers = guarded
    library.error = TransientError("the library cannot be reached")
    for worker in (workers[0], workers[1]):
        with pytest.raises(TransientError):
            await worker.look("a")
    for worker in (workers[0], workers[1], workers[0]):
        with pytest.raises((ProviderDown, TransientError)) as raised:
            await worker.look("a")
    assert isinstance(raised.value, ProviderDown)
    assert library.asked == 3


async def test_a_lost_answer_counts_but_stays_an_unknown_outcome(guarded):
    library, (worker, other) = guarded
    library.error = OutcomeUnknown("the answer was lost")
    for _ in range(3):
        with pytest.raises(OutcomeUnknown):
            await worker.write(None, SEEN)
    with pytest.raises(ProviderDown):
        await other.look("a")


async def test_what_people_own_is_no_failure_of_the_library(guarded):
    library, (worker, _) = guarded
    library.error = HumanOwned("people own it", "human")
    for _ in range(5):
        with pytest.raises(HumanOwned):
            await worker.withdraw("a", SEEN, "no claim lives")
    library.error = None
    assert await worker.look("a") == SEEN

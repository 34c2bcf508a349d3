"""Keys of the installation: shared by its processes, renewed every period, out of the machine's sight."""

from __future__ import annotations

import asyncio

import pytest

from lumbung.errors import LumbungError
from lumbung.store import signing
from lumbung.store.database import Database


async def keys_of(logins):
    people = Database(logins.people)
    await people.open()
    try:
        async with people.transaction() as tx:
            return await signing.keys(tx)
    finally:
        await people.close()


async def a_period_passes(logins):
    owner = Database(logins.owner)
    await owner.open()
    async with owner.transaction() as tx:
        await tx.run("update signing_key set period = -period")
        await tx.run("update signing_key set period = -period - 1")
    await owner.close()


async def test_processes_that_start_together_share_one_key(logins):
    found = await asyncio.gather(*(keys_of(logins) for _ in range(4)))
    assert len({tuple(each) for each in found}) == 1
    assert len(found[0]) == 1
    assert len(found[0][0]) > 40


async def test_the_last_key_is_believed_for_one_more_period_and_then_gone(logins):
    (first,) = await keys_of(logins)
    await a_period_passes(logins)
    assert [first, *(await keys_of(logins))[1:]] == await keys_of(logins)
    second = (await keys_of(logins))[1]
    assert second != first
    await a_period_passes(logins)
    before, third = await keys_of(logins)
    assert (before, third not in {first, second}) == (second, True)


async def test_the_machine_s_login_reads_no_key(logins):
    machine = Database(logins.machine)
    await machine.open()
    try:
        with pytest.raises(LumbungError, match="permission denied"):
            async with machine.transaction() as tx:
                await signing.keys(tx)
    finally:
        await machine.close()

"""A governed installation on a fresh database, with people of every role."""

from __future__ import annotations

import pytest

from lumbung.governance.actions.people import create_person, grant_role
from lumbung.governance.installation import install
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.profiles.loader import load_profile
from lumbung.store import people
from lumbung.store.database import Database


class House:
    """The two logins of a test database and a cast of people, by name."""

    def __init__(self, machine: Database, people_login: Database) -> None:
        self.machine, self.people = machine, people_login
        self.profile = load_profile("pdbi")

    async def person(self, login: str, *roles: Role, scope: str = "*"):
        """Somebody with these roles, as the actor they are now."""
        async with self.people.transaction() as tx:
            known = await people.by_login(tx, login)
            number = known["id"] if known else await create_person(tx, OPERATOR_AT_THE_MACHINE, login, login, None)
            for role in roles:
                await grant_role(tx, OPERATOR_AT_THE_MACHINE, number, role, "for the test", scope)
            return await people.actor_of(tx, number)


@pytest.fixture
async def house(logins):
    machine, people_login = Database(logins.machine), Database(logins.people)
    await machine.open()
    await people_login.open()
    made = House(machine, people_login)
    async with people_login.transaction() as tx:
        await install(tx, made.profile)
    yield made
    await machine.close()
    await people_login.close()

"""A governed installation on a fresh database, with people of every role and the real stages beside them."""

from __future__ import annotations

import pytest

from lumbung.governance.actions.approvals import approve_request
from lumbung.governance.actions.modes import CHECKLISTS, request_mode, sign_off
from lumbung.governance.actions.people import create_person, grant_role
from lumbung.governance.actions.scope import ratify
from lumbung.governance.installation import install
from lumbung.governance.steward.handler import StewardHandler
from lumbung.model.candidate import Candidate, ExtractedFact, PageKind, PageText
from lumbung.model.job import NewJob
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.profiles.loader import load_profile
from lumbung.runtime.worker import Worker
from lumbung.stages.decide.handler import DecideHandler
from lumbung.stages.encode.handler import EncodeHandler
from lumbung.stages.extract.drafts import draft
from lumbung.stages.publish.handler import PublishHandler
from lumbung.store import candidates, documents, jobs, people
from lumbung.store.database import Database
from lumbung.store.documents import NewDocument
from lumbung.text.kinship import sketch
from lumbung.text.region import Gazetteer
from lumbung.text.sensitive import Sensitivity
from lumbung.text.url import host_of, registrable_domain

PROFILE = load_profile("pdbi")
GAZETTEER = Gazetteer(PROFILE)
SENSITIVITY = Sensitivity(PROFILE)


class House:
    """The two logins of a test database, a cast of people, and the stages that carry a page into the library."""

    profile = PROFILE
    gazetteer = GAZETTEER

    def __init__(self, machine: Database, people_login: Database) -> None:
        self.machine, self.people = machine, people_login
        handlers = (
            EncodeHandler(PROFILE, GAZETTEER),
            DecideHandler(PROFILE, GAZETTEER),
            PublishHandler(PROFILE, "test"),
            StewardHandler(PROFILE),
        )
        self.handlers = {handler.stage: handler for handler in handlers}
        self.worker = Worker(machine, None, self.handlers)

    async def person(self, login: str, *roles: Role, scope: str = "*"):
        """Somebody with these roles, as the actor they are now."""
        async with self.people.transaction() as tx:
            known = await people.by_login(tx, login)
            number = known["id"] if known else await create_person(tx, OPERATOR_AT_THE_MACHINE, login, login, None)
            for role in roles:
                await grant_role(tx, OPERATOR_AT_THE_MACHINE, number, role, "for the test", scope)
            return await people.actor_of(tx, number)

    async def cast(self):
        """One person a role."""
        return {
            role: await self.person(f"the-{role.value}", role)
            for role in (Role.OPERATOR, Role.CURATOR, Role.APPROVER, Role.AUDITOR, Role.GUARDIAN)
        }

    async def ratified(self, cast):
        async with self.people.transaction() as tx:
            await ratify(tx, cast[Role.GUARDIAN], ["a community"], "talked over")

    async def raised(self, cast, category, mode):
        """One step up, as it should be done."""
        async with self.people.transaction() as tx:
            number = await request_mode(tx, cast[Role.CURATOR], category, mode, "ready")
            for risk, role in (("culture", Role.GUARDIAN), ("corpus", Role.AUDITOR), ("law", Role.OPERATOR)):
                await sign_off(tx, cast[role], number, risk, CHECKLISTS[risk], "looked at")
            await approve_request(tx, cast[Role.APPROVER], number, "all signed")
        return number

    async def page(
        self, url, name, facts=(("fungsi", "hiburan rakyat"),), category="tarian", regions=("ID-SB",), tranche=None
    ):
        """A page that states each fact in a line of its own, as far as stage 2 brings it."""
        whole = "\n".join([name, *(f"{attribute}: {value}" for attribute, value in facts), url * 3])
        found = []
        for attribute, value in facts:
            start = whole.index(f"{attribute}: {value}") + len(attribute) + 2
            found.append(ExtractedFact(attribute, value, value, start, start + len(value), "ind", 0.9))
        text = PageText(name, whole, "ind", "Latn", PageKind.ITEM)
        candidate = Candidate(name, (), category, tuple(regions), tuple(found), (), "lexical")
        host = host_of(url)
        async with self.machine.transaction() as tx:
            number = await documents.add(
                tx,
                NewDocument(
                    url,
                    url,
                    host,
                    registrable_domain(host),
                    url,
                    200,
                    "text/html",
                    [],
                    [],
                    b"x",
                    "item",
                    tranche=tranche,
                ),
            )
            await documents.keep_reading(tx, number, text, sketch(text.text))
            await documents.keep_text(tx, number, "1", text)
            new = draft(candidate, 0, number, (url, url), "1", "test", PROFILE, SENSITIVITY)
            await candidates.add(tx, new)
            await jobs.add(tx, [NewJob("encode", new.digest, {"node": new.digest})])
        return new.digest

    async def work(self):
        """Everything that is ready, stage by stage, until nothing is."""
        busy = True
        while busy:
            busy = False
            for stage, handler in self.handlers.items():
                async with self.machine.transaction() as tx:
                    ready = await jobs.ready_of(tx, stage, 1000)
                if ready:
                    busy = True
                    await self.worker._handle(handler, ready)
        async with self.machine.transaction() as tx:
            assert await jobs.dead(tx) == []

    async def entries(self):
        async with self.people.transaction() as tx:
            return await tx.rows(
                "select identity, title, status, category from entry where owner = 'machine' order by title"
            )


@pytest.fixture
async def house(logins):
    machine, people_login = Database(logins.machine), Database(logins.people)
    await machine.open()
    await people_login.open()
    made = House(machine, people_login)
    async with people_login.transaction() as tx:
        await install(tx, PROFILE)
    yield made
    await machine.close()
    await people_login.close()

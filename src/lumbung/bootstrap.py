"""The composition root: settings become engines, stores and providers; `funnel` puts the stages together from them.

What only some commands need is imported where it is made, so that a question about the state costs no start of the funnel.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from lumbung.config import Settings
from lumbung.errors import SettingsError
from lumbung.governance.installation import install
from lumbung.model.profile import Profile
from lumbung.profiles.loader import load_profile
from lumbung.runtime.engines import Engines
from lumbung.store import health, ledger, lexicon
from lumbung.store.database import Database
from lumbung.store.migrate import migrate

if TYPE_CHECKING:
    from lumbung.capabilities import Capabilities
    from lumbung.ports.archive import Archive
    from lumbung.ports.pictures import PictureShelf
    from lumbung.providers.inference.gateway import GuardedInference
    from lumbung.providers.library.guarded import GuardedLibrary
    from lumbung.providers.library.http import HttpLibrary
    from lumbung.stages.extract.llm import LlmExtractor
    from lumbung.stages.extract.translated import TranslatedReader
    from lumbung.text.lexicon import Words
    from lumbung.text.region import Gazetteer

Progress = Callable[[str], None]

YOUNG_OBJECTS = 10_000
"""Made since the last search for garbage before the next: those of the pages of one commit are thousands, and none is garbage."""


@dataclass(frozen=True)
class Addresses:
    """Where the engines are, embedded or not."""

    owner: str | None
    machine: str
    people: str | None
    nats: str


@dataclass
class LocalNames:
    """Hosts that are resolved locally: `host -> address:port`, and whose addresses may therefore be asked."""

    hosts: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass
class System:
    """What every part is made of; the parts themselves are made on demand."""

    settings: Settings
    addresses: Addresses
    machine: Database
    people: Database
    profile: Profile
    names: LocalNames

    @cached_property
    def gazetteer(self) -> Gazetteer:
        from lumbung.text.region import Gazetteer

        return Gazetteer(self.profile)

    @cached_property
    def capabilities(self) -> Capabilities:
        from lumbung.capabilities import Capabilities

        return Capabilities(self.settings, self.machine)

    @cached_property
    def inference(self) -> GuardedInference | None:
        return self.capabilities.inference()

    @cached_property
    def extractor(self) -> LlmExtractor | TranslatedReader | None:
        return self.capabilities.extractor(self.inference, self.profile, self.gazetteer)

    @property
    def extractor_version(self) -> str:
        from lumbung.text.extraction.version import EXTRACTOR_VERSION
        from lumbung.text.lexicon import read_with

        return read_with(self.extractor.version if self.extractor else EXTRACTOR_VERSION, self.profile)

    def follow(self, words: Words) -> None:
        """The profile with these words; what was made of it is made anew."""
        self.profile = words.applied_to(load_profile(self.settings.profile))
        for made in ("gazetteer", "extractor"):
            self.__dict__.pop(made, None)

    @cached_property
    def remote_library(self) -> HttpLibrary | None:
        from lumbung.providers.library.opening import open_library

        library = self.settings.library
        if library.mapping is None:
            return None
        token = library.token.get_secret_value() if library.token else None
        return open_library(library.mapping, token, library.read_only)

    @cached_property
    def guarded_library(self) -> GuardedLibrary | None:
        from lumbung.providers.library.guarded import GuardedLibrary
        from lumbung.store.breakers import SharedBreakers

        if self.remote_library is None:
            return None
        return GuardedLibrary(self.remote_library, SharedBreakers(self.machine), self.settings.library.requests_at_once)

    @cached_property
    def archive(self) -> Archive:
        return self.capabilities.archive()

    @cached_property
    def pictures(self) -> PictureShelf:
        return self.capabilities.pictures()


def embedded_addresses(settings: Settings, stack: AsyncExitStack, progress: Progress | None) -> Addresses:
    running = stack.enter_context(Engines.attach(settings.data_dir, progress=progress))
    return Addresses(
        owner=running.postgres_url("owner"),
        machine=running.postgres_url("machine"),
        people=running.postgres_url("people"),
        nats=running.nats_url,
    )


def server_addresses(settings: Settings) -> Addresses:
    machine, nats = settings.database_machine_url, settings.nats_url
    if machine is None or nats is None:
        raise SettingsError(
            "With a database server, set LUMBUNG_DATABASE_MACHINE_URL and LUMBUNG_NATS_URL "
            "(and LUMBUNG_DATABASE_URL and LUMBUNG_DATABASE_OWNER_URL where people and migrations work)."
        )
    return Addresses(
        owner=settings.database_owner_url.get_secret_value() if settings.database_owner_url else None,
        machine=machine.get_secret_value(),
        people=settings.database_url.get_secret_value() if settings.database_url else None,
        nats=nats.get_secret_value(),
    )


@asynccontextmanager
async def open_system(
    settings: Settings, progress: Progress | None = None, names: LocalNames | None = None
) -> AsyncIterator[System]:
    """Engines attached, schema current, governed rows installed, connections open."""
    profile = load_profile(settings.profile)
    async with AsyncExitStack() as stack:
        if settings.embedded():
            addresses = await asyncio.to_thread(embedded_addresses, settings, stack, progress)
        else:
            addresses = server_addresses(settings)
        if addresses.owner and addresses.people:
            await asyncio.to_thread(migrate, addresses.owner, addresses.machine, addresses.people)
        machine = Database(addresses.machine, size=8)
        people = Database(addresses.people or addresses.machine, size=8)
        for database in (machine, people):
            await database.open()
            stack.push_async_callback(database.close)
        async with machine.reading() as tx:
            await health.require_schema(tx)
        if addresses.people:
            budget = settings.budget
            async with people.transaction() as tx:
                await install(tx, profile)
                caps = {"hour": budget.hour_micros, "day": budget.day_micros, "month": budget.month_micros}
                await ledger.install_caps(tx, caps)
        if not gc.get_freeze_count():
            # What is loaded by now stays to the end: to look through it for garbage again and again is a waste.
            gc.freeze()
            gc.set_threshold(YOUNG_OBJECTS)
        async with machine.reading() as tx:
            profile = (await lexicon.in_force(tx)).applied_to(profile)
        yield System(settings, addresses, machine, people, profile, names or LocalNames())


def user_agent(settings: Settings) -> str:
    contact = f" (+{settings.crawl.contact})" if settings.crawl.contact else ""
    return settings.crawl.user_agent + contact

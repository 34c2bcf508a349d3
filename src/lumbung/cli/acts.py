"""One act on the command line: the system, a transaction, and whoever is signed in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from lumbung.cli.identity import acting
from lumbung.cli.lines import write_record
from lumbung.cli.session import system
from lumbung.errors import UsageError
from lumbung.model.permission import Actor

if TYPE_CHECKING:
    from lumbung.bootstrap import System
    from lumbung.store.database import Transaction

Result = TypeVar("Result")
Reason = Annotated[str, typer.Option(help="Why; it stands in the log.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of words.")]


@dataclass(frozen=True, slots=True)
class Act:
    system: System
    tx: Transaction
    actor: Actor


@asynccontextmanager
async def act() -> AsyncIterator[Act]:
    """All that happens inside is committed together, or not at all."""
    async with system() as opened, opened.people.transaction() as tx:
        actor = await acting(tx, opened.settings)
        yield Act(opened, tx, actor.within(opened.profile.regions))


async def carry_out(action: Callable[..., Awaitable[Result]], *arguments: Any, **options: Any) -> Result:
    """One action by whoever is signed in, as the console would have it done."""
    async with act() as now:
        return await action(now.tx, now.actor, *arguments, **options)


async def read(question: Callable[..., Awaitable[Result]], *arguments: Any, **options: Any) -> Result:
    async with act() as now:
        return await question(now.tx, *arguments, **options)


async def person_named(tx: Transaction, login: str) -> dict[str, Any]:
    from lumbung.store import people

    row = await people.by_login(tx, login)
    if row is None:
        raise UsageError(f"There is no person {login}; `lumbung user list` shows who there is.")
    return row


def plain(value: Any) -> Any:
    """Times as text, so that rows can be written as JSON."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.isoformat() if hasattr(value, "isoformat") else value


def tell(as_json: bool, sentence: str, **record: Any) -> None:
    """What was done: a sentence for people, or the same as one JSON object."""
    write_record(plain(record)) if as_json else typer.echo(sentence)

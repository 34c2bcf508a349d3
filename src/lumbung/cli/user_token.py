"""`lumbung user token`: tokens for programs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from lumbung.cli.acts import AsJson, act, carry_out, person_named, plain, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run
from lumbung.errors import UsageError
from lumbung.model.permission import PUBLISH, allow

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Tokens for programs that act in your name, or for machine accounts.\n\n"
    "Example: lumbung user token issue portal --verb create-entry",
)
Name = Annotated[str, typer.Argument(help="Name of the token.")]
Machine = Annotated[
    str | None, typer.Option(metavar="LOGIN", help="As operator: of this machine account, not one's own.")
]


@app.command()
def issue(
    name: Name,
    verb: Annotated[
        list[str] | None, typer.Option(help="What it is good for, such as create-entry; repeatable.")
    ] = None,
    machine: Machine = None,
    days: Annotated[float | None, typer.Option(min=0, help="It ends after so many days.")] = None,
    json: AsJson = False,
) -> None:
    """Print a new token, once; it is never good for more than your own roles. That of a machine account publishes.

    Example: lumbung user token issue portal --verb create-entry --verb revise-entry
    """
    from lumbung.governance.actions.people import issue_machine_token, issue_token

    if bool(verb) == (machine is not None):
        raise UsageError("Name what the token is good for with --verb, or a machine account with --machine.")
    until = None if days is None else datetime.now(UTC) + timedelta(days=days)
    if machine is None:
        token = run(carry_out(issue_token, name, tuple(verb or ()), until))
    else:
        token = run(carry_out(issue_machine_token, machine, name, until))
    tell(json, token, name=name, token=token, verbs=verb or [PUBLISH], until=until)


@app.command("list")
def list_(machine: Machine = None, json: AsJson = False) -> None:
    """Your tokens by name, what each is good for, and until when; the tokens themselves are shown to nobody again.

    Example: lumbung user token list
    """
    for row in run(tokens(machine)):
        if json:
            write_record(plain(row))
            continue
        ended = f"revoked {row['revoked_at']:%Y-%m-%d}" if row["revoked_at"] else ""
        until = f"until {row['expires_at']:%Y-%m-%d}" if row["expires_at"] else ""
        typer.echo("  ".join(each for each in (row["name"], ", ".join(row["scopes"]), until, ended) if each))


async def tokens(machine: str | None) -> list[dict[str, Any]]:
    from lumbung.store import people

    async with act() as now:
        if machine is not None:
            allow(now.actor, "create-person")
            return await people.tokens_of(now.tx, (await person_named(now.tx, machine))["id"])
        if now.actor.person is None:
            raise UsageError("Sign in with `lumbung user login`, or name a machine account with --machine.")
        return await people.tokens_of(now.tx, now.actor.person)


@app.command()
def revoke(name: Name, machine: Machine = None, json: AsJson = False) -> None:
    """Take a token back at once.

    Example: lumbung user token revoke portal
    """
    from lumbung.governance.actions.people import revoke_machine_token, revoke_token

    if machine is None:
        run(carry_out(revoke_token, name))
    else:
        run(carry_out(revoke_machine_token, machine, name))
    tell(json, f"{name} is revoked.", name=name, revoked=True)

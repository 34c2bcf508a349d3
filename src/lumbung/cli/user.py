"""`lumbung user`"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from lumbung.cli import user_token
from lumbung.cli.acts import act, carry_out, person_named, plain, tell
from lumbung.cli.identity import forget_token, keep_token, kept_token
from lumbung.cli.lines import write_record
from lumbung.cli.session import run, system, talk
from lumbung.errors import UsageError
from lumbung.model.permission import ALL_SCOPES, Role

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help='People, roles and sign-in on the command line.\n\nExample: lumbung user create ayu --name "Ayu Lestari" --role auditor',
)
Login = Annotated[str, typer.Argument(help="The person's login.")]
Reason = Annotated[str, typer.Option(help="Why; it stands in the log.")]
ReasonForOthers = Annotated[str, typer.Option(help="Why; needed for somebody else's account, and stands in the log.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of words.")]
FromInput = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]
app.add_typer(user_token.app, name="token")


@app.callback()
def user() -> None:
    """People, roles and sign-in on the command line."""


def role_named(name: str) -> Role:
    try:
        return Role(name)
    except ValueError:
        raise UsageError(f"There is no role {name}; there are {', '.join(Role)}.") from None


def asked_password(from_input: bool, confirm: bool) -> str:
    if from_input:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise UsageError("There is no terminal to ask for the password; give it with --password-stdin.")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=confirm, err=True))


@app.command()
def create(
    login: Login,
    name: Annotated[str, typer.Option(help="Name as others see it.")] = "",
    role: Annotated[list[str] | None, typer.Option(help="Role to grant at once; repeatable.")] = None,
    password_stdin: FromInput = False,
    without_password: Annotated[bool, typer.Option(help="No sign-in by password.")] = False,
    machine: Annotated[bool, typer.Option(help="An account of a machine: tokens only.")] = False,
    reason: Annotated[str, typer.Option(help="Why; it stands in the log.")] = "",
    json: AsJson = False,
) -> None:
    """Create an account.

    Example: lumbung user create ayu --name "Ayu Lestari" --role auditor
    """
    roles = [role_named(each) for each in role or []]
    password = None if without_password or machine else asked_password(password_stdin, confirm=True)
    person = run(make(login, name, roles, password, machine, reason))
    write_record({"person": person, "login": login}) if json else typer.echo(f"{login} is person {person}.")


async def make(login: str, name: str, roles: list[Role], password: str | None, machine: bool, reason: str) -> int:
    from lumbung.governance.actions.people import create_person, grant_role

    async with act() as now:
        person = await create_person(now.tx, now.actor, login, name, password, machine, reason)
        for role in roles:
            await grant_role(now.tx, now.actor, person, role, "granted with the account")
        return person


@app.command("list")
def list_(json: AsJson = False) -> None:
    """Everybody, with the roles in force.

    Example: lumbung user list
    """
    for row in run(everybody()):
        if json:
            write_record(plain(row))
            continue
        roles = ", ".join(told(grant) for grant in row["grants"]) or "no role"
        typer.echo(f"{row['login']:<20} {roles}  {row['name']}")


def told(grant: dict[str, Any]) -> str:
    scope = "" if grant["scope"] == ALL_SCOPES else f" for {grant['scope']}"
    until = f" until {grant['expires_at']}" if grant["expires_at"] else ""
    return f"{grant['role']}{scope}{until}"


async def everybody() -> list[dict[str, Any]]:
    from lumbung.store import people

    async with act() as now:
        return await people.everybody(now.tx)


@app.command()
def grant(
    login: Login,
    role: Annotated[
        str, typer.Argument(help="operator, curator, approver, auditor, guardian, contributor or moderator.")
    ],
    reason: Reason,
    scope: Annotated[str, typer.Option(help="A category, a region or people by its code, or * for all.")] = ALL_SCOPES,
    days: Annotated[float | None, typer.Option(min=0, help="The grant ends after so many days.")] = None,
    json: AsJson = False,
) -> None:
    """Give somebody a role, for a category or for all, for good or for a time.

    Example: lumbung user grant ayu auditor --scope tarian --days 90 --reason "dance scholar"
    """
    until = None if days is None else datetime.now(UTC) + timedelta(days=days)
    run(give(login, role_named(role), reason, scope, until))
    tell(json, f"{login} is {role}.", login=login, role=role, scope=scope, until=until)


async def give(login: str, role: Role, reason: str, scope: str, until: datetime | None) -> None:
    from lumbung.governance.actions.people import grant_role

    async with act() as now:
        if scope != ALL_SCOPES and not now.system.profile.has_scope(scope):
            raise UsageError(f"There is no category, region or people {scope}.")
        person = await person_named(now.tx, login)
        await grant_role(now.tx, now.actor, person["id"], role, reason, scope, until)


@app.command()
def revoke(
    login: Login,
    role: Annotated[str, typer.Argument(help="The role to take back.")],
    reason: Reason,
    scope: Annotated[str | None, typer.Option(help="Only the grant for this category, region or people.")] = None,
    json: AsJson = False,
) -> None:
    """Take a role back; it holds from this moment, in open sessions too.

    Example: lumbung user revoke ayu auditor --reason "left the team"
    """
    run(take_back(login, role_named(role), reason, scope))
    tell(json, f"{login} is no longer {role}.", login=login, role=role, scope=scope, revoked=True)


async def take_back(login: str, role: Role, reason: str, scope: str | None) -> None:
    from lumbung.governance.actions.people import revoke_role

    async with act() as now:
        person = await person_named(now.tx, login)
        await revoke_role(now.tx, now.actor, person["id"], role, reason, scope)


@app.command()
def login(
    login: Login,
    password_stdin: FromInput = False,
    code: Annotated[str, typer.Option(help="Code of the second factor, if one is set.")] = "",
    json: AsJson = False,
) -> None:
    """Sign in; commands then act in this person's name until logout.

    Example: lumbung user login ayu
    """
    run(enter(login, asked_password(password_stdin, confirm=False), code))
    tell(json, f"Signed in as {login}.", login=login, signed_in=True)


async def enter(login: str, password: str, code: str) -> None:
    from lumbung.governance.sign_in import sign_in

    async with system() as opened:
        session = await sign_in(opened.people, login, password, code)
        keep_token(opened.settings, session.token)


@app.command()
def logout(json: AsJson = False) -> None:
    """Sign out; commands then act as the operator at the machine.

    Example: lumbung user logout
    """
    run(leave())
    tell(json, "Signed out.", signed_in=False)


async def leave() -> None:
    from lumbung.store import people

    async with system() as opened, opened.people.transaction() as tx:
        token = kept_token(opened.settings)
        if token is not None:
            await people.close_session(tx, token)
        forget_token(opened.settings)


@app.command()
def password(
    login: Login, reason: ReasonForOthers = "", password_stdin: FromInput = False, json: AsJson = False
) -> None:
    """Set a password, one's own or, with a reason and as operator, anybody's; open sessions end.

    Example: lumbung user password ayu --reason "forgotten; asked for by telephone"
    """
    run(change(login, asked_password(password_stdin, confirm=True), reason))
    tell(json, f"The password of {login} is set.", login=login, password_set=True)


async def change(login: str, new: str, reason: str) -> None:
    from lumbung.governance.actions.people import set_password

    async with act() as now:
        person = await person_named(now.tx, login)
        await set_password(now.tx, now.actor, person["id"], new, reason)


@app.command("second-factor")
def second_factor(
    drop: Annotated[
        str | None, typer.Option(metavar="LOGIN", help="Drop it: one's own or, as operator, anybody's.")
    ] = None,
    reason: ReasonForOthers = "",
    json: AsJson = False,
) -> None:
    """Ask for a code of one's phone at every sign-in, or no longer.

    Example: lumbung user second-factor
    """
    from lumbung.governance.actions.second_factor import set_second_factor
    from lumbung.governance.second_factor import new_secret

    if drop:
        run(drop_factor(drop, reason))
        tell(json, f"{drop} signs in with a password alone.", login=drop, second_factor=False)
        return
    secret = new_secret()
    talk(f"Enter this secret in the phone's application for one-time codes: {secret}")
    run(carry_out(set_second_factor, secret, typer.prompt("The code it shows", err=True)))
    tell(json, "From now on a code is asked for at sign-in.", second_factor=True)


async def drop_factor(login: str, reason: str) -> None:
    from lumbung.governance.actions.second_factor import drop_second_factor

    async with act() as now:
        person = await person_named(now.tx, login)
        await drop_second_factor(now.tx, now.actor, person["id"], reason)


@app.command()
def erase(login: Login, reason: Reason, json: AsJson = False) -> None:
    """Blank a person's name; what they did stays in the log under a number.

    Example: lumbung user erase ayu --reason "asked for it"
    """
    run(blank(login, reason))
    tell(json, f"{login} is erased.", login=login, erased=True)


async def blank(login: str, reason: str) -> None:
    from lumbung.governance.actions.people import erase_person

    async with act() as now:
        person = await person_named(now.tx, login)
        await erase_person(now.tx, now.actor, person["id"], reason)

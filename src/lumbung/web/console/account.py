"""One's own account: roles, password, and the second factor."""

from __future__ import annotations

from fastapi import Request
from itsdangerous import BadSignature, URLSafeTimedSerializer
from starlette.responses import Response

from lumbung.errors import UsageError
from lumbung.governance.actions.people import set_password
from lumbung.governance.actions.second_factor import drop_second_factor, set_second_factor
from lumbung.governance.passwords import password_fits
from lumbung.governance.second_factor import enrolment_address, new_secret
from lumbung.model.permission import Role
from lumbung.store import people
from lumbung.store.database import Transaction
from lumbung.web.console.access import HOME, Desk, back, fields_of, sheet, visitor_of
from lumbung.web.language import Words, chosen_language
from lumbung.web.rendering import signer, system_of
from lumbung.web.signin import welcomed

desk = Desk()
ENROLMENT_SECONDS = 900


@desk.page("/akun", *Role)
async def account(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        row = await people.get(tx, visitor_of(request).person)
    grants = sorted(visitor_of(request).actor.grants)
    return sheet(request, "account.html", grants=grants, second_factor=bool(row and row["second_factor"]))


async def check_password(tx: Transaction, person: int, password: str) -> None:
    """So that an open screen is not enough to change how somebody signs in."""
    row = await people.get(tx, person)
    known = await people.by_login(tx, row["login"]) if row else None
    if known is None or not await password_fits(password, known["password_hash"]):
        raise UsageError("The old password is not right.")


@desk.act("/akun", "set-password")
async def change_password(request: Request) -> Response:
    """Every session ends, and whoever changed it goes on in a new one."""
    fields, visitor = fields_of(request), visitor_of(request)
    async with system_of(request).people.transaction() as tx:
        await check_password(tx, visitor.person, fields.secret("old"))
        await set_password(tx, visitor.actor, visitor.person, fields.secret("password"))
        opened = await people.open_session(tx, visitor.person)
    return welcomed(request, opened, f"{HOME}/akun?selesai=done_password")


async def enrolment(request: Request) -> URLSafeTimedSerializer:
    """The secret waits in the form, sealed for one person, until a code shows that it has arrived."""
    return await signer(request, "lumbung-second-factor")


@desk.page("/akun/faktor-kedua", *Role)
async def offer(request: Request) -> Response:
    secret, visitor = new_secret(), visitor_of(request)
    async with system_of(request).people.transaction() as tx:
        row = await people.get(tx, visitor.person)
    login = row["login"] if row else ""
    return sheet(
        request,
        "second_factor.html",
        secret=" ".join(secret[place : place + 4] for place in range(0, len(secret), 4)),
        address=enrolment_address(secret, login, system_of(request).profile.library_title),
        sealed=(await enrolment(request)).dumps([visitor.person, secret]),
    )


@desk.act("/akun/faktor-kedua", "set-second-factor")
async def enrol(request: Request) -> Response:
    fields, visitor = fields_of(request), visitor_of(request)
    try:
        person, secret = (await enrolment(request)).loads(fields.text("sealed"), max_age=ENROLMENT_SECONDS)
    except (BadSignature, ValueError) as error:
        raise UsageError(Words(chosen_language(request))("form_expired")) from error
    if person != visitor.person:
        raise UsageError(Words(chosen_language(request))("form_expired"))
    async with system_of(request).people.transaction() as tx:
        await check_password(tx, visitor.person, fields.secret("password"))
        await set_second_factor(tx, visitor.actor, secret, fields.text("code"))
    return back("/akun", "done_second_factor")


@desk.act("/akun/faktor-kedua/lepas", "set-second-factor")
async def drop(request: Request) -> Response:
    fields, visitor = fields_of(request), visitor_of(request)
    async with system_of(request).people.transaction() as tx:
        await check_password(tx, visitor.person, fields.secret("password"))
        await drop_second_factor(tx, visitor.actor, visitor.person)
    return back("/akun", "done_second_factor_dropped")

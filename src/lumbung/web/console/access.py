"""Who may open which page and press which button: every route declares it, and nothing is served undeclared."""

from __future__ import annotations

import csv
import hmac
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from lumbung.errors import PermissionRefused, StaleRead, UsageError
from lumbung.governance.actions.people import is_single_handed
from lumbung.library.plain_text import inert
from lumbung.model.permission import PERMISSIONS, Actor, Role
from lumbung.store import console, governed, people
from lumbung.store.database import Transaction
from lumbung.web.details import Details
from lumbung.web.language import Words, chosen_language, messages
from lumbung.web.rendering import page, system_of

COOKIE = "sesi"
HOME = "/ruang-kerja"
LONGEST_FIELD = 200_000
LONGEST_REASON = 500
NOT_GIVEN_BACK = frozenset({"csrf", "password", "old", "code"})
GOVERNING = (Role.OPERATOR, Role.CURATOR, Role.APPROVER, Role.AUDITOR, Role.GUARDIAN)
MENU = (
    ("menu_front", (("", "nav_front"),)),
    (
        "menu_reading",
        (
            ("/tinjauan", "nav_review"),
            ("/audit", "nav_audit"),
            ("/pasangan", "nav_pairs"),
            ("/sengketa", "nav_disputes"),
            ("/mutu", "nav_quality"),
        ),
    ),
    (
        "menu_autonomy",
        (
            ("/otonomi", "nav_autonomy"),
            ("/permintaan", "nav_requests"),
            ("/bayangan", "nav_shadow"),
            ("/angkatan", "nav_batches"),
        ),
    ),
    (
        "menu_harvest",
        (
            ("/cakupan", "nav_coverage"),
            ("/benih", "nav_seeds"),
            ("/frontier", "nav_frontier"),
            ("/bobot", "nav_weights"),
            ("/sumber", "nav_sources"),
            ("/kosakata", "nav_vocabulary"),
        ),
    ),
    ("menu_meaning", (("/makna", "nav_guardian"), ("/label", "nav_labels"), ("/penurunan", "nav_takedowns"))),
    (
        "menu_machine",
        (
            ("/mesin", "nav_machine"),
            ("/gagal", "nav_dead"),
            ("/arsip", "nav_archive"),
            ("/anggaran", "nav_budget"),
            ("/orang", "nav_people"),
            ("/tetapan", "nav_constants"),
            ("/pengaturan", "nav_settings"),
        ),
    ),
    ("menu_record", (("/jelaskan", "nav_explain"), ("/catatan", "nav_log"), ("/akun", "nav_account"))),
)
"""Groups of pages, each under its heading."""
Handler = Callable[..., Awaitable[Response]]


class NotSignedIn(Exception):
    """Not a failure: the way to the sign-in page."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever is signed in, with what every page shows about them and the installation."""

    actor: Actor
    csrf: str
    name: str
    modes: dict[str, int]
    single_handed: bool

    @property
    def person(self) -> int:
        assert self.actor.person is not None
        return self.actor.person

    def has(self, *roles: Role | str) -> bool:
        """In any scope; the action itself looks at the scope."""
        return any(role in roles for role, _ in self.actor.grants)

    def may(self, verb: str) -> bool:
        return self.has(*PERMISSIONS[verb].roles)


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a form that are asked for by name; all others are ignored."""

    given: FormData

    def text(self, name: str, default: str = "") -> str:
        value = self.given.get(name)
        return cleaned(value) if isinstance(value, str) and value.strip() else default

    def many(self, name: str) -> list[str]:
        return [cleaned(value) for value in self.given.getlist(name) if isinstance(value, str)]

    def number(self, name: str) -> int:
        text = self.text(name)
        if not text.isascii() or not text.isdigit() or len(text) > 18:
            raise UsageError(f"{name} is a number.")
        return int(text)

    def numbers(self, name: str) -> list[int]:
        return [int(each) for each in self.many(name) if each.isascii() and each.isdigit() and len(each) <= 18]

    def secret(self, name: str) -> str:
        """A password exactly as it was typed."""
        value = self.given.get(name)
        return value if isinstance(value, str) else ""

    @property
    def reason(self) -> str:
        """As long as its field lets people write; it stands in the log for good."""
        written = self.text("reason")
        if len(written) > LONGEST_REASON:
            raise UsageError(f"A reason has at most {LONGEST_REASON} characters.")
        return written


class FormExpired(PermissionRefused):
    """Not sent from a page of this sign-in; what was typed is given back to whoever typed it."""

    def __init__(self, message: str, fields: Fields) -> None:
        super().__init__(message)
        self.typed = [
            (name, value)
            for name, value in fields.given.multi_items()
            if isinstance(value, str) and name not in NOT_GIVEN_BACK and len(value) <= LONGEST_FIELD
        ]


def as_lines(rows: Iterable[Sequence[str]]) -> str:
    """Rows as they are edited in a form: comma-separated, quoted where they must be."""
    sheet_ = StringIO()
    csv.writer(sheet_, lineterminator="\n").writerows(rows)
    return sheet_.getvalue()


def from_lines(text: str, columns: int) -> list[list[str]]:
    """The rows back, each with so many cells; empty lines are left out."""
    try:
        lines = [[cell.strip() for cell in line] for line in csv.reader(StringIO(text))]
    except csv.Error as error:
        raise UsageError(f"The lines cannot be read: {error}.") from error
    return [(cells + [""] * columns)[:columns] for cells in lines if any(cells)]


def cleaned(text: str) -> str:
    """Without what no database or page should hold; far too long is refused."""
    if len(text) > LONGEST_FIELD:
        raise UsageError("A field of the form is too long.")
    return str(inert(text)).encode("utf-8", "replace").decode("utf-8").strip()


async def unchanged(tx: Transaction, fields: Fields, row: str) -> None:
    """Nobody's edit goes over another's: a form made from an older version than the one in force is refused."""
    seen = fields.text("seen")
    if seen and seen != str((await governed.versions_now(tx)).get(row, 0)):
        raise StaleRead("Somebody changed this while you had it open; open the page again and repeat your change.")


class Desk:
    """The routes of one group of pages. Pages name the roles that may open them, acts the verbs that they do."""

    def __init__(self, under: str = HOME) -> None:
        self.under = under
        self.router = APIRouter(include_in_schema=False)
        self.declared: dict[tuple[str, str], frozenset[Role]] = {}

    def page(self, path: str, *roles: Role) -> Callable[[Handler], Handler]:
        return self._route("GET", path, frozenset(roles))

    def act(self, path: str, *verbs: str) -> Callable[[Handler], Handler]:
        return self._route("POST", path, frozenset(role for verb in verbs for role in PERMISSIONS[verb].roles))

    def _route(self, method: str, path: str, roles: frozenset[Role]) -> Callable[[Handler], Handler]:
        address = self.under + path
        self.declared[method, address] = roles

        async def guard(request: Request) -> None:
            await admit(request, roles)

        def register(handler: Handler) -> Handler:
            self.router.add_api_route(
                address, handler, methods=[method], dependencies=[Depends(guard)], response_model=None
            )
            return handler

        return register


async def signed_in(request: Request) -> Visitor | None:
    token = request.cookies.get(COOKIE)
    if not token or len(token) > 200:
        return None
    async with system_of(request).people.transaction() as tx:
        session = await people.actor_of_session(tx, token)
        if session is None or session.actor.person is None:
            return None
        frame = await console.frame(tx, session.actor.person)
        alone = await is_single_handed(tx)
    actor = session.actor.within(system_of(request).profile.regions)
    return Visitor(actor, session.csrf, frame["name"], frame["modes"], alone)


async def admit(request: Request, roles: frozenset[Role]) -> None:
    visitor = await signed_in(request)
    if visitor is None:
        raise NotSignedIn
    request.state.visitor = visitor
    words = Words(chosen_language(request))
    if not visitor.has(*roles):
        raise PermissionRefused(words("role_needed", roles=", ".join(words(f"role_{each}") for each in sorted(roles))))
    if request.method != "GET":
        request.state.fields = await checked_form(request, visitor.csrf, words)


async def checked_form(request: Request, csrf: str, words: Words) -> Fields:
    fields = Fields(await request.form())
    if not hmac.compare_digest(fields.text("csrf").encode(), csrf.encode()):
        raise FormExpired(words("form_expired"), fields)
    return fields


def visitor_of(request: Request) -> Visitor:
    visitor = request.state.visitor
    assert isinstance(visitor, Visitor)
    return visitor


def fields_of(request: Request) -> Fields:
    fields = request.state.fields
    assert isinstance(fields, Fields)
    return fields


def sheet(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A page of the console: never kept by anybody's cache."""
    visitor = visitor_of(request)
    told = request.query_params.get("selesai", "")
    known = told.startswith("done_") and told in messages("id")
    response = page(
        request,
        f"console/{template}",
        status,
        visitor=visitor,
        told=told if known else "",
        here=request.url.path,
        sections=sections(request, visitor),
        details=Details(Words(chosen_language(request)), system_of(request).profile, values.get("names")),
        **values,
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def sections(request: Request, visitor: Visitor) -> list[tuple[str, list[tuple[str, str]]]]:
    """The pages that this visitor may open, in the order and under the headings of the menu."""
    declared: dict[tuple[str, str], frozenset[Role]] = request.app.state.console_roles
    open_to = [
        (heading, [(HOME + path, key) for path, key in pages if visitor.has(*declared["GET", HOME + path])])
        for heading, pages in MENU
    ]
    return [(heading, pages) for heading, pages in open_to if pages]


def back(path: str, told: str = "") -> Response:
    """After an act, to a page of ours that says what was done."""
    joint = "&" if "?" in path else "?"
    return RedirectResponse(HOME + path + (f"{joint}selesai={told}" if told else ""), 303)


def problem_sheet(
    request: Request, status: int, kind: str, detail: str, error: Exception | None = None
) -> Response | None:
    """An error on a page of the console, with the way back; None where nobody is signed in."""
    if not request.url.path.startswith(HOME) or not isinstance(getattr(request.state, "visitor", None), Visitor):
        return None
    if isinstance(error, FormExpired):
        own = is_from_here(request)
        return sheet(request, "expired.html", status, typed=error.typed, own=own, address=request.url.path)
    return sheet(request, "problem.html", status, kind=kind, detail=detail)


def is_from_here(request: Request) -> bool:
    """Whether the browser says that a page of ours sent it: only then is it offered for sending again."""
    return request.headers.get("sec-fetch-site") == "same-origin"

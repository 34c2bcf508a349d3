"""All routes for whoever is signed in, and the one table of who may use each."""

from __future__ import annotations

from fastapi import FastAPI

from lumbung.bootstrap import System
from lumbung.model.permission import Role
from lumbung.web import contribution, discussion, signin
from lumbung.web.console import (
    account,
    archive,
    audit,
    autonomy,
    budget,
    crawling,
    curation,
    figures,
    front,
    guardianship,
    labels,
    operation,
    review,
    vocabulary,
)
from lumbung.web.console.access import NotSignedIn

GROUPS = (
    contribution, discussion, front, review, audit, autonomy, curation, crawling, vocabulary, guardianship, labels, budget, operation, archive,
    account,
)  # fmt: skip
DESKS = tuple(module.desk for module in GROUPS)
DECLARED: dict[tuple[str, str], frozenset[Role]] = {
    route: roles for desk in DESKS for route, roles in desk.declared.items()
}


def include_console(app: FastAPI, system: System) -> None:
    app.state.console_roles = DECLARED
    signin.prepare(app)
    figures.prepare(app, system)
    app.add_exception_handler(NotSignedIn, signin.to_sign_in)
    app.include_router(signin.router)
    for desk in DESKS:
        app.include_router(desk.router)

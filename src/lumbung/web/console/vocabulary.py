"""The lexicon: the words that gate and extractor read with, looked up and changed by curators and guardians."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from lumbung.errors import UsageError
from lumbung.governance.actions.lexicon import set_lexicon
from lumbung.model.permission import Role
from lumbung.model.profile import LexiconTerm
from lumbung.profiles.loader import load_profile
from lumbung.store import governed, lexicon
from lumbung.text.lexicon import CATEGORY_ROLES, CONTEXT_ROLES, GENERAL_ROLES
from lumbung.web.console.access import (
    Desk,
    as_lines,
    back,
    cleaned,
    fields_of,
    from_lines,
    sheet,
    unchanged,
    visitor_of,
)
from lumbung.web.rendering import system_of

desk = Desk()
MOST_FOUND = 40


@desk.page("/kosakata", Role.CURATOR, Role.GUARDIAN, Role.OPERATOR, Role.AUDITOR)
async def vocabulary(request: Request, kata: str = "") -> Response:
    """With a beginning of a word, also what the lexicon in force knows of it."""
    async with system_of(request).people.transaction() as tx:
        words = await lexicon.in_force(tx)
        history = (await governed.history(tx, lexicon.ROW))[-10:]
    shipped = load_profile(system_of(request).settings.profile)
    sought = cleaned(kata)[:100].casefold()
    found = [each for each in words.applied_to(shipped).lexicon if each.term.casefold().startswith(sought)]
    return sheet(
        request,
        "vocabulary.html",
        sought=kata,
        found=sorted(found, key=lambda each: (each.term.casefold(), each.language))[:MOST_FOUND] if sought else [],
        found_in_all=len(found),
        changed=words,
        added=as_lines(
            [each.language, each.term, each.category, each.role, f"{each.weight:g}"] for each in words.added
        ),
        dropped=as_lines([each.language, each.term, each.category, each.role] for each in words.dropped),
        shipped=len(shipped.lexicon),
        category_roles=sorted(CATEGORY_ROLES),
        general_roles=sorted(GENERAL_ROLES | CONTEXT_ROLES),
        seen=words.version,
        history=[
            (row["version"], row["since"], len(row["value"]["added"]), len(row["value"]["dropped"])) for row in history
        ],
    )


@desk.act("/kosakata", "set-lexicon")
async def change_vocabulary(request: Request) -> Response:
    """Lines of `language,term,category,role,weight` to add, and of the first four to take out."""
    fields = fields_of(request)
    added, dropped = ([word_of(cells) for cells in from_lines(fields.text(part), 5)] for part in ("added", "dropped"))
    shipped = load_profile(system_of(request).settings.profile)
    async with system_of(request).people.transaction() as tx:
        await unchanged(tx, fields, lexicon.ROW)
        await set_lexicon(tx, visitor_of(request).actor, shipped, added, dropped, fields.reason)
    return back("/kosakata", "done_set")


def word_of(cells: list[str]) -> LexiconTerm:
    language, term, category, role, weight = cells
    try:
        return LexiconTerm(term, language, category, role, float(weight or 1))
    except ValueError as error:
        raise UsageError(f"{term}: the weight is a number above 0, at most 100.") from error

"""Whether a picture may be copied: what its own page and its metadata say together, and who made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.text.licence import read_licence
from lumbung.text.licence_names import address_of_licence

NOT_OF_ITS_PAGE = "the page that shows it is not the picture's own"
NO_AUTHOR = "its licence asks for the author, and none is named"


@dataclass(frozen=True, slots=True)
class Shown:
    """How one page shows a picture."""

    licence: str
    """A licence's address or its words; empty where the page names none."""
    creator: str
    own_page: bool
    """Page and picture are of one registrable domain: nobody grants what is another's."""
    caption: str = ""
    """The words beside it may reserve what the page as a whole grants."""


@dataclass(frozen=True, slots=True)
class Rights:
    allowed: bool
    reason: str
    licence: str | None = None
    creator: str = ""

    @property
    def licence_url(self) -> str:
        return address_of_licence(self.licence or "")


def rights_of(pages: Sequence[Shown], statements: Sequence[str] = (), embedded_creator: str = "") -> Rights:
    """Everything that is said counts; what conflicts, is unknown or names nobody allows nothing."""
    own = [page for page in pages if page.own_page]
    if not own:
        return Rights(allowed=False, reason=NOT_OF_ITS_PAGE)
    if not any(page.licence.strip() for page in own):
        return Rights(allowed=False, reason="no licence is named")
    # What other pages say of it never grants, but may contradict.
    words = [word for page in pages for word in (page.licence, page.caption)]
    said = dict.fromkeys(word for word in (*words, *statements) if word.strip())
    verdict = read_licence(text="\n".join(said))
    creator = next((page.creator.strip() for page in own if page.creator.strip()), embedded_creator.strip())
    if not verdict.reusable:
        return Rights(allowed=False, reason=verdict.reason, licence=verdict.licence, creator=creator)
    if verdict.attribution_required and not creator:
        return Rights(allowed=False, reason=NO_AUTHOR, licence=verdict.licence)
    return Rights(allowed=True, reason=verdict.reason, licence=verdict.licence, creator=creator)

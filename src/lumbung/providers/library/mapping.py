"""The mapping file: how a foreign library's interface is spoken, without code."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lumbung.errors import SettingsError

Statuses = Annotated[list[int], Field(max_length=20)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Authentication(Part):
    header: str = "Authorization"
    format: str = "Bearer {token}"


class Call(Part):
    """Path with {identity} or {remote_id}; a path that needs the remote id is used once it is known."""

    method: str
    path: str


class Reading(Part):
    """Where an answer says what we must know; each a dotted path into the JSON."""

    remote_id: str
    owner: str
    revision: str
    title: str
    digest: str | None = None
    """Without it, title and text are compared."""
    text: str | None = None
    status: str | None = None
    machine_owners: list[str]
    """Values of owner that are our machine account; every other value is a human's."""
    removed_statuses: list[str] = []


class Writing(Part):
    create: Call
    update: Call
    withdraw: Call | None = None
    withdraw_body: dict[str, Any] = {}
    fields: dict[str, str]
    """Their field (dotted) → ours: identity, title, aliases, category, regions, text, facts, media, supplement_of, ..."""
    constants: dict[str, Any] = {}
    revision_header: str | None = "If-Match"
    revision_format: str = '"{revision}"'
    idempotency_header: str | None = "Idempotency-Key"
    answer_remote_id: str | None = None
    answer_revision: str | None = None


class Listing(Part):
    """How the human corpus is paged: by `next` (a key or an address), by number, by offset; without any of them by the
    Link header's next.
    """

    path: str
    items: str
    next: str | None = None
    """Beside numbers or offsets: where an answer says that there is more."""
    next_is: Literal["key", "address"] | None = None
    """Without it, what looks like an address is followed, on the library's own host."""
    next_parameter: str = "after"
    page_parameter: str | None = None
    """For libraries that number their pages."""
    first_page: Annotated[int, Field(ge=0)] = 1
    offset_parameter: str | None = None
    """For libraries that count records."""
    limit_parameter: str | None = None
    limit: Annotated[int, Field(ge=1, le=10_000)] = 100
    fields: dict[str, str] = {}
    """Ours → theirs, as `lumbung library import` names them."""
    detail: Call | None = None
    """Where the whole record is, when the list has only its beginning."""


class Errors(Part):
    missing: Statuses = [404]
    human_owned: Statuses = [409]
    stale: Statuses = [412]
    removed: Statuses = [410]
    told: str | None = None
    """Where an answer with a good status says that it is an error all the same."""
    told_as: dict[str, int] = {}
    """What it says there → the status that it means; what is not listed is refused."""
    told_fine: list[str] = []
    """What it says there when all is well, for libraries that always say something."""


class Mapping(Part):
    name: str
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s]+$")]
    timeout_seconds: Annotated[float, Field(gt=0, le=120)] = 20.0
    authentication: Authentication = Authentication()
    look: Call
    find: Call | None = None
    """A search by identity, for libraries whose look needs their own id; its items are listed at `find_items`."""
    find_items: str = ""
    reading: Reading
    writing: Writing
    listing: Listing | None = None
    errors: Errors = Errors()
    categories: dict[str, str | int] = {}
    """Our code → theirs, and back in what is listed; one that is not there is left as it is. Where several of ours are
    one of theirs, the first is read.
    """
    regions: dict[str, str | int] = {}

    def ours(self, field: str, value: Any) -> Any:
        """A field of a listed record in our codes."""
        codes = {"category": self.categories, "regions": self.regions}.get(field)
        if not codes:
            return value
        known = {str(theirs): own for own, theirs in reversed(codes.items())}
        if isinstance(value, list):
            return [known.get(str(each), each) for each in value]
        return known.get(str(value), value)


def load_mapping(file: Path) -> Mapping:
    try:
        return Mapping.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise SettingsError(f"The library's mapping file {file} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"The library's mapping file {file} is no TOML: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(piece) for piece in first["loc"])
        raise SettingsError(f"The library's mapping file {file}: {where}: {first['msg']}.") from error


def at(answer: Any, path: str) -> Any:
    """The value at a dotted path; None where there is none."""
    for piece in path.split(".") if path else ():
        if isinstance(answer, list) and piece.isdigit() and int(piece) < len(answer):
            answer = answer[int(piece)]
        elif isinstance(answer, dict):
            answer = answer.get(piece)
        else:
            return None
    return answer


def put(body: dict[str, Any], path: str, value: Any) -> None:
    *parents, last = path.split(".")
    for piece in parents:
        body = body.setdefault(piece, {})
    body[last] = value

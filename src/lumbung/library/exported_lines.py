"""Lines of our own export, read back: checked as strictly as any foreign file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lumbung.equations.identity import UNKNOWN_REGION, identity
from lumbung.errors import UsageError
from lumbung.library.protocols import read_labels
from lumbung.library.records import LONGEST_MARK, LONGEST_TITLE, checked_file
from lumbung.model.profile import Profile
from lumbung.text.names import name_key

DIGEST_MARK = "sha256:"
Identity = Annotated[str, Field(pattern="^[0-9A-Za-z:_-]{1,128}$")]
Text = Annotated[str, Field(min_length=1, max_length=5000)]


class ExportedSource(BaseModel):
    model_config = ConfigDict(frozen=True)

    url: Annotated[str, Field(min_length=1, max_length=4000)]
    quote: Text
    archive: Annotated[str, Field(pattern=r"sha256:[0-9a-zA-Z:/._?=&%-]+$")]

    @property
    def digest(self) -> str:
        return self.archive.rpartition(DIGEST_MARK)[2]


class ExportedFact(BaseModel):
    model_config = ConfigDict(frozen=True)

    attribute: Annotated[str, Field(min_length=1, max_length=200)]
    value: Text
    confidence: Annotated[float, Field(ge=0, le=1)]
    flag: Literal["review", "low-confidence"] | None = None
    sources: Annotated[list[ExportedSource], Field(min_length=1)]


class ExportedRevision(BaseModel):
    model_config = ConfigDict(frozen=True)

    number: Annotated[int, Field(ge=1, le=1_000_000)]
    owner: Literal["human", "machine"]
    note: Annotated[str, Field(max_length=5000)] = ""
    written_at: Annotated[str, Field(max_length=40)]
    content: dict[str, Any]


class ExportedLine(BaseModel):
    """A human entry has its own text and, unless it was the machine's once, no facts."""

    model_config = ConfigDict(frozen=True)

    identity: Identity
    title: Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]
    aliases: list[Annotated[str, Field(max_length=LONGEST_TITLE)]] = []
    category: str | None = None
    regions: list[str] = []
    owner: Literal["human", "machine"]
    status: Literal["published", "shadow", "review", "held", "tombstone"]
    text: str = ""
    facts: list[ExportedFact] = []
    media: list[Any] = []
    supplement_of: str | None = None
    primary_region: str | None = None
    labels: list[dict[str, Any]] = []
    hidden: bool = False
    sensitive: bool = False
    status_reason: str | None = None
    contributor: str | None = None
    licence: str | None = None
    library: Annotated[str, Field(min_length=1, max_length=200)] = "reference"
    remote_id: str | None = None
    remote_revision: Annotated[str, Field(max_length=LONGEST_MARK)] | None = None
    note: Annotated[str, Field(max_length=5000)] | None = None
    """Of the present revision: what an import brought is known by it from what people wrote here."""
    redirects: list[Identity] = []
    revision: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    history: Annotated[list[ExportedRevision], Field(max_length=10_000)] = []

    def region(self) -> str:
        return self.primary_region or inferred_region(self.identity, self.category, self.title, self.regions)


def is_exported(record: Mapping[str, Any]) -> bool:
    return "owner" in record and "identity" in record


def read_line(record: Mapping[str, Any], profile: Profile) -> ExportedLine:
    try:
        line = ExportedLine.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(piece) for piece in first["loc"])
        raise UsageError(f'"{where}": {first["msg"]}') from error
    if line.category is not None and line.category not in profile.categories:
        raise UsageError(f'unknown category "{line.category}"; the profile has {", ".join(profile.categories)}')
    if line.owner == "machine" and (line.category is None or (not line.facts and not line.text)):
        raise UsageError("a machine entry needs a category and what it says")
    if line.owner == "machine" and line.status == "tombstone":
        raise UsageError("only people make tombstones")
    numbers = [each.number for each in line.history]
    if numbers != sorted(set(numbers)) or (numbers and numbers[-1] >= line.revision):
        raise UsageError("revisions are numbered upwards and end before the present one")
    read_labels(line.labels)
    for each in line.media:
        checked_file(each)
    if "\x00" in line.model_dump_json() or "\\u0000" in line.model_dump_json():
        raise UsageError("NUL is no character of a text")
    return line


def inferred_region(named: str, category: str | None, title: str, regions: Sequence[str]) -> str:
    """The region whose Eq. (17) is this identity; otherwise the first one named."""
    key = name_key(title)
    for region in (*regions, UNKNOWN_REGION):
        if identity(category or "", key, region) == named:
            return region
    return next(iter(sorted(regions)), UNKNOWN_REGION)


def needed_pages(lines: Iterable[ExportedLine]) -> set[tuple[str, str]]:
    """(URL, payload digest) of every page that a fact rests on."""
    return {(source.url, source.digest) for line in lines for fact in line.facts for source in fact.sources}

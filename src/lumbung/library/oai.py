"""OAI-PMH 2.0 with Dublin Core: resumption, sets by category and province, persistent deletions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer
from lxml import etree

from lumbung.library.plain_text import xml_text
from lumbung.model.profile import Profile
from lumbung.store import oai as oai_store
from lumbung.store.database import Transaction

OAI = "http://www.openarchives.org/OAI/2.0/"
DC = "http://purl.org/dc/elements/1.1/"
OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
PAGE = 100
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?")
EMAIL = re.compile(r"[^\s@]+@(?:[^\s@.]+\.)+[^\s@.]+")
NOBODY = "nobody@example.invalid"
"""The protocol wants an e-mail address, and an operator may give the address of a page instead."""
ARGUMENTS: dict[str, tuple[set[str], set[str]]] = {
    "Identify": (set(), set()),
    "ListMetadataFormats": (set(), {"identifier"}),
    "ListSets": (set(), {"resumptionToken"}),
    "GetRecord": ({"identifier", "metadataPrefix"}, set()),
    "ListIdentifiers": ({"metadataPrefix"}, {"from", "until", "set", "resumptionToken"}),
    "ListRecords": ({"metadataPrefix"}, {"from", "until", "set", "resumptionToken"}),
}
"""Required and optional arguments of each verb; a resumption token stands for all others."""


class OaiError(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Repository:
    """What the answers say about the library."""

    profile: Profile
    base_url: str
    admin: str
    keys: Sequence[str]

    @property
    def prefix(self) -> str:
        return f"oai:{self.profile.name}.lumbung:"

    def signer(self) -> URLSafeSerializer:
        return URLSafeSerializer(self.keys, "lumbung-oai")


async def answer(tx: Transaction, repository: Repository, arguments: Sequence[tuple[str, str]]) -> bytes:
    root = etree.Element(f"{{{OAI}}}OAI-PMH", nsmap={None: OAI, "xsi": XSI})
    root.set(f"{{{XSI}}}schemaLocation", f"{OAI} http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd")
    etree.SubElement(root, f"{{{OAI}}}responseDate").text = stamp(datetime.now(UTC))
    request = etree.SubElement(root, f"{{{OAI}}}request")
    request.text = repository.base_url
    try:
        asked = checked(arguments)
        for name, value in asked.items():
            request.set(name, xml_text(value))
        if asked.get("metadataPrefix", "oai_dc") != "oai_dc":
            raise OaiError("cannotDisseminateFormat", "Only oai_dc is offered.")
        await VERBS[asked["verb"]](tx, repository, asked, root)
    except OaiError as error:
        if error.code in {"badVerb", "badArgument"}:
            request.attrib.clear()  # what could not be read is not repeated
        etree.SubElement(root, f"{{{OAI}}}error", code=error.code).text = xml_text(str(error))
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


def checked(arguments: Sequence[tuple[str, str]]) -> dict[str, str]:
    asked = dict(arguments)
    verb = asked.get("verb", "")
    if [name for name, _ in arguments].count("verb") != 1 or verb not in ARGUMENTS:
        raise OaiError("badVerb", "Exactly one known verb is needed.")
    if len(asked) != len(arguments):
        raise OaiError("badArgument", "An argument is repeated.")
    required, optional = ARGUMENTS[verb]
    given = set(asked) - {"verb"}
    if "resumptionToken" in given:
        if "resumptionToken" not in optional or len(given) > 1:
            raise OaiError("badArgument", "A resumption token stands alone.")
        return asked
    if given - required - optional or required - given:
        raise OaiError("badArgument", "Arguments are missing or unknown.")
    return asked


def stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(text: str, end_of_day: bool = False) -> datetime:
    try:
        if not MOMENT.fullmatch(text):
            raise ValueError
        found = datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError as error:
        raise OaiError("badArgument", f"{text} is not a date of this repository's granularity.") from error
    is_day = "T" not in text
    return found.replace(hour=23, minute=59, second=59, microsecond=999999) if end_of_day and is_day else found


async def identify(tx: Transaction, repository: Repository, asked: Mapping[str, str], root: Any) -> None:
    del asked
    part = etree.SubElement(root, f"{{{OAI}}}Identify")
    earliest = await oai_store.earliest(tx)
    for name, value in (
        ("repositoryName", repository.profile.library_title),
        ("baseURL", repository.base_url),
        ("protocolVersion", "2.0"),
        ("adminEmail", repository.admin if EMAIL.fullmatch(repository.admin) else NOBODY),
        ("earliestDatestamp", stamp(earliest or datetime(2000, 1, 1, tzinfo=UTC))),
        ("deletedRecord", "persistent"),
        ("granularity", "YYYY-MM-DDThh:mm:ssZ"),
    ):
        etree.SubElement(part, f"{{{OAI}}}{name}").text = value


async def list_formats(tx: Transaction, repository: Repository, asked: Mapping[str, str], root: Any) -> None:
    if "identifier" in asked:
        await record_row(tx, repository, asked["identifier"])
    part = etree.SubElement(etree.SubElement(root, f"{{{OAI}}}ListMetadataFormats"), f"{{{OAI}}}metadataFormat")
    for name, value in (
        ("metadataPrefix", "oai_dc"),
        ("schema", "http://www.openarchives.org/OAI/2.0/oai_dc.xsd"),
        ("metadataNamespace", OAI_DC),
    ):
        etree.SubElement(part, f"{{{OAI}}}{name}").text = value


def sets_of(profile: Profile) -> dict[str, str]:
    provinces = {code: region.name for code, region in profile.regions.items() if region.level == "province"}
    categories = {f"category:{code}": category.label for code, category in profile.categories.items()}
    return categories | {f"province:{code}": name for code, name in provinces.items()}


def provinces_of(profile: Profile, codes: Sequence[str]) -> set[str]:
    """A regency, and a people at home in several provinces, count for each of them."""
    named = [profile.regions[code] for code in codes if code in profile.regions]
    return {
        code
        for each in named
        for code in ({each.code} if each.level == "province" else {each.province, *each.provinces})
        if code
    }


def places_in(profile: Profile, province: str) -> list[str]:
    return [code for code in profile.regions if province in provinces_of(profile, [code])]


async def list_sets(tx: Transaction, repository: Repository, asked: Mapping[str, str], root: Any) -> None:
    del tx
    if "resumptionToken" in asked:
        raise OaiError("badResumptionToken", "The list of sets is whole; it has no continuation.")
    part = etree.SubElement(root, f"{{{OAI}}}ListSets")
    for spec, name in sets_of(repository.profile).items():
        each = etree.SubElement(part, f"{{{OAI}}}set")
        etree.SubElement(each, f"{{{OAI}}}setSpec").text = spec
        etree.SubElement(each, f"{{{OAI}}}setName").text = name


async def record_row(tx: Transaction, repository: Repository, identifier: str) -> dict[str, Any]:
    row = None
    if identifier.startswith(repository.prefix) and "\x00" not in identifier:
        row = await oai_store.one(tx, identifier.removeprefix(repository.prefix))
    if row is None:
        raise OaiError("idDoesNotExist", "There is no such record.")
    return row


async def get_record(tx: Transaction, repository: Repository, asked: Mapping[str, str], root: Any) -> None:
    row = await record_row(tx, repository, asked["identifier"])
    add_record(etree.SubElement(root, f"{{{OAI}}}GetRecord"), repository, row)


async def list_records(tx: Transaction, repository: Repository, asked: Mapping[str, str], root: Any) -> None:
    scope, after = scope_of(repository, asked)
    places = places_in(repository.profile, scope["province"]) if scope["province"] else None
    rows = await oai_store.page(tx, {**scope, "places": places}, after, PAGE + 1)
    if not rows:
        raise OaiError("noRecordsMatch", "Nothing matches.")
    headers_only = asked["verb"] == "ListIdentifiers"
    part = etree.SubElement(root, f"{{{OAI}}}{asked['verb']}")
    for row in rows[:PAGE]:
        if headers_only:
            add_header(part, repository, row)
        else:
            add_record(part, repository, row)
    if len(rows) > PAGE or "resumptionToken" in asked:
        token = etree.SubElement(part, f"{{{OAI}}}resumptionToken")
        if len(rows) > PAGE:
            last = rows[PAGE - 1]
            token.text = str(
                repository.signer().dumps([scope, last["updated_at"].isoformat(), last["identity"], asked["verb"]])
            )


def scope_of(repository: Repository, asked: Mapping[str, str]) -> tuple[dict[str, Any], tuple[str, str] | None]:
    if "resumptionToken" in asked:
        try:
            scope, at, identity, verb = repository.signer().loads(asked["resumptionToken"])
        except (BadSignature, ValueError) as error:
            raise OaiError("badResumptionToken", "This token is not ours.") from error
        if verb != asked["verb"]:
            raise OaiError("badResumptionToken", "This token belongs to another verb.")
        return scope, (at, identity)
    start, end = asked.get("from"), asked.get("until")
    if (
        start is not None
        and end is not None
        and (len(start) != len(end) or moment(start) > moment(end, end_of_day=True))
    ):
        raise OaiError("badArgument", "from and until do not fit together.")
    kind, _, code = asked.get("set", "").partition(":")
    if "set" in asked and asked["set"] not in sets_of(repository.profile):
        raise OaiError("noRecordsMatch", "There is no such set.")
    scope = {
        "start": moment(start).isoformat() if start is not None else None,
        "end": moment(end, end_of_day=True).isoformat() if end is not None else None,
        "category": code if kind == "category" else None,
        "province": code if kind == "province" else None,
    }
    return scope, None


def add_header(parent: Any, repository: Repository, row: Mapping[str, Any]) -> None:
    header = etree.SubElement(parent, f"{{{OAI}}}header")
    if row["status"] != "published":
        header.set("status", "deleted")
    etree.SubElement(header, f"{{{OAI}}}identifier").text = repository.prefix + row["identity"]
    etree.SubElement(header, f"{{{OAI}}}datestamp").text = stamp(row["updated_at"])
    specs = [f"category:{row['category']}"] if row["category"] else []
    specs += sorted({f"province:{code}" for code in provinces_of(repository.profile, row["regions"])})
    for spec in specs:
        etree.SubElement(header, f"{{{OAI}}}setSpec").text = spec


def add_record(parent: Any, repository: Repository, row: Mapping[str, Any]) -> None:
    record = etree.SubElement(parent, f"{{{OAI}}}record")
    add_header(record, repository, row)
    if row["status"] != "published":
        return
    metadata = etree.SubElement(record, f"{{{OAI}}}metadata")
    dublin = etree.SubElement(metadata, f"{{{OAI_DC}}}dc", nsmap={"oai_dc": OAI_DC, "dc": DC, "xsi": XSI})
    dublin.set(f"{{{XSI}}}schemaLocation", f"{OAI_DC} http://www.openarchives.org/OAI/2.0/oai_dc.xsd")
    for name, value in dublin_core(repository, row):
        if value:
            etree.SubElement(dublin, f"{{{DC}}}{name}").text = xml_text(value)


def dublin_core(repository: Repository, row: Mapping[str, Any]) -> list[tuple[str, str]]:
    profile = repository.profile
    category = profile.categories.get(row["category"] or "")
    places = [profile.regions[code].name for code in row["regions"] if code in profile.regions]
    address = repository.base_url.removesuffix("/oai") + f"/entri/{row['identity']}"
    return [
        ("title", row["title"]),
        *(("title", alias) for alias in row["aliases"]),
        ("creator", row["contributor"] or ""),
        ("description", "" if row["hidden"] else row["body"]),
        ("subject", category.label if category else ""),
        *(("coverage", place) for place in places),
        ("identifier", address),
        ("type", "Text"),
        ("language", "id"),
        ("rights", row["licence"] or ""),
        *(("rights", f"{label['text']} {label['url']}") for label in row["labels"]),
        ("publisher", profile.library_title),
        ("contributor", "Lumbung (machine)" if row["owner"] == "machine" else ""),
        *(("source", url) for url in row["sources"] if not row["hidden"]),
    ]


VERBS: dict[str, Any] = {
    "Identify": identify,
    "ListMetadataFormats": list_formats,
    "ListSets": list_sets,
    "GetRecord": get_record,
    "ListIdentifiers": list_records,
    "ListRecords": list_records,
}

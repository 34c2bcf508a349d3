"""Entries as JSON-LD: schema.org for what they are, PROV for where each statement comes from."""

from __future__ import annotations

from typing import Any

from lumbung.library.plain_text import xml_text
from lumbung.model.profile import Profile
from lumbung.text.licence import read_licence
from lumbung.text.licence_names import address_of_licence

Record = dict[str, Any]

CONTEXT: Record = {
    "@vocab": "https://schema.org/",
    "prov": "http://www.w3.org/ns/prov#",
    "wasDerivedFrom": {"@id": "prov:wasDerivedFrom", "@type": "@id"},
    "wasAttributedTo": {"@id": "prov:wasAttributedTo"},
    "value": {"@id": "prov:value"},
    "contentUrl": {"@type": "@id"},
    "license": {"@type": "@id"},
    "url": {"@type": "@id"},
    "usageInfo": {"@type": "@id"},
}


def json_ld(record: Record, profile: Profile, base: str) -> Record:
    """`base` is the library's public address; `record` an entry as the public sees it."""
    address = f"{base.rstrip('/')}/entri/{record['identity']}"
    category = profile.categories.get(record["category"] or "")
    described: Record = {
        "@context": CONTEXT,
        "@id": address,
        "@type": "CreativeWork",
        "identifier": record["identity"],
        "name": xml_text(record["title"]),
        "alternateName": [xml_text(alias) for alias in record["aliases"]],
        "genre": category.label if category else None,
        "inLanguage": "id",
        "spatialCoverage": [place(profile, code) for code in record["regions"]],
        "text": xml_text(record["text"]),
        "creativeWorkStatus": record["status"],
        "license": licence(record.get("licence") or ""),
        "image": [image(each, base.rstrip("/")) for each in record["media"] if is_shown(each)],
        "author": author(record.get("contributor") or ""),
        "wasAttributedTo": {"@type": "prov:Person" if record["owner"] == "human" else "prov:SoftwareAgent"},
        "additionalProperty": [fact(each, profile) for each in record["facts"]],
        "usageInfo": [label["url"] for label in record.get("labels", [])],
        "conditionsOfAccess": [xml_text(label["text"]) for label in record.get("labels", [])],
    }
    if record.get("supplement_of"):
        described["isBasedOn"] = {"@id": f"{base.rstrip('/')}/entri/{record['supplement_of']}"}
    return {name: value for name, value in described.items() if value not in (None, [], "")}


def licence(named: str) -> str | Record:
    """Its address; where nobody knows one, its words as those of a work."""
    found = read_licence(text=named).licence
    return (address_of_licence(found) if found else "") or (
        {"@type": "CreativeWork", "name": xml_text(named)} if named else ""
    )


def author(name: str) -> Record | None:
    return {"@type": "Person", "name": xml_text(name)} if name else None


def is_shown(picture: Record) -> bool:
    """The library's own copies; what readers see only when they ask for it is not handed to programs unasked."""
    return bool(picture.get("digest")) and not picture.get("blurred")


def image(picture: Record, base: str) -> Record:
    described: Record = {
        "@type": "ImageObject",
        "contentUrl": f"{base}/media/{picture['digest']}",
        "encodingFormat": picture.get("content_type"),
        "width": picture.get("width"),
        "height": picture.get("height"),
        "caption": xml_text(picture.get("caption") or ""),
        "license": licence(picture.get("licence") or ""),
        "creditText": xml_text(picture.get("creator") or ""),
        "wasDerivedFrom": picture.get("page") or picture.get("url"),
    }
    return {name: value for name, value in described.items() if value not in (None, "")}


def place(profile: Profile, code: str) -> Record:
    region = profile.regions.get(code)
    return {"@type": "Place", "identifier": code, "name": region.name if region else code}


def fact(each: Record, profile: Profile) -> Record:
    attribute = profile.attributes.get(each["attribute"])
    return {
        "@type": ["PropertyValue", "prov:Entity"],
        "propertyID": each["attribute"],
        "name": attribute.label if attribute else each["attribute"],
        "value": xml_text(each["value"]),
        "valueReference": [
            {"@type": "PropertyValue", "propertyID": name, "value": each[name]}
            for name in ("confidence", "flag")
            if each.get(name) is not None
        ],
        "wasDerivedFrom": sorted({source["url"] for source in each["sources"]}),
    }

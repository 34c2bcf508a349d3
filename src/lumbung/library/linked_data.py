"""Entries as JSON-LD: schema.org for what they are, PROV for where each statement comes from."""

from __future__ import annotations

from typing import Any

from lumbung.library.plain_text import xml_text
from lumbung.model.profile import Profile

Record = dict[str, Any]

CONTEXT: Record = {
    "@vocab": "https://schema.org/",
    "prov": "http://www.w3.org/ns/prov#",
    "wasDerivedFrom": {"@id": "prov:wasDerivedFrom", "@type": "@id"},
    "wasAttributedTo": {"@id": "prov:wasAttributedTo"},
    "value": {"@id": "prov:value"},
    "url": {"@type": "@id"},
    "usageInfo": {"@type": "@id"},
}


def json_ld(record: Record, profile: Profile, base: str) -> Record:
    """`base` is the library's public address; `record` an exported entry."""
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
        "license": record.get("licence"),
        "wasAttributedTo": {"@type": "prov:Person" if record["owner"] == "human" else "prov:SoftwareAgent"},
        "additionalProperty": [fact(each, profile) for each in record["facts"]],
        "usageInfo": [label["url"] for label in record.get("labels", [])],
        "conditionsOfAccess": [xml_text(label["text"]) for label in record.get("labels", [])],
    }
    if record.get("supplement_of"):
        described["isBasedOn"] = {"@id": f"{base.rstrip('/')}/entri/{record['supplement_of']}"}
    return {name: value for name, value in described.items() if value not in (None, [], "")}


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

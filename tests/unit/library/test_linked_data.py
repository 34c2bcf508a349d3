"""A statement in JSON-LD says how sure the library is of it."""

from __future__ import annotations

from pyld import jsonld

from lumbung.library.linked_data import CONTEXT, fact
from lumbung.profiles.loader import load_profile

PROFILE = load_profile("pdbi")
FACT = {"attribute": "fungsi", "value": "hiburan", "confidence": 0.86, "flag": "low-confidence", "sources": []}


def test_confidence_and_flag_go_with_the_value():
    described = fact(FACT, PROFILE)
    assert [(each["propertyID"], each["value"]) for each in described["valueReference"]] == [
        ("confidence", 0.86),
        ("flag", "low-confidence"),
    ]
    triples = jsonld.to_rdf(described | {"@context": CONTEXT})["@default"]
    assert {each["object"]["value"] for each in triples} >= {"low-confidence", "confidence", "8.6E-1"}
    assert [each["propertyID"] for each in fact(FACT | {"flag": None}, PROFILE)["valueReference"]] == ["confidence"]

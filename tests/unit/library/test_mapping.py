"""Mapping files: the shipped ones load, a wrong one is refused in one sentence."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from lumbung.errors import SettingsError
from lumbung.providers.library.mapping import at, load_mapping, put

REFERENCE = files("lumbung.providers.library") / "reference-mapping.toml"
PDBI = files("lumbung.profiles") / "pdbi" / "library-mapping.toml"


@pytest.mark.parametrize("file", [REFERENCE, PDBI], ids=["reference", "pdbi"])
def test_a_shipped_mapping_loads(file):
    mapping = load_mapping(Path(str(file)))
    assert mapping.reading.machine_owners
    assert mapping.listing is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", "no TOML"),
        ('name = "x"', "base_url"),
        (REFERENCE.read_text().replace("http://127.0.0.1:8000/api/v1", "ftp://x"), "base_url"),
        (REFERENCE.read_text() + "\n[invented]\n", "invented"),
    ],
)
def test_a_wrong_mapping_is_refused_and_says_where(tmp_path, text, told):
    file = tmp_path / "library.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=told):
        load_mapping(file)
    with pytest.raises(SettingsError, match="cannot be read"):
        load_mapping(tmp_path / "none.toml")


def test_dotted_paths_read_and_write():
    answer = {"data": [{"id": 7, "owner": {"name": "sari"}}]}
    assert at(answer, "data.0.owner.name") == "sari"
    assert at(answer, "data.3.id") is None
    assert at(answer, "data.owner") is None
    body = {}
    put(body, "a.b", 1)
    put(body, "a.c", 2)
    assert body == {"a": {"b": 1, "c": 2}}

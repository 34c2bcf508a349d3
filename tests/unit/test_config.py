"""A wrong setting is told in one sentence before anything starts."""

from __future__ import annotations

import pytest

from lumbung.config import load_settings
from lumbung.errors import SettingsError
from lumbung.sections import is_hosted


def settings(tmp_path, **given):
    environment = {f"LUMBUNG_{name}": value for name, value in given.items()}
    return load_settings(environment={"LUMBUNG_DATA_DIR": str(tmp_path), **environment})[0]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"LLM": "x", "LLM__MODEL": "y"}, "llm"),
        ({"LLM__MODEL": "y", "LLM": "x"}, "llm"),
        ({"LLM__BASE_URL": "banana"}, "llm.base_url"),
        ({"LLM__FALLBACK__1__BASE_URL": "banana"}, "llm.fallback.1.base_url"),
        ({"WEB__PUBLIC_URL": "budaya.example"}, "web.public_url"),
        ({"DATABASE_URL": "banana"}, "database_url"),
        ({"DATABASE_URL": "postgresql://a@b/c", "NATS_URL": "banana"}, "nats_url"),
        ({"NATS_URL": "nats://127.0.0.1:4222"}, "database_url"),
        ({"CRAWL__ALLOW_PRIVATE": "10.0.0.0/8,banana"}, "crawl.allow_private"),
        ({"CRAWL__USER_AGENT": "Bot\r\nX-More: 1"}, "crawl.user_agent"),
        ({"CRAWL__USER_AGENT": "  "}, "crawl.user_agent"),
        ({"DATA_DIR": "  "}, "data_dir"),
    ],
)
def test_the_sentence_names_the_setting(tmp_path, given, named):
    with pytest.raises(SettingsError) as raised:
        settings(tmp_path, **given)
    assert named in str(raised.value)
    assert "\n" not in str(raised.value)


def test_networks_are_separated_by_commas_and_an_empty_variable_is_not_set(tmp_path):
    taken = settings(tmp_path, CRAWL__ALLOW_PRIVATE="127.0.0.0/8, ::1", LLM__BASE_URL="", CRAWL__USER_AGENT="")
    assert taken.crawl.allow_private == ["127.0.0.0/8", "::1"]
    assert (taken.llm.base_url, taken.crawl.user_agent) == (None, "LumbungBot/0.1")


@pytest.mark.parametrize("servers", ["127.0.0.1:4222", "nats://u:p@a:4222, nats://u:p@b:4222", "tls://n.example"])
def test_servers_of_nats_are_named_in_the_ways_its_clients_know(tmp_path, servers):
    taken = settings(tmp_path, DATABASE_URL="postgresql://a@b/c", NATS_URL=servers)
    assert taken.nats_url.get_secret_value() == servers


def test_a_file_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lumbung.toml").write_text("[web\nport = 1")
    with pytest.raises(SettingsError, match=r"lumbung\.toml cannot be read"):
        load_settings(environment={})


def test_a_folder_in_place_of_the_file_is_named_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lumbung.toml").mkdir()
    with pytest.raises(SettingsError, match=r"lumbung\.toml cannot be read: Is a directory; correct it"):
        load_settings(environment={})


@pytest.mark.parametrize(
    ("address", "hosted"),
    [
        ("http://localhost:11434/v1", False),
        ("http://127.0.0.1:8000/v1", False),
        ("http://[::1]:8000/v1", False),
        ("http://192.168.1.20:8000/v1", False),
        ("http://ollama:11434/v1", False),
        ("http://gpu.local/v1", False),
        ("https://api.example.com/v1", True),
        ("https://8.8.8.8/v1", True),
    ],
)
def test_a_model_elsewhere_is_somebody_elses_unless_the_operator_says_otherwise(tmp_path, address, hosted):
    assert is_hosted(settings(tmp_path, LLM__BASE_URL=address).llm) is hosted
    assert is_hosted(settings(tmp_path, LLM__BASE_URL=address, LLM__HOSTED=str(not hosted)).llm) is not hosted

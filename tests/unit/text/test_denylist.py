from __future__ import annotations

import time

import pytest

from lumbung.errors import UsageError
from lumbung.text.denylist import Denylist, checked_pattern


@pytest.mark.parametrize(
    ("pattern", "url", "host", "denied"),
    [
        ("kalender.example", "http://kalender.example/2026", "kalender.example", True),
        ("kalender.example", "https://acara.kalender.example/", "acara.kalender.example", True),
        ("kalender.example", "http://bukankalender.example/", "bukankalender.example", False),
        ("*.toko.example", "http://a.toko.example/", "a.toko.example", True),
        ("https://Situs.Example/tag/", "http://situs.example/tag/tari", "situs.example", True),
        ("situs.example/tag/", "http://situs.example/tari/tag/", "situs.example", False),
        ("situs.example/", "http://situs.example/apa", "situs.example", True),
        ("situs.example/*/cetak", "http://situs.example/tari/saman/cetak?x=1", "situs.example", True),
        ("/cetak/", "http://mana.saja.example/cetak/1", "mana.saja.example", True),
        ("/cetak/", "http://mana.saja.example/Cetak/1", "mana.saja.example", False),
        ("example", "http://a.example/", "a.example", True),
    ],
)
def test_hosts_addresses_and_paths_are_denied_with_all_that_begins_so(pattern, url, host, denied):
    assert Denylist([checked_pattern(pattern)]).denies(url, host) is denied


def test_an_empty_list_denies_nothing():
    assert not Denylist().denies("http://a.example/", "a.example")


@pytest.mark.parametrize(
    "pattern", ["", "/", "*", "/*", "a b.example", "ex*mple.com/x", "/" + "*a" * 4, "x" * 600, "a|b.example"]
)
def test_a_pattern_that_means_nothing_is_refused(pattern):
    with pytest.raises(UsageError):
        checked_pattern(pattern)


def test_long_addresses_are_looked_at_quickly():
    denied = Denylist([checked_pattern("/a*a*a*b")])
    begun = time.process_time()
    assert not denied.denies("http://x.example/" + "a" * 1_000, "x.example")
    assert time.process_time() - begun < 5

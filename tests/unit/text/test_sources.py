from __future__ import annotations

import pytest

from lumbung.model.profile import SourceType
from lumbung.profiles.loader import load_profile
from lumbung.text.sources import SourceTypes

TYPES = SourceTypes(load_profile("pdbi"))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.ugm.ac.id/id/berita/1", SourceType.ACADEMIC),
        ("https://jurnal.isi-ska.ac.id/index.php/greget", SourceType.ACADEMIC),
        ("https://jurnal.kemenag.go.id/1", SourceType.ACADEMIC),
        ("https://disbud.bantenprov.go.id/", SourceType.OFFICIAL),
        ("https://www.vam.ac.uk/articles/batik", SourceType.OFFICIAL),
        ("https://ich.unesco.org/en/RL/1", SourceType.OFFICIAL),
        ("https://budaya.blogspot.com/2012/tari.html", SourceType.COMMUNITY),
        ("https://id.wikipedia.org/wiki/Tari_Saman", SourceType.ENCYCLOPAEDIA),
        ("https://www.wikiwand.com/id/Tari", SourceType.ENCYCLOPAEDIA),
        ("https://www.tokopedia.com/batik", SourceType.UNKNOWN),
        ("https://example.org/", SourceType.UNKNOWN),
    ],
)
def test_rules_give_a_source_its_type(url, expected):
    kind, reason = TYPES.type_of(url)
    assert kind == expected
    assert reason


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://blog.ugm.ac.id/tari", SourceType.COMMUNITY),
        ("https://budi.student.ui.ac.id/x", SourceType.COMMUNITY),
        ("https://fib.example.ac.id/~budi/tari.html", SourceType.COMMUNITY),
        ("https://p2k.stekom.ac.id/ensiklopedia/Tari", SourceType.ENCYCLOPAEDIA),
        ("https://kampus.ac.id/ensiklopedia/Tari", SourceType.ENCYCLOPAEDIA),
    ],
)
def test_exceptions_under_a_trusted_name_keep_their_own_type(url, expected):
    assert TYPES.type_of(url)[0] == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://ac.id.example.com/",
        "https://notac.id/",
        "https://example.com/ac.id",
        "https://ugm.ac.id@example.com/",
        "https://example.com\\@ugm.ac.id/",
        "ftp://ugm.ac.id/",
        "not a url",
        "",
        "http://[::1",
    ],
)
def test_a_name_that_only_looks_like_a_trusted_one_is_unknown(url):
    assert TYPES.type_of(url)[0] == SourceType.UNKNOWN


def test_case_and_a_final_dot_do_not_matter():
    assert TYPES.type_of("HTTPS://WWW.UGM.AC.ID./")[0] == SourceType.ACADEMIC

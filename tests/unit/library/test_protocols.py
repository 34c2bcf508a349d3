"""Community labels are read strictly, and ask for what they ask for."""

from __future__ import annotations

import pytest

from lumbung.errors import UsageError
from lumbung.library.protocols import BLUR_MEDIA, DISPLAYS, KNOWN, WITHHOLD_TEXT, asks_for, read_label, read_labels


def test_every_label_of_the_table_is_read_by_its_code_and_leads_to_its_explanation():
    for code, label in KNOWN.items():
        assert read_label(code) == label
        assert label.url.startswith("https://localcontexts.org/")
        assert set(label.display) <= set(DISPLAYS)


@pytest.mark.parametrize(
    ("code", "page"),
    [
        ("tk-oc", "label/tk-commercial"),
        ("tk-cb", "label/tk-open-to-collaboration"),
        ("tk-nc", "label/tk-non-commercial"),
        ("bc-oc", "label/bc-open-to-commercialization"),
        ("bc-cb", "label/bc-open-to-collaboration"),
        ("notice-withholding", "notice/withholding"),
    ],
)
def test_a_code_means_what_local_contexts_says_it_means(code, page):
    """Guardians type the codes that communities know: one for trade must not read as one for research."""
    assert KNOWN[code].url == f"https://localcontexts.org/{page}/"


def test_what_is_secret_or_sacred_is_withheld_and_what_is_sensitive_is_blurred():
    assert asks_for(read_labels(["tk-ss"]), WITHHOLD_TEXT)
    assert asks_for(read_labels(["notice-withholding"]), WITHHOLD_TEXT)
    assert asks_for(read_labels(["tk-cs"]), BLUR_MEDIA)
    assert not asks_for(read_labels(["tk-cs", "tk-a"]), WITHHOLD_TEXT)
    assert not asks_for([], BLUR_MEDIA)


def test_a_community_words_its_own_label_and_the_last_word_on_a_code_counts():
    own = {"code": "tk-a", "text": "Milik Nagari Contoh.", "community": "Nagari Contoh", "display": ["withhold-text"]}
    assert read_labels(["tk-a", own]) == [own | {"url": KNOWN["tk-a"].url}]
    assert read_label({"code": "adat-x", "url": "https://nagari.example/label", "text": "Aturan adat."}).display == ()


@pytest.mark.parametrize(
    "given",
    [
        "tk-unknown",
        {"code": ""},
        {"code": "tk-a", "url": "javascript:alert(1)"},
        {"code": "tk-a", "text": "x" * 5000},
        {"code": "tk-a", "text": "x\x00"},
        {"code": "tk-a", "display": ["burn"]},
        {"code": "tk-a", "display": "withhold-text"},
        {"code": 7},
        {},
    ],
)
def test_a_label_that_says_nothing_clear_is_refused(given):
    with pytest.raises(UsageError):
        read_label(given)


def test_labels_are_few():
    with pytest.raises(UsageError, match="at most"):
        read_labels([{"code": f"x{n}", "url": "https://a.example/", "text": "t"} for n in range(30)])

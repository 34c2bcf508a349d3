from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.stages.crawl.canonical import canonical_elsewhere

SITE = "https://a.example"


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        (f"{SITE}/cetak/tari-saman", f"{SITE}/tari-saman"),
        (f"{SITE}/2019/05/tari-saman.html", f"{SITE}/tari-saman"),
        (f"{SITE}/?p=12", f"{SITE}/tari-saman"),
        (f"{SITE}/index.php?page_id=12", f"{SITE}/budaya/tari-saman"),
        (f"{SITE}/tari-saman?print=1", f"{SITE}/tari-saman"),
        (f"{SITE}/tari?id=5&replytocom=77", f"{SITE}/tari?id=5"),
        (f"{SITE}/tari-saman/amp", f"{SITE}/tari-saman"),
        ("http://a.example/tari-saman", f"{SITE}/tari-saman"),
        ("https://m.a.example/tari-saman", f"{SITE}/tari-saman"),
    ],
)
def test_another_address_of_the_same_page_is_believed(url, canonical):
    assert canonical_elsewhere(url, canonical) == canonical


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        (f"{SITE}/x", None),
        (f"{SITE}/x", f"{SITE}/x"),
        (f"{SITE}/tari", "https://b.example/tari"),
        (f"{SITE}/tari", "https://toko.a.example/tari"),
        (f"{SITE}/tari", f"{SITE}/"),
        (f"{SITE}/tari-piring", f"{SITE}/tari-saman"),
        (f"{SITE}/tari?id=5", f"{SITE}/tari"),
        (f"{SITE}/tari?page=2", f"{SITE}/tari"),
        (f"{SITE}/tari?id=5&sort=a", f"{SITE}/tari?id=6"),
        (f"{SITE}/koleksi/2020/12", f"{SITE}/arsip/12"),
        (f"{SITE}/?p=12&cat=3", f"{SITE}/budaya"),
    ],
)
def test_a_claim_that_may_be_false_is_not_believed(url, canonical):
    assert canonical_elsewhere(url, canonical) is None


ADDRESSES = st.builds(
    "{}://{}example/{}{}".format,
    st.sampled_from(["http", "https"]),
    st.sampled_from(["", "www.", "m."]),
    st.sampled_from(["", "tari", "cetak/tari", "tari/amp", "tari.html", "a/b/tari", "12"]),
    st.sampled_from(["", "?p=1", "?print=1", "?id=2&print=1", "?id=2"]),
)


@settings(derandomize=True, max_examples=300)
@given(ADDRESSES, ADDRESSES)
def test_of_two_pages_that_name_each_other_one_is_kept(first, second):
    assert canonical_elsewhere(first, second) is None or canonical_elsewhere(second, first) is None

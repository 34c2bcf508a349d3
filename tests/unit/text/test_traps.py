from __future__ import annotations

import pytest

from lumbung.text.traps import fruitless_pattern, is_mirror, shape_of, soft_404, trap_reason


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a.id/x/y/x/y/x/y", "repeated-segments"),
        ("http://a.id/img/img/img/", "repeated-segments"),
        ("http://a.id/a1/tag/b/tag/c/tag/d/tag", "repeated-segments"),
        ("http://a.id/" + "/".join(f"s{n}" for n in range(25)), "growing-path"),
        ("http://a.id/tag/batik+batik+batik+batik+kain+kain", "growing-path"),
        ("http://a.id/calendar/2031-05", "calendar"),
        ("http://a.id/agenda?date=2031-05-01", "calendar"),
        ("http://a.id/?tahun=2031&bulan=5", "calendar"),
        ("http://a.id/?mysessid=0123456789abcdef01", "session-id"),
        ("http://a.id/login?redirect_to=%2Fbatik", "return-address"),
        ("http://a.id/?" + "&".join(f"p{n}=1" for n in range(9)), "endless-parameters"),
        ("http://a.id/?sort=a&order=b&per_page=10", "endless-parameters"),
        ("http://a.id/?" + "&".join(["f=1"] * 6), "endless-parameters"),
        ("http://a.id/?q=" + "x" * 600, "endless-parameters"),
        ("http://a.id/2014/05/tari-kecak", None),
        ("http://a.id/2020/2020/1", None),
        ("http://a.id/tari/kecak/tari-kecak", None),
        ("http://a.id/artikel?id=5&page=2", None),
        ("http://a.id/kalender-jawa", None),
        ("http://a.id/items/0f8fad5b-d9cb-469f-a165-70867728950e", None),
        ("http://a.id/cari?next=2", None),
        ("http://a.id/a/b/a/b", None),
    ],
)
def test_endless_urls_are_told_from_honest_ones(url: str, reason: str | None) -> None:
    assert trap_reason(url) == reason


def test_urls_of_one_pattern_have_one_shape() -> None:
    assert shape_of("http://a.id/berita/123/tari-kecak-dari-bali?page=2&id=3") == shape_of(
        "http://a.id/berita/9/upacara-ngaben-di-bali?id=7&page=1"
    )
    assert shape_of("http://a.id/berita/1") != shape_of("http://a.id/arsip/1")
    assert shape_of("http://a.id/x/0f8fad5bd9cb469fa165") == "a.id/x/{token}"


def test_a_pattern_is_left_only_after_a_fair_trial() -> None:
    assert fruitless_pattern(99, 0) is None
    assert fruitless_pattern(100, 1) == "fruitless-pattern"
    assert fruitless_pattern(100, 2) is None


def test_hosts_with_the_same_pages_are_mirrors() -> None:
    site = {f"/{n}": b"%d" % n for n in range(20)}
    assert is_mirror(site, site | {"/1": b"x"})
    assert not is_mirror(site, {path: b"x" for path in site})
    assert not is_mirror({"/": b"1"}, {"/": b"1"})


def test_a_page_that_says_it_is_not_there_is_a_soft_404() -> None:
    assert soft_404("Halaman tidak ditemukan", "Maaf.") == "soft-404"
    assert soft_404("Situs Budaya", "404 - not found") == "soft-404"
    assert soft_404("Tari Kecak", "Tari ini tidak ditemukan di luar Bali. " * 20) is None
    assert soft_404("Naskah yang tidak ditemukan", "Panjang. " * 500) is None

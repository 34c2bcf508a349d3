from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.sniffing import sniff


@pytest.mark.parametrize(
    ("label", "head", "kind"),
    [
        ("text/html", b"<!doctype html><html>", "html"),
        ("text/plain", b"\n\n <HTML><head>", "html"),
        ("text/plain", b"<section><p>a</p><p>b</p><div>c</div></section>", "html"),
        ("text/plain", b"Tari Kecak berasal dari <b>Bali</b>.", "text"),
        ("text/plain", b"a < b and c > d", "text"),
        (None, b"Tari Kecak", "text"),
        ("text/html", b"Tari Kecak tanpa markah", "html"),
        ("text/html", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "pdf"),
        ("application/octet-stream", b"\r\n%PDF-1.4", "pdf"),
        ("application/pdf", b"<html><title>Login</title>", "html"),
        ("text/html", b"PK\x03\x04\x14\x00", "other"),
        ("text/html", b"\x89PNG\r\n\x1a\n\x00", "image"),
        ("text/html", b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image"),
        ("text/html", bytes(range(256)), "other"),
        ("text/plain", b"\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00", "html"),
        ("text/plain", b"\xff\xfeT\x00a\x00r\x00i\x00", "text"),
        ("text/html", b"\xef\xbb\xbf<html>", "html"),
        ("text/html", b'<?xml version="1.0"?><html xmlns="x">', "html"),
        ("text/html", b'<?xml version="1.0"?><urlset>', "xml"),
        ("application/rss+xml", b"<rss version='2.0'>", "xml"),
        ("application/json", b'{"a":1}', "other"),
        ("image/svg+xml", b"<svg xmlns='x'>", "image"),
        ("text/plain", b"BMKG mencatat gempa", "text"),
        ("text/plain", b"MZ Abidin menulis", "text"),
        ("text/html", b"", "html"),
        (None, b"", "text"),
    ],
)
def test_bytes_tell_the_kind_whatever_the_label(label: str | None, head: bytes, kind: str) -> None:
    assert sniff(label, head) == kind


@settings(max_examples=200, derandomize=True)
@given(st.none() | st.text(max_size=20), st.binary(max_size=100))
def test_any_bytes_have_a_kind(label: str | None, head: bytes) -> None:
    assert sniff(label, head) in {"html", "text", "pdf", "xml", "image", "other"}

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LUMBUNG = Path(sys.executable).with_name("lumbung")
ITEM = (
    "Tari Piring adalah tarian tradisional Minangkabau dari Sumatera Barat. Para penari mengayunkan piring di telapak "
    "tangan dengan gerakan cepat, diiringi talempong dan saluang."
)
SHOP = "Kain batik. Tambah ke keranjang. Beli sekarang, gratis ongkir. Harga Rp350.000, diskon 20%, stok tersedia."


def run(*arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([LUMBUNG, "gate", *arguments], input=lines, capture_output=True, text=True, check=False)


def test_lines_with_text_or_html_are_answered_in_the_fixed_form():
    records = [
        {"id": "a", "text": ITEM},
        {"id": "b", "html": f"<html><body><h1>Tari Piring</h1><p>{ITEM}</p></body></html>"},
        {"id": "c", "text": SHOP, "url": "https://toko.example/produk/1"},
        {"id": "d"},
    ]
    done = run("-", lines="".join(json.dumps(record) + "\n" for record in records))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["a", "b", "c", "d"]
    assert [answer.get("pass") for answer in answers] == [True, True, False, None]
    assert set(answers[0]) == {"id", "pass", "score", "filters"}
    assert all(set(one) == {"name", "pass", "score"} for one in answers[0]["filters"])
    assert answers[3]["error"]


def test_files_are_pages_named_by_their_path(tmp_path: Path):
    page, note, lines = tmp_path / "tari.html", tmp_path / "toko.txt", tmp_path / "more.jsonl"
    page.write_text(f"<title>Tari Piring</title><article><h1>Tari Piring</h1><p>{ITEM}</p></article>", encoding="utf-8")
    note.write_text(SHOP, encoding="utf-8")
    lines.write_text(json.dumps({"id": 7, "text": ITEM}) + "\n", encoding="utf-8")
    done = run(str(page), str(note), str(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(answer["id"], answer["pass"]) for answer in answers] == [(str(page), True), (str(note), False), (7, True)]


def test_any_bytes_get_an_answer(tmp_path: Path):
    page = tmp_path / "hostile.html"
    page.write_bytes(b"<a " * 50_000 + bytes(range(256)))
    done = run(str(page))
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert answer.get("pass") is False or "error" in answer
    assert "Traceback" not in done.stderr


def test_of_a_file_larger_than_any_page_only_the_beginning_is_held(tmp_path: Path):
    with (tmp_path / "large.html").open("wb") as stream:
        stream.truncate(40 * 1024 * 1024)
    done = run(str(tmp_path / "large.html"))
    assert json.loads(done.stdout)["error"] == "It is larger than a page may be."


def test_a_missing_file_is_wrong_usage():
    done = run("/no/such/page.html")
    assert done.returncode == 2
    assert "no file" in done.stderr

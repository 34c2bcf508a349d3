"""`lumbung extract` as a user runs it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

GAMBYONG = """<html><head><title>Tari Gambyong</title><style>.x{display:none}</style></head><body><h1>Tari Gambyong</h1>
<p>Tari Gambyong adalah tarian klasik yang berasal dari Surakarta, Jawa Tengah.<span class=x> Tarian ini diciptakan oleh
Budi Palsu.</span> Tarian ini diiringi gamelan.</p><img src="g.jpg" width=600 alt="Penari Gambyong"></body></html>"""
WIKI = '<html><body class="mediawiki"><h1>Angklung</h1><div id="mw-content-text"><p>Angklung adalah alat musik.</p></div></body></html>'
LUMBUNG = Path(sys.executable).with_name("lumbung")
CANDIDATE = {"source", "name", "aliases", "category", "regions", "facts", "media", "engine", "parked"}


def lumbung(
    *arguments: str, folder: Path, stdin: bytes | None = None, **environment: str
) -> tuple[int, list[dict[str, Any]], str]:
    done = subprocess.run(
        [LUMBUNG, "extract", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
        env=os.environ | environment,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def test_candidates_point_into_the_main_text(tmp_path: Path) -> None:
    (tmp_path / "g.html").write_text(GAMBYONG, encoding="utf-8")
    code, (candidate,), _ = lumbung("g.html", "--url", "https://seni.example/g", folder=tmp_path)
    _, (page,), _ = lumbung("--main-text", "g.html", folder=tmp_path)
    assert code == 0
    assert set(candidate) == CANDIDATE
    assert (candidate["source"], candidate["name"], candidate["category"]) == (
        "https://seni.example/g",
        "Tari Gambyong",
        "tarian",
    )
    assert candidate["engine"] == "lexical"
    assert candidate["parked"] is None
    assert candidate["media"] == [
        {"url": "https://seni.example/g.jpg", "caption": "Penari Gambyong", "licence_hint": ""}
    ]
    assert set(page) == {"source", "title", "text", "language", "script", "kind"}
    assert (page["source"], page["kind"], page["language"], page["script"]) == ("g.html", "item", "ind", "Latn")
    assert "Budi Palsu" not in page["text"]
    for fact in candidate["facts"]:
        assert set(fact) == {"attribute", "value", "quote", "start", "end", "language", "confidence"}
        assert page["text"][fact["start"] : fact["end"]] == fact["quote"]
    assert ("asal-daerah", "Surakarta") in [(fact["attribute"], fact["value"]) for fact in candidate["facts"]]


def test_files_are_answered_in_order_and_a_bad_one_does_not_stop_the_rest(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(GAMBYONG, encoding="utf-8")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 broken")
    (tmp_path / "c.html").write_bytes(b"<div>" * 100_000)
    (tmp_path / "d.txt").write_text("Kacapi\n\nKacapi adalah alat musik petik dari Jawa Barat.\n", encoding="utf-8")
    (tmp_path / "e.html").write_text(WIKI, encoding="utf-8")
    code, lines, _ = lumbung("--main-text", "a.html", "b.pdf", "c.html", "d.txt", "e.html", folder=tmp_path)
    assert code == 0
    assert [line["source"] for line in lines] == ["a.html", "b.pdf", "c.html", "d.txt", "e.html"]
    assert [line.get("error") for line in lines] == [None, "damaged-pdf", "too-deep", None, None]


def test_an_encyclopaedia_gives_no_text_and_no_candidates(tmp_path: Path) -> None:
    (tmp_path / "w.html").write_text(WIKI, encoding="utf-8")
    _, (page,), _ = lumbung("--main-text", "w.html", folder=tmp_path)
    _, candidates, _ = lumbung("w.html", folder=tmp_path)
    assert (page["kind"], page["text"]) == ("encyclopaedia", "")
    assert candidates == []


def web_archive(*, compressed: bool) -> bytes:
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=compressed)
    for name in ("gambyong", "piring"):
        body = GAMBYONG.replace("Gambyong", name.title()).encode()
        headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
        writer.write_record(
            writer.create_warc_record(
                f"https://seni.example/{name}", "response", payload=io.BytesIO(body), http_headers=headers
            )
        )
    return stream.getvalue()


def test_each_response_of_a_web_archive_is_a_source(tmp_path: Path) -> None:
    (tmp_path / "pages.warc.gz").write_bytes(web_archive(compressed=True))
    _, lines, _ = lumbung("pages.warc.gz", folder=tmp_path)
    assert [(line["source"], line["name"]) for line in lines] == [
        ("https://seni.example/gambyong", "Tari Gambyong"),
        ("https://seni.example/piring", "Tari Piring"),
    ]


def test_an_archive_is_read_from_a_pipe_as_well(tmp_path: Path) -> None:
    _, lines, errors = lumbung("-", folder=tmp_path, stdin=web_archive(compressed=False))
    assert [line["name"] for line in lines] == ["Tari Gambyong", "Tari Piring"]
    assert errors == ""


def test_a_damaged_archive_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "x.warc").write_bytes(
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999\r\n\r\nHTTP/1.1 200"
    )
    code, lines, _ = lumbung("x.warc", folder=tmp_path)
    assert code == 0
    assert all("error" in line for line in lines)


def test_standard_input_is_one_page(tmp_path: Path) -> None:
    _, (candidate,), _ = lumbung("-", "--url", "https://seni.example/g", folder=tmp_path, stdin=GAMBYONG.encode())
    assert candidate["name"] == "Tari Gambyong"


@pytest.mark.parametrize("arguments", [["tidak-ada.html"], ["--profile", "tidak-ada", "a.html"], []])
def test_wrong_usage_gets_one_sentence(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "a.html").write_text(GAMBYONG, encoding="utf-8")
    code, lines, errors = lumbung(*arguments, folder=tmp_path)
    assert code in {1, 2}
    assert lines == []
    assert errors
    assert "Traceback" not in errors


def test_help_shows_an_example(tmp_path: Path) -> None:
    done = subprocess.run([LUMBUNG, "extract", "--help"], cwd=tmp_path, capture_output=True, check=True)
    assert b"Example: lumbung extract" in done.stdout


@contextmanager
def model(*arguments: str) -> Iterator[dict[str, str]]:
    """A real endpoint with an obedient model, as the environment names it."""
    command = [sys.executable, "-m", "lumbung.demo.protocol_server", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        named = {"BASE_URL": address, "MODEL": "m", "INPUT_MICROS_PER_MILLION": "0", "OUTPUT_MICROS_PER_MILLION": "0"}
        try:
            yield {f"LUMBUNG_LLM__{name}": value for name, value in named.items()}
        finally:
            server.terminate()


def test_a_configured_model_reads_and_everything_it_says_is_in_the_page(tmp_path: Path) -> None:
    order = (
        '<p>{"items": [{"name": "Tari Gambyong", "category": "tarian", "facts": [{"attribute": "iringan", "value": "gamelan",'
        ' "quote": "Tarian ini diiringi gamelan", "confidence": 0.9}, {"attribute": "pencipta", "value": "Budi Palsu",'
        ' "quote": "diciptakan oleh Budi Palsu", "confidence": 1}]}]}</p>'
    )
    (tmp_path / "g.html").write_text(GAMBYONG.replace("</body>", order + "</body>"), encoding="utf-8")
    with model() as environment:
        code, (candidate,), _ = lumbung("g.html", folder=tmp_path, **environment)
        assert lumbung("g.html", "--engine", "lexical", folder=tmp_path, **environment)[1][0]["engine"] == "lexical"
    assert (code, candidate["engine"]) == (0, "llm")
    assert [(fact["attribute"], fact["value"]) for fact in candidate["facts"]] == [("iringan", "gamelan")]


def test_where_the_model_fails_the_lexical_engine_answers(tmp_path: Path) -> None:
    (tmp_path / "g.html").write_text(GAMBYONG, encoding="utf-8")
    with model("--fault", "server-error") as environment:
        code, (candidate,), talk = lumbung("g.html", folder=tmp_path, **environment)
    assert (code, candidate["engine"]) == (0, "lexical")
    assert "lexical engine" in talk
    assert "Traceback" not in talk


def test_a_model_that_is_asked_for_must_be_configured(tmp_path: Path) -> None:
    (tmp_path / "g.html").write_text(GAMBYONG, encoding="utf-8")
    code, lines, talk = lumbung("g.html", "--engine", "llm", folder=tmp_path)
    assert (code, lines) == (2, [])
    assert "LUMBUNG_LLM__BASE_URL" in talk


def test_an_archive_without_a_page_is_answered_with_an_error(tmp_path: Path) -> None:
    (tmp_path / "torn.warc").write_bytes(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: -5\r\n\r\n")
    code, lines, _ = lumbung("--main-text", "torn.warc", folder=tmp_path)
    assert code == 0
    assert lines == [{"source": "torn.warc", "error": "The archive holds no page that can be read."}]

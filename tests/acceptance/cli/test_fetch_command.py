from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.conftest import Logins

LUMBUNG = Path(sys.executable).with_name("lumbung")
PAGE = b"<html><title>Tari Kecak</title></html>"


class Site(ThreadingHTTPServer):
    seen: list[tuple[float, str, str]]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, Site)
        server.seen.append((time.monotonic(), self.path, self.headers["User-Agent"]))
        body = b"User-agent: *\nDisallow: /tertutup\n" if self.path == "/robots.txt" else PAGE
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return None


@pytest.fixture
def site() -> Iterator[Site]:
    server = Site(("127.0.0.1", 0), Handler)
    server.seen = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def run(
    folder: Path, *words: str, lines: str = "", contact: str = "", database: str | None = None
) -> subprocess.CompletedProcess[str]:
    settings = {name: value for name, value in os.environ.items() if not name.startswith("LUMBUNG_")}
    settings |= {"LUMBUNG_DATA_DIR": str(folder), "LUMBUNG_CONTACT": contact}
    if database is not None:
        settings |= {"LUMBUNG_DATABASE_MACHINE_URL": database, "LUMBUNG_NATS_URL": "nats://127.0.0.1:1"}
    return subprocess.run(
        [LUMBUNG, "fetch", *words], input=lines, capture_output=True, text=True, env=settings, check=False, timeout=100
    )


def records(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert "Traceback" not in done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_fetch_obeys_robots_and_the_delay_and_tells_what_came(site: Site, tmp_path: Path) -> None:
    port = site.server_address[1]
    words = ["--resolve", f"budaya.test:{port}:127.0.0.1", "--allow-private", "127.0.0.1/32"]
    page, closed = f"http://budaya.test:{port}/a?b=1", f"http://budaya.test:{port}/tertutup/x"
    done = run(tmp_path, page, closed, *words)
    fetched, refused = records(done)
    assert fetched == {
        "url": page,
        "final_url": page,
        "status": 200,
        "content_type": "text/html",
        "bytes": len(PAGE),
        "sha256": hashlib.sha256(PAGE).hexdigest(),
        "redirects": [],
        "verdict": "fetched",
        "reason": None,
    }
    assert (refused["url"], refused["verdict"]) == (closed, "refused")
    assert "robots" in refused["reason"]
    assert done.returncode == 3
    assert [path for _, path, _ in site.seen] == ["/robots.txt", "/a?b=1"]
    assert site.seen[1][0] - site.seen[0][0] >= 5.0
    assert all(agent.startswith("Lumbung") for _, _, agent in site.seen)
    assert any(tmp_path.rglob("*.json"))


def test_with_running_engines_their_stops_and_their_delays_hold(site: Site, tmp_path: Path, logins: Logins) -> None:
    port = site.server_address[1]
    with psycopg.connect(logins.owner) as connection:
        connection.execute(
            "insert into host (name, domain, delay_seconds, stopped) values"
            " ('cepat.test', 'cepat.test', 0.5, null), ('henti.test', 'henti.test', null, 'the operator said so')"
        )
    names = [word for host in ("cepat", "henti") for word in ("--resolve", f"{host}.test:{port}:127.0.0.1")]
    urls = [f"http://cepat.test:{port}/a", f"http://henti.test:{port}/a"]
    fetched, stopped = records(run(tmp_path, *urls, *names, "--allow-private", "127.0.0.1/32", database=logins.machine))
    assert fetched["verdict"] == "fetched"
    assert (stopped["verdict"], stopped["reason"]) == ("refused", "opt-out: the operator said so")
    assert [path for _, path, _ in site.seen] == ["/robots.txt", "/a"]
    assert site.seen[1][0] - site.seen[0][0] >= 0.5
    with psycopg.connect(logins.owner) as connection:
        [row] = connection.execute("select leased_by, ended_at is not null from host where name = 'cepat.test'")
    assert row == (None, True)


def test_nothing_private_is_asked_unless_it_is_listed(site: Site, tmp_path: Path) -> None:
    port = site.server_address[1]
    done = run(tmp_path, f"http://127.0.0.1:{port}/", f"http://a.test:{port}/", "--resolve", f"a.test:{port}:127.0.0.1")
    assert [record["verdict"] for record in records(done)] == ["refused", "refused"]
    assert done.returncode == 3
    assert site.seen == []


def test_public_hosts_need_a_contact_first(tmp_path: Path) -> None:
    (record,) = records(run(tmp_path, "http://8.8.8.8/"))
    assert record["verdict"] == "refused"
    assert "LUMBUNG_CONTACT" in record["reason"]
    done = run(tmp_path, "http://8.8.8.8/", contact="nobody\n")
    assert done.returncode != 0
    assert "LUMBUNG_CONTACT" in done.stderr


def test_what_cannot_be_resolved_or_reached_fails_by_name(tmp_path: Path) -> None:
    done = run(tmp_path, "http://tidak-ada.invalid/", "mailto:a@b", contact="a@b.id")
    unresolved, refused = records(done)
    assert (unresolved["verdict"], refused["verdict"]) == ("unresolved", "refused")
    assert done.returncode == 1


def test_check_asks_the_guard_and_nobody_else(site: Site, tmp_path: Path) -> None:
    port = site.server_address[1]
    lines = [
        "http://8.8.8.8/",
        "http://0x7f.1/",
        "http://x.invalid/",
        "",
        f"http://127.0.0.1:{port}/",
        "http://a.test/",
        "\x00",
    ]
    done = run(
        tmp_path,
        "--check",
        "-",
        "--resolve",
        "a.test:80:127.0.0.1",
        "--allow-private",
        "127.0.0.0/8",
        lines="\r\n".join(lines),
    )
    answers = records(done)
    assert [answer["verdict"] for answer in answers] == [
        *("allowed", "allowed", "unresolved", "refused", "allowed", "allowed"),
        "refused",
    ]
    assert [answer["url"] for answer in answers] == lines
    assert all(set(answer) == {"url", "verdict", "reason"} for answer in answers)
    assert done.returncode == 0
    assert site.seen == []
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--check"],
        ["--check", "/no/such"],
        ["http://a.id/", "--resolve", "x"],
        ["http://a.id/", "--allow-private", "x"],
        ["--nothing"],
    ],
)
def test_wrong_usage_gets_one_sentence(tmp_path: Path, words: list[str]) -> None:
    done = run(tmp_path, *words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_an_answer_does_not_wait_for_the_next_line_nor_an_interrupt_for_the_end(tmp_path: Path) -> None:
    with subprocess.Popen(
        [LUMBUNG, "fetch", "--check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"LUMBUNG_DATA_DIR": str(tmp_path)},
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("http://10.0.0.1/\n")
        program.stdin.flush()
        assert json.loads(program.stdout.readline())["verdict"] == "refused"
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=20) == 130

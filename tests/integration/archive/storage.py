"""A real store of objects on loopback: one SeaweedFS server with its S3 gateway, in a folder of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

from pydantic import SecretStr
from tests.cluster.servers import free_ports

from lumbung.archive.object_store import Bucket, ObjectStore
from lumbung.errors import EngineUnavailable

ACCESS_KEY = "penjaga-lumbung"
SECRET_KEY = "rahasia-yang-ditanam-7f3a"
PATIENCE_SECONDS = 60
PORTS = ("master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc")


class ObjectServer:
    def __init__(self, folder: Path, address: str = "127.0.0.1") -> None:
        self.endpoint = ""
        self._address = address
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        *inner, port, grpc = free_ports(len(PORTS) + 2)
        self.endpoint = f"http://{self._address}:{port}"
        identity = {
            "name": "lumbung",
            "credentials": [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}],
            "actions": ["Admin", "Read", "Write", "List"],
        }
        keys = self._folder / "s3.json"
        keys.write_text(json.dumps({"identities": [identity]}), encoding="utf-8")
        options = [f"-{name}={number}" for name, number in zip(PORTS, inner, strict=True)]
        options += [
            f"-dir={self._folder}",
            f"-ip={self._address}",
            f"-ip.bind={self._address}",
            "-filer",
            "-s3",
            f"-s3.config={keys}",
        ]
        options += [
            f"-s3.port={port}",
            f"-s3.port.grpc={grpc}",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            "-s3.iam=false",
        ]
        options += ["-master.volumeSizeLimitMB=64", "-volume.max=20", "-master.telemetry=false"]
        program = Path(sys.executable).with_name("weed")
        with (self._folder / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                [program, "-logtostderr=true", "server", *options], stdout=log, stderr=log, cwd=self._folder
            )
        self._await_answer()

    def _await_answer(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return ObjectStore(self.bucket(), "warc").put("awal", b"1")
            except EngineUnavailable:
                assert self._process is not None
                assert self._process.poll() is None, (self._folder / "server.log").read_text(encoding="utf-8")[-2000:]
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def bucket(self, prefix: str = "", secret: str = SECRET_KEY) -> Bucket:
        url = f"s3://arsip/{prefix or uuid4().hex[:12]}"
        return Bucket(url, self.endpoint, "us-east-1", SecretStr(ACCESS_KEY), SecretStr(secret))

    def freeze(self) -> None:
        """Nobody is answered until it thaws."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

"""The embedded engines: PostgreSQL and NATS JetStream, run by one supervisor per data folder."""

from __future__ import annotations

from lumbung.runtime.engines.client import Engines, RunningEngines
from lumbung.runtime.engines.connection import EnginePids, engine_pids, stop_engines, wipe_nats_store
from lumbung.runtime.engines.nats import NatsAddress, NatsEngine
from lumbung.runtime.engines.postgres import PostgresAddress, PostgresEngine

__all__ = [
    "EnginePids",
    "Engines",
    "NatsAddress",
    "NatsEngine",
    "PostgresAddress",
    "PostgresEngine",
    "RunningEngines",
    "engine_pids",
    "stop_engines",
    "wipe_nats_store",
]

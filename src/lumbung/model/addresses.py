"""What addresses and names in settings must look like; each check says it in words, without the value, which may hold a password."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr


def web_address(given: str) -> str:
    if urlsplit(given).scheme not in {"http", "https"} or not urlsplit(given).hostname:
        raise ValueError("it must be http(s)://HOST[:PORT]/PATH")
    return given


def is_elsewhere(address: str | None) -> bool:
    """Whether somebody else may run what answers there: everything but this machine and private networks."""
    host = urlsplit(address or "").hostname or ""
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith((".localhost", ".local", ".internal", ".lan", ".home.arpa"))


def database_address(given: SecretStr) -> SecretStr:
    value = given.get_secret_value()
    if urlsplit(value).scheme not in {"postgresql", "postgres"} and "=" not in value:
        raise ValueError("it must be postgresql://USER:PASSWORD@HOST[:PORT]/DATABASE")
    return given


def nats_addresses(given: SecretStr) -> SecretStr:
    named = [each.strip() for each in given.get_secret_value().split(",")]
    servers = [urlsplit(each if "://" in each or ":" not in each else f"nats://{each}") for each in named]
    if any(each.scheme not in {"nats", "tls", "ws", "wss"} or not each.hostname for each in servers):
        raise ValueError("it must be nats://USER:PASSWORD@HOST[:PORT], several with commas between")
    return given


def network(given: str) -> str:
    ip_network(given.strip(), strict=False)
    return given


def agent_name(given: str) -> str:
    if not given.strip() or not given.isascii() or not given.isprintable():
        raise ValueError("it must be a name in plain letters on one line")
    return given


def existing_name(given: Any) -> Any:
    if str(given).strip() == "":
        raise ValueError("it is empty")
    return given


def separated(given: object) -> object:
    return [each.strip() for each in given.split(",") if each.strip()] if isinstance(given, str) else given

"""Names to addresses, resolved once and checked before anything connects.

The fetcher asks for the endpoints of a hop; when the HTTP client then opens a connection it is answered from the
same checked entry, so a name that changes its mind between check and connect changes nothing.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Protocol

import aiodns
import pycares
from aiohttp.abc import AbstractResolver, ResolveResult

from lumbung.errors import LumbungError, RefusedError, UsageError
from lumbung.providers.fetch.addresses import WEB_PORTS, AddressGuard
from lumbung.providers.fetch.limits import Reason, Verdict
from lumbung.text.url import ParsedUrl, parse

KEPT_SECONDS = 300.0
KEPT_NAMES = 10_000
MISSING_SECONDS = 30.0
_NO_SUCH_NAME = frozenset({pycares.errno.ARES_ENODATA, pycares.errno.ARES_ENOTFOUND, pycares.errno.ARES_EBADNAME})


@dataclass(frozen=True, slots=True)
class Endpoint:
    address: str
    port: int


Overrides = Mapping[tuple[str, int], Endpoint]
"""Local name resolution: what stands for (host, port). It names addresses, it does not allow them."""


class NotAdmitted(RefusedError):
    """The end of a fetch before it begins: refused or unresolved."""

    def __init__(self, verdict: Verdict, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason), reason=str(reason))
        self.verdict = verdict
        self.why = reason
        self.detail = detail


class Names(Protocol):
    async def lookup(self, host: str) -> tuple[str, ...]:
        """All addresses of a name; raises NotAdmitted when there are none."""
        ...

    async def close(self) -> None: ...


class SystemNames:
    """The system's name servers and hosts file, without the search list: a bare word stays a bare word."""

    def __init__(self, timeout_seconds: float = 3.0) -> None:
        self._timeout_seconds = timeout_seconds
        self._resolver: aiodns.DNSResolver | None = None

    async def lookup(self, host: str) -> tuple[str, ...]:
        if self._resolver is None:
            flags = pycares.ARES_FLAG_NOSEARCH
            self._resolver = aiodns.DNSResolver(timeout=self._timeout_seconds, tries=2, flags=flags)
        try:
            answer = await self._resolver.getaddrinfo(host, family=socket.AF_UNSPEC, type=socket.SOCK_STREAM)
        except aiodns.error.DNSError as error:
            number = error.args[0] if error.args else None
            reason = Reason.NO_SUCH_NAME if number in _NO_SUCH_NAME else Reason.NAME_TIMEOUT
            raise NotAdmitted(Verdict.UNRESOLVED, reason, f"{host} has no address") from error
        found = tuple(dict.fromkeys(_text(node.addr[0]) for node in answer.nodes))
        if not found:
            raise NotAdmitted(Verdict.UNRESOLVED, Reason.NO_SUCH_NAME, f"{host} has no address")
        return found

    async def close(self) -> None:
        if self._resolver is not None:
            await self._resolver.close()
            self._resolver = None


def _text(address: bytes | str) -> str:
    return address.decode("ascii", "replace") if isinstance(address, bytes) else address


class GuardedResolver(AbstractResolver):
    def __init__(
        self,
        guard: AddressGuard,
        overrides: Overrides | None = None,
        names: Names | None = None,
        name_seconds: float = 8.0,
    ) -> None:
        self._guard = guard
        self._name_seconds = name_seconds
        self._overrides = dict(overrides or {})
        self._names: Names = names or SystemNames()
        self._kept: OrderedDict[tuple[str, int], tuple[float, tuple[Endpoint, ...]]] = OrderedDict()
        self._missing: OrderedDict[str, float] = OrderedDict()
        """Names without an address, and until when they are not asked for again."""

    async def admit(self, url: ParsedUrl) -> tuple[Endpoint, ...]:
        """The endpoints that may be asked for this URL; NotAdmitted says why there are none."""
        return await self.endpoints(url.host.strip("[]"), url.port)

    async def endpoints(self, host: str, port: int) -> tuple[Endpoint, ...]:
        kept = self._kept.get((host, port))
        if kept is not None and kept[0] > time.monotonic():
            return kept[1]
        found = await self._checked(host, port)
        self._kept[host, port] = (time.monotonic() + KEPT_SECONDS, found)
        self._kept.move_to_end((host, port))
        if len(self._kept) > KEPT_NAMES:
            self._kept.popitem(last=False)
        return found

    async def _checked(self, host: str, port: int) -> tuple[Endpoint, ...]:
        override = self._overrides.get((host, port))
        port_is_open = override is not None or port in WEB_PORTS
        if not port_is_open and not self._guard.lists_any:
            raise _port_refused(port)
        try:
            found = (override,) if override is not None else await self._looked_up(host, port)
        except NotAdmitted:
            if not port_is_open:
                raise _port_refused(port) from None
            raise
        # One bad address spoils the name: a public site has no reason to point into a private network.
        for endpoint in found:
            why = self._guard.refusal(endpoint.address)
            if why is not None:
                shown = endpoint.address if endpoint.address == host else f"{host} is {endpoint.address}"
                raise NotAdmitted(Verdict.REFUSED, Reason.ADDRESS, f"{why} ({shown})")
        if not port_is_open and not all(self._guard.is_listed(endpoint.address) for endpoint in found):
            raise _port_refused(port)
        return found

    async def _looked_up(self, host: str, port: int) -> tuple[Endpoint, ...]:
        name = host.rstrip(".").lower()
        if name == "localhost" or name.endswith(".localhost"):
            return (Endpoint("127.0.0.1", port),)
        if name == "invalid" or name.endswith(".invalid"):
            raise NotAdmitted(Verdict.UNRESOLVED, Reason.NO_SUCH_NAME, f"{host} has no address")
        if is_address(host):
            return (Endpoint(host, port),)
        if self._missing.get(host, 0.0) > time.monotonic():
            raise NotAdmitted(Verdict.UNRESOLVED, Reason.NO_SUCH_NAME, f"{host} has no address")
        try:
            async with asyncio.timeout(self._name_seconds):
                addresses = await self._names.lookup(host)
        except TimeoutError as error:
            raise NotAdmitted(Verdict.UNRESOLVED, Reason.NAME_TIMEOUT, f"no answer about {host}") from error
        except NotAdmitted as error:
            if error.why is Reason.NO_SUCH_NAME:
                self._note_missing(host)
            raise
        return tuple(Endpoint(address, port) for address in addresses)

    def _note_missing(self, host: str) -> None:
        self._missing[host] = time.monotonic() + MISSING_SECONDS
        self._missing.move_to_end(host)
        if len(self._missing) > KEPT_NAMES:
            self._missing.popitem(last=False)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """For the HTTP client. NotAdmitted becomes the OSError that it expects."""
        try:
            found = await self.endpoints(host, port)
        except NotAdmitted as error:
            raise OSError(str(error)) from error
        return [
            ResolveResult(
                hostname=host,
                host=endpoint.address,
                port=endpoint.port,
                family=socket.AF_INET6 if ":" in endpoint.address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for endpoint in found
            if family in {socket.AF_UNSPEC, socket.AF_INET6 if ":" in endpoint.address else socket.AF_INET}
        ]

    async def close(self) -> None:
        await self._names.close()


def _port_refused(port: int) -> NotAdmitted:
    return NotAdmitted(Verdict.REFUSED, Reason.PORT, f"{port} is no port of the public web")


def is_address(host: str) -> bool:
    """The URL parser has already brought every spelling of an address into one form."""
    try:
        IPv6Address(host) if ":" in host else IPv4Address(host)
    except ValueError:
        return False
    return True


def parse_override(text: str) -> tuple[tuple[str, int], Endpoint]:
    """`HOST:PORT:ADDRESS`, the address of IPv6 with or without brackets. An address needs no resolution, so the
    host is a name.
    """
    host, _, rest = text.partition(":")
    port, _, address = rest.partition(":")
    address = address.strip("[]")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536 or not is_address(address):
        message = f"{text!r} is not HOST:PORT:ADDRESS, such as budaya.test:8080:127.0.0.1."
        raise UsageError(message)
    try:
        name = parse(f"http://{host}/").host
    except LumbungError as error:
        message = f"{host!r} is no host name."
        raise UsageError(message) from error
    if is_address(name):
        message = f"{host!r} is an address already; only names are resolved."
        raise UsageError(message)
    return (name, int(port)), Endpoint(address, int(port))

from __future__ import annotations

import asyncio

import pytest
from tests.integration.providers.fetch.local_servers import Serve, answer, fixed

from lumbung.errors import UsageError
from lumbung.providers.fetch.addresses import AddressGuard, parse_network
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import FetchLimits, Reason, Verdict
from lumbung.providers.fetch.resolver import Endpoint, GuardedResolver, NotAdmitted, SystemNames, parse_override


class ScriptedNames:
    """Answers each look-up with the next line of a script, as a rebinding name server does."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def lookup(self, host: str) -> tuple[str, ...]:
        self.asked.append(host)
        return self.answers.pop(0) if self.answers else ("10.0.0.1",)

    async def close(self) -> None:
        return None


async def refusal(names: ScriptedNames, host: str = "a.test", port: int = 80) -> str:
    with pytest.raises(NotAdmitted) as stop:
        await GuardedResolver(AddressGuard(), names=names).endpoints(host, port)
    assert stop.value.verdict is Verdict.REFUSED
    return str(stop.value)


async def test_a_name_is_resolved_once_for_check_and_connection(serve: Serve) -> None:
    server = await serve(fixed(answer()))
    names = ScriptedNames(("127.0.0.1",), ("127.0.0.2",))
    guard = AddressGuard([parse_network("127.0.0.1/32")])
    async with Fetcher("Lumbung", guard, names=names) as fetcher:
        first = await fetcher.fetch(f"http://rebind.test:{server.port}/")
        second = await fetcher.fetch(f"http://rebind.test:{server.port}/")
    assert first.fetched
    assert second.fetched
    assert first.remote_address == "127.0.0.1"
    assert names.asked == ["rebind.test"]


async def test_one_private_address_among_public_ones_spoils_the_name() -> None:
    assert "private" in await refusal(ScriptedNames(("8.8.8.8", "192.168.0.1")))
    assert "ipv4-in-ipv6" in await refusal(ScriptedNames(("8.8.8.8", "::ffff:8.8.8.8")))


@pytest.mark.parametrize("port", [0, 1, 21, 22, 23, 25, 53, 110, 143, 3306, 5432, 6379, 8500, 9200, 11211, 27017])
async def test_ports_of_other_services_are_refused_before_any_look_up(port: int) -> None:
    names = ScriptedNames(("8.8.8.8",))
    assert "port" in await refusal(names, port=port)
    assert names.asked == []


async def test_a_listed_network_opens_its_ports_but_not_those_of_others() -> None:
    guard = AddressGuard([parse_network("10.0.0.0/8")])
    resolver = GuardedResolver(guard, names=ScriptedNames(("10.1.1.1",), ("8.8.8.8",)))
    assert await resolver.endpoints("dalam.test", 9999) == (Endpoint("10.1.1.1", 9999),)
    with pytest.raises(NotAdmitted) as stop:
        await resolver.endpoints("luar.test", 9999)
    assert stop.value.why is Reason.PORT


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "a.localhost"])
async def test_localhost_is_loopback_without_asking_anybody(host: str) -> None:
    names = ScriptedNames(("8.8.8.8",))
    assert "loopback" in await refusal(names, host)
    assert names.asked == []


async def test_a_name_server_that_does_not_answer_is_a_name_unresolved() -> None:
    class SilentNames(ScriptedNames):
        async def lookup(self, host: str) -> tuple[str, ...]:  # noqa: ARG002
            await asyncio.sleep(60)
            return ()

    async with Fetcher("Lumbung", AddressGuard(), FetchLimits(name_seconds=0.1), names=SilentNames()) as fetcher:
        result = await fetcher.fetch("http://sunyi.test/")
    assert (result.verdict, result.reason) == (Verdict.UNRESOLVED, Reason.NAME_TIMEOUT)


async def test_the_socket_itself_is_guarded(serve: Serve) -> None:
    """Even a resolver that says yes to everything does not open a connection to a refused address."""
    server = await serve(fixed(answer()))

    class TrustingFetcher(Fetcher):
        async def _admit(self, url: object) -> None:
            return None

    async with TrustingFetcher("Lumbung", AddressGuard()) as fetcher:
        result = await fetcher.fetch(server.url())
    assert (result.verdict, result.reason) == (Verdict.REFUSED, Reason.ADDRESS)
    assert server.requests == []


async def test_the_hosts_file_is_read_and_a_missing_name_is_unresolved() -> None:
    names = SystemNames(timeout_seconds=1.0)
    with pytest.raises(NotAdmitted) as stop:
        await names.lookup("tidak-ada.invalid")
    assert stop.value.verdict is Verdict.UNRESOLVED
    await names.close()


@pytest.mark.parametrize(
    ("text", "key", "address"),
    [
        ("Budaya.Test:8080:127.0.0.1", ("budaya.test", 8080), "127.0.0.1"),
        ("a.test:80:::1", ("a.test", 80), "::1"),
        ("a.test:80:[::1]", ("a.test", 80), "::1"),
    ],
)
def test_local_resolution_is_read(text: str, key: tuple[str, int], address: str) -> None:
    assert parse_override(text) == (key, Endpoint(address, key[1]))


@pytest.mark.parametrize(
    "text", ["", "a", "a:80", "a:x:127.0.0.1", "a:0:127.0.0.1", "a:80:b", "a:99999:1.1.1.1", "1.1.1.1:80:1.1.1.1"]
)
def test_local_resolution_of_another_form_is_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError):
        parse_override(text)

"""Curators and guardians change the words that gate, extractor and scope rules read with, while stages run."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from lumbung import funnel
from lumbung.bootstrap import Addresses, LocalNames, System
from lumbung.config import Settings
from lumbung.errors import PermissionRefused, StaleRead, UsageError
from lumbung.governance.actions.lexicon import set_lexicon
from lumbung.governance.installation import install
from lumbung.model.permission import PERMISSIONS, Role
from lumbung.model.profile import LexiconTerm
from lumbung.providers.parser.pool import ParserPool
from lumbung.runtime.worker import Worker
from lumbung.stages.decide.handler import DecideHandler
from lumbung.store import governed, lexicon
from lumbung.text.gate import Gate
from lumbung.text.lexicon import SHIPPED, Words, digest_of, key_of, read_with

INVENTED = LexiconTerm("zurwakel", "ind", "tarian", "head", 2.0)
"""No word of any language that we know of, so that only the lexicon can make something of it."""
PAGE = "<h1>Zurwakel Padi</h1>" + "<p>Zurwakel Padi berasal dari Minangkabau dan dipakai dalam upacara panen.</p>" * 30


async def changed(house, actor, added=(), dropped=()):
    async with house.people.transaction() as tx:
        return await set_lexicon(tx, actor, house.profile, added, dropped, "asked for by dancers")


async def test_a_word_is_added_and_taken_out_under_a_version_with_its_line_in_the_log(house):
    curator = await house.person("kurator", Role.CURATOR)
    gone = house.profile.lexicon[0]
    assert await changed(house, curator, [INVENTED], [gone]) == 2
    assert await changed(house, curator, [INVENTED]) == 3
    async with house.people.transaction() as tx:
        words = await lexicon.in_force(tx)
        lines = [row for row in await governed.log_tail(tx) if row["verb"] == "set-lexicon"]
        history = await governed.history(tx, lexicon.ROW)
        assert await governed.unsealed_rows(tx) == []
    assert words == Words(3, (INVENTED,))
    assert [row["value"]["digest"] for row in history] == [digest_of(house.profile.lexicon)] * 3
    last, first = lines
    assert first["person"] == curator.person
    assert [each["term"] for each in first["effect"]["dropped"]["put"]] == [gone.term]
    assert [each["term"] for each in last["effect"]["dropped"]["taken"]] == [gone.term]
    assert last["effect"]["added"] == {"put": [], "taken": []}
    held = {key_of(word): word.weight for word in words.applied_to(house.profile).lexicon}
    assert held[key_of(INVENTED)] == 2.0
    assert key_of(gone) in held


async def test_only_curators_and_guardians_change_words_and_only_to_some_that_can_be_used(house):
    people = {role: await house.person(f"a-{role}", role) for role in Role}
    for role in set(Role) - PERMISSIONS["set-lexicon"].roles:
        with pytest.raises(PermissionRefused):
            await changed(house, people[role], [INVENTED])
    guardian = people[Role.GUARDIAN]
    shipped = house.profile.lexicon[0]
    for added, dropped in (
        ([replace(INVENTED, term=" ")], []),
        ([replace(INVENTED, language="bahasa")], []),
        ([replace(INVENTED, category="nothing")], []),
        ([replace(INVENTED, role="commerce")], []),
        ([replace(INVENTED, weight=float("nan"))], []),
        ([INVENTED, replace(INVENTED, term="ZURWAKEL")], []),
        ([shipped], [shipped]),
        ([], [INVENTED]),
        ([], []),
    ):
        with pytest.raises(UsageError):
            await changed(house, guardian, added, dropped)


async def test_a_release_with_other_words_makes_a_version_and_keeps_what_people_changed(house):
    guardian = await house.person("penjaga", Role.GUARDIAN)
    await changed(house, guardian, [INVENTED])
    newer = replace(house.profile, lexicon=house.profile.lexicon[1:])
    async with house.people.transaction() as tx:
        await install(tx, newer)
        await install(tx, newer)
        row, version = (await governed.values_now(tx))[lexicon.ROW], (await governed.versions_now(tx))[lexicon.ROW]
        assert await lexicon.in_force(tx) == Words(3, (INVENTED,))
    assert (version, row["digest"], row["words"]) == (3, digest_of(newer.lexicon), len(newer.lexicon))


async def test_nothing_is_decided_with_words_that_are_no_longer_in_force(house):
    await house.page("https://a.go.id/1", "Zurwakel Padi")
    await house.work()
    curator = await house.person("kurator", Role.CURATOR)
    await changed(house, curator, [INVENTED])
    handler = DecideHandler(house.profile, house.gazetteer)
    with pytest.raises(StaleRead):
        async with house.machine.transaction() as tx:
            await handler.commit(tx, [], {})
    async with house.machine.transaction() as tx:
        words = await lexicon.in_force(tx)
        assert list(await DecideHandler(words.applied_to(house.profile), house.gazetteer).commit(tx, [], {})) == []


async def test_what_rules_left_out_is_judged_again_with_the_new_words(house):
    """A commerce word in a name keeps it out of the scope; taken out of the lexicon, it no longer does."""
    digest = await house.page("https://a.go.id/1", "Zurwakel Padi")
    curator = await house.person("kurator", Role.CURATOR)
    foreign = replace(INVENTED, category="", role="foreign", weight=5.0)
    verdicts = []
    for added in ([foreign], []):
        await changed(house, curator, added)
        async with house.machine.transaction() as tx:
            held = (await lexicon.in_force(tx)).applied_to(house.profile)
        house.handlers["decide"] = DecideHandler(held, house.gazetteer)
        await house.work()
        async with house.machine.transaction() as tx:
            verdicts.append(await tx.value("select scope from candidate where digest = %(d)s", {"d": digest}))
    assert verdicts[0] != "in"
    assert verdicts[1] == "in"


async def test_running_parts_take_the_words_over_and_tell_them_by_the_extractors_version(house, logins, monkeypatch):
    monkeypatch.setattr(funnel, "WORDS_SECONDS", 0.01)
    addresses = Addresses(None, logins.machine, logins.people, "nats://127.0.0.1:1")
    system = System(Settings(), addresses, house.machine, house.people, house.profile, LocalNames())
    taken = asyncio.Event()

    class Followed(Worker):
        def follow(self, handlers):
            super().follow(handlers)
            taken.set()

    parts = funnel.Parts(stages=frozenset({"extract", "decide"}))
    async with ParserPool(1, words=SHIPPED) as pool:
        before = await pool.extract(PAGE.encode(), "https://a.example/1", "text/html")
        worker = Followed(house.machine, None, funnel.served_by(system, pool, "test", parts))
        running = funnel.Running(worker=worker)
        following = asyncio.create_task(funnel.keep_words(system, running, pool, "test", parts))
        await changed(house, await house.person("kurator", Role.CURATOR), [INVENTED])
        await asyncio.wait_for(taken.wait(), 60)
        following.cancel()
        after = await pool.extract(PAGE.encode(), "https://a.example/1", "text/html")
    assert [each.category for each in before[1] if "Zurwakel" in each.name] in ([], [None])
    assert [each.category for each in after[1] if "Zurwakel" in each.name] == ["tarian"]
    versions = {stage: handler.version for stage, handler in worker._handlers.items() if stage == "extract"}
    assert versions == {"extract": system.extractor_version}
    assert system.extractor_version.endswith("+words-2")
    assert read_with("lexical-9", house.profile) == "lexical-9"


def test_the_gate_reads_with_the_words_that_were_added(house_profile):
    text = "Zurwakel Padi adalah zurwakel dari Minangkabau. " * 20
    heard = Words(2, (INVENTED, replace(INVENTED, role="marker"), replace(INVENTED, role="genus")))
    scores = [Gate(each).judge(text, "ind").score for each in (house_profile, heard.applied_to(house_profile))]
    assert scores[1] > scores[0]


@pytest.fixture
def house_profile():
    from lumbung.profiles.loader import load_profile

    return load_profile("pdbi")

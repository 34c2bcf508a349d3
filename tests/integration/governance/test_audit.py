"""Samples with stored probabilities, blind readings, adjudication, gold, estimates, and the fall of a mode."""

from __future__ import annotations

import psycopg
import pytest

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.actions.corpus import close_notice, explain_corpus_change
from lumbung.governance.actions.labels import adjudicate_sample, label_sample, plant_gold, withdraw_label
from lumbung.governance.actions.modes import request_mode, sign_off
from lumbung.governance.actions.scope import ratify
from lumbung.governance.audit.queue import next_samples
from lumbung.governance.reports.quality import agreement, causes_to_lower, estimates, plan_labels, recall_by_stage
from lumbung.governance.steward import corpus, monitor, sampling
from lumbung.library.actions.import_records import import_record
from lumbung.library.actions.set_labels import set_labels
from lumbung.library.records import RecordReader
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.store import audits, governed, refusals


async def drawn(house):
    async with house.machine.transaction() as tx:
        await sampling.draw(tx)
    async with house.people.transaction() as tx:
        return await audits.samples(tx, ("publication", "rejection", "skip"))


@pytest.fixture
async def published(house, logins):
    """A category in full with two entries, every decision sampled."""
    cast = await house.cast()
    await house.ratified(cast)
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(
            "update governed set value = '1' where name in ('audit.rate', 'audit.rate_rejected', 'audit.rate_flagged')"
        )
        connection.execute("update governed set value = '0' where name = 'audit.second_reading_share'")
    for mode in ("trickle", "full"):
        await house.raised(cast, "tarian", mode)
    await house.page("https://isi.ac.id/1", "Tari Piring", (("fungsi", "hiburan rakyat"), ("iringan", "talempong")))
    await house.page("https://isi.ac.id/2", "Tari Lilin")
    await house.work()
    house.cast_now = cast
    return house


async def test_the_entry_and_each_published_fact_are_drawn_on_their_own_and_once(published):
    found = await drawn(published)
    assert sorted(row["attribute"] for row in found) == ["", "", "fungsi", "fungsi", "iringan"]
    assert {row["inclusion"] for row in found} == {1.0}
    async with published.people.transaction() as tx:
        await tx.run("update publication set considered = false")
    assert len(await drawn(published)) == len(found)


async def test_refusals_are_sampled_with_the_probability_they_had(published):
    async with published.machine.transaction() as tx:
        await refusals.add(tx, "crawl", "https://example.org/", "gate")
    rows = [row for row in await drawn(published) if row["kind"] == "rejection"]
    assert [(row["stage"], row["inclusion"]) for row in rows] == [("crawl", 1.0)]
    auditor = published.cast_now[Role.AUDITOR]
    async with published.people.transaction() as tx:
        await label_sample(tx, auditor, rows[0]["id"], "incorrect", error_kind="wrongly refused")
        recall = await recall_by_stage(tx)
    assert recall["crawl"]["recall"] == pytest.approx(2 / 3)


async def test_an_error_that_a_reader_finds_leaves_the_library(published):
    row = next(row for row in await drawn(published) if row["attribute"] == "iringan")
    async with published.people.transaction() as tx:
        await label_sample(
            tx, published.cast_now[Role.AUDITOR], row["id"], "incorrect", error_kind="wrong fact", note="not this"
        )
    await published.work()
    async with published.people.transaction() as tx:
        state = await tx.value("select state from fact where attribute = 'iringan'")
        loop = await audits.loop_closure(tx)
        found = await estimates(tx)
    assert state == "waiting"
    assert (loop["labels"], loop["changed"]) == (1, 1)
    assert found["tarian"]["labels"] == 1


async def test_labels_are_said_once_by_auditors_in_their_own_name(published, logins):
    rows = await drawn(published)
    auditor = published.cast_now[Role.AUDITOR]
    async with published.people.transaction() as tx:
        for actor in (OPERATOR_AT_THE_MACHINE, published.cast_now[Role.APPROVER], published.cast_now[Role.CURATOR]):
            with pytest.raises(PermissionRefused):
                await label_sample(tx, actor, rows[0]["id"], "correct")
        for verdict, kind in (("maybe", None), ("incorrect", None), ("correct", "copy"), ("incorrect", "ugly")):
            with pytest.raises(UsageError):
                await label_sample(tx, auditor, rows[0]["id"], verdict, error_kind=kind)
        await label_sample(tx, auditor, rows[0]["id"], "correct")
        with pytest.raises(PermissionRefused):
            await label_sample(tx, auditor, rows[0]["id"], "correct")
    with (
        psycopg.connect(logins.owner, autocommit=True) as connection,
        pytest.raises(psycopg.Error, match="never changed"),
    ):
        connection.execute("update label set verdict = 'incorrect', error_kind = 'copy'")


async def test_a_second_reading_is_blind_and_a_third_person_settles_what_differs(published, logins):
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("update governed set value = '1' where name = 'audit.second_reading_share'")
    row = (await drawn(published))[0]
    first, second, third = [await published.person(name, Role.AUDITOR) for name in ("ayu", "budi", "citra")]
    async with published.people.transaction() as tx:
        await label_sample(tx, first, row["id"], "correct")
        waiting = {each["id"]: each for each in await next_samples(tx, second, 100)}
        assert "verdict" not in waiting[row["id"]] and "readings" not in waiting[row["id"]]
        assert row["id"] not in {each["id"] for each in await next_samples(tx, first, 100)}
        await label_sample(tx, second, row["id"], "incorrect", error_kind="wrong quote")
        assert (await estimates(tx))["*"]["labels"] == 0
        with pytest.raises(PermissionRefused):
            await adjudicate_sample(tx, first, row["id"], "correct", None, "I say so")
        await adjudicate_sample(tx, third, row["id"], "incorrect", "wrong quote", "the quote says otherwise")
        assert (await estimates(tx))["*"]["precision"] == 0.0
        assert await agreement(tx) == pytest.approx(0.0, abs=1e-9)


async def test_the_log_keeps_what_the_first_reader_said_until_the_second_has_read(published, logins):
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("update governed set value = '1' where name = 'audit.second_reading_share'")
    row = (await drawn(published))[0]
    first, second = [await published.person(name, Role.AUDITOR) for name in ("ayu", "budi")]

    async def told():
        async with published.people.transaction() as tx:
            return [(each["reason"], each["effect"]) for each in await governed.log_tail(tx, verb="label-sample")]

    async with published.people.transaction() as tx:
        await label_sample(tx, first, row["id"], "correct", note="as the page says")
    assert await told() == [("", {"sample": row["id"]})]
    async with published.people.transaction() as tx:
        await label_sample(tx, second, row["id"], "correct")
    assert ("as the page says", "correct") in [(reason, effect.get("verdict")) for reason, effect in await told()]


@pytest.mark.parametrize(
    ("said", "settled", "state"),
    [("incorrect", "correct", "published"), ("correct", "incorrect", "waiting")],
    ids=["wrongly taken out", "wrongly left"],
)
async def test_the_library_follows_the_word_of_the_one_who_adjudicates(published, logins, said, settled, state):
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("update governed set value = '1' where name = 'audit.second_reading_share'")
    row = next(row for row in await drawn(published) if row["attribute"] == "iringan")
    first, second, third = [await published.person(name, Role.AUDITOR) for name in ("ayu", "budi", "citra")]
    kinds = {"correct": None, "incorrect": "wrong fact"}
    async with published.people.transaction() as tx:
        await label_sample(tx, first, row["id"], said, error_kind=kinds[said])
        await label_sample(tx, second, row["id"], settled, error_kind=kinds[settled])
    await published.work()
    async with published.people.transaction() as tx:
        await adjudicate_sample(tx, third, row["id"], settled, kinds[settled], "read it again")
    await published.work()
    async with published.people.transaction() as tx:
        assert await tx.value("select state from fact where attribute = 'iringan'") == state


async def all_sampled(house, logins):
    """One entry in shadow of which everything is sampled; the people in their roles."""
    cast = await house.cast()
    await house.ratified(cast)
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("update governed set value = '1' where name = 'audit.rate'")
    await house.page("https://isi.ac.id/1", "Tari Piring")
    await house.work()
    return cast


async def test_a_guardian_answers_for_a_sensitive_error_in_shadow_by_ratifying_anew(house, logins):
    """Without an answer the category could never leave shadow: nothing there would ever outdate the error."""
    cast = await all_sampled(house, logins)
    row = (await drawn(house))[0]
    async with house.people.transaction() as tx:
        await label_sample(tx, cast[Role.AUDITOR], row["id"], "incorrect", error_kind="sensitive")
        assert await causes_to_lower(tx, "tarian") == ["a sensitive item was found wrong"]
        await ratify(tx, cast[Role.GUARDIAN], ["the elders of the village"], "talked over; the word is on the list now")
        assert await causes_to_lower(tx, "tarian") == []


async def test_gold_looks_like_any_other_sample_and_stays_out_of_the_estimates(published):
    row = (await drawn(published))[0]
    auditor = published.cast_now[Role.AUDITOR]
    async with published.people.transaction() as tx:
        gold = await plant_gold(tx, published.cast_now[Role.APPROVER], row["id"], "incorrect", "a known error")
        shown = {each["id"]: each for each in await next_samples(tx, auditor, 100)}
        assert set(shown[gold]) == set(shown[row["id"]]) and "kind" not in shown[gold]
        await label_sample(tx, auditor, gold, "correct")
        assert (await estimates(tx))["*"]["labels"] == 0
        assert [(each["read"], each["right"]) for each in await audits.gold_results(tx)] == [(1, 0)]


async def test_a_promotion_cannot_rest_on_the_labels_of_the_one_who_signs(house, logins):
    cast = await all_sampled(house, logins)
    rows = await drawn(house)
    assert {row["stage"] for row in rows} == {"shadow"}
    async with house.people.transaction() as tx:
        await label_sample(tx, cast[Role.AUDITOR], rows[0]["id"], "correct")
        number = await request_mode(tx, cast[Role.CURATOR], "tarian", "trickle", "ready")
        with pytest.raises(PermissionRefused, match="your own labels"):
            await sign_off(
                tx,
                cast[Role.AUDITOR],
                number,
                "corpus",
                ("machine-account-only", "human-corpus-unchanged", "error-rate-known", "undo-tried"),
                "x",
            )


async def watched(house):
    async with house.machine.transaction() as tx:
        lowered = await monitor.watch(tx)
    async with house.people.transaction() as tx:
        return lowered, (await governed.values_now(tx))["mode.tarian"]


async def test_a_sensitive_item_found_wrong_lowers_its_category_at_once(published):
    row = next(row for row in await drawn(published) if row["attribute"] == "fungsi")
    assert await watched(published) == ([], "full")
    async with published.people.transaction() as tx:
        await label_sample(tx, published.cast_now[Role.AUDITOR], row["id"], "incorrect", error_kind="sensitive")
    assert await watched(published) == (["tarian"], "shadow")
    async with published.people.transaction() as tx:
        last = (await governed.log_tail(tx, verb="demote"))[0]
        assert (last["person"], last["subject"]) == (None, "tarian")
        assert await governed.broken_links(tx) == []


async def test_labels_that_stop_lower_the_category(published, logins):
    await drawn(published)
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("update clock set logical = logical + interval '13 days'")
    assert await watched(published) == ([], "full")
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("update clock set logical = logical + interval '2 days'")
    assert await watched(published) == (["tarian"], "shadow")


async def test_the_machine_can_lower_a_category_and_never_raise_one(published, logins):
    with psycopg.connect(logins.machine, autocommit=True) as connection:
        for target in ("full", "trickle", "nonsense"):
            found = connection.execute("select demote_category('ritual', %s, 'x', '{}')", (target,)).fetchone()
            assert found == (None,)
        assert connection.execute("select demote_category('tarian', 'trickle', 'x', '{}')").fetchone() != (None,)
        assert connection.execute("select demote_category('tarian', 'full', 'x', '{}')").fetchone() == (None,)


async def test_a_planted_drop_lowers_the_category_through_the_real_tables(published, logins):
    """Samples and labels as the actions write them, in bulk."""
    auditor = published.cast_now[Role.AUDITOR].person
    with psycopg.connect(logins.superuser, autocommit=True) as connection:

        def label(start, number, wrong_every):
            connection.execute(
                "insert into sample (kind, stage, subject, attribute, category, stratum, inclusion, confidence, place, shown) "
                "select 'publication', 'publish', 's' || n, 'a', 'tarian', 'tarian|plain', 0.05, 0.96, 0.5, '{}' from generate_series(%s::int, %s::int) n",
                (start, start + number - 1),
            )
            connection.execute(
                "insert into label (sample, person, reading, verdict, error_kind, action) "
                "select id, %s, 1, case when n %% %s = 0 then 'incorrect' else 'correct' end, case when n %% %s = 0 then 'wrong fact' end, (select max(seq) from action) "
                "from (select id, row_number() over (order by id) as n from sample where subject like 's%%' and not exists (select 1 from label where sample = sample.id)) t",
                (auditor, wrong_every, wrong_every),
            )

        label(1, 400, 50)
        assert await watched(published) == ([], "full")
        label(1001, 340, 10)
    assert await watched(published) == (["tarian"], "shadow")


async def human(house, title):
    entry = RecordReader(house.profile, house.gazetteer).read(
        {"title": title, "text": "Teks manusia.", "category": "tarian", "remote_id": title}
    )
    async with house.people.transaction() as tx:
        await import_record(tx, OPERATOR_AT_THE_MACHINE, entry)
    return entry.identity


async def looked(house, logins):
    """The steward's look, an hour later."""
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(
            "update human_corpus_digest set at = at - interval '2 hours'; update revision set at = at - interval '1 hour'"
        )
    async with house.machine.transaction() as tx:
        await corpus.digest_when_due(tx)
        return await audits.notice_is_open(tx, "human-corpus-changed")


@pytest.mark.parametrize(
    "statement",
    [
        "update entry set body = 'Lain.' where owner = 'human'",
        "update entry set category = 'ritual' where title = 'Tari Satu'",
        "update entry set aliases = '{Palsu}' where title = 'Tari Satu'",
        "update entry set regions = '{ID-BA}' where title = 'Tari Satu'",
        "update entry set files = '[\"https://a.example/x.jpg\"]' where title = 'Tari Satu'",
        "update entry set status = 'tombstone' where title = 'Tari Satu'",
        "update entry set contributor = 'Orang lain' where title = 'Tari Satu'",
        "update entry set licence = 'CC0-1.0' where title = 'Tari Satu'",
        "update entry set remote_revision = '9' where title = 'Tari Satu'",
        "update entry set labels = '[]' where title = 'Tari Satu'",
        "update entry set hidden = true where title = 'Tari Satu'",
        "update entry set owner = 'machine' where title = 'Tari Satu'",
        "delete from entry where title = 'Tari Satu'",
        "update revision set content = content || '{\"body\": \"Lain.\"}' where owner = 'human'; update entry set body = 'Lain.' where owner = 'human'",
        "delete from revision where owner = 'human'; delete from entry where owner = 'human'",
    ],
    ids=[
        "entry edited",
        "category",
        "names",
        "regions",
        "files",
        "removed",
        "contributor",
        "licence",
        "revision of its library",
        "labels taken off",
        "hidden",
        "made the machine's",
        "entry deleted",
        "revision edited too",
        "all traces deleted",
    ],
)
async def test_an_unexplained_change_of_the_human_corpus_is_found_and_lowers_everything(published, logins, statement):
    first = await human(published, "Tari Satu")
    await human(published, "Tari Dua")
    async with published.people.transaction() as tx:
        await set_labels(tx, published.cast_now[Role.GUARDIAN], first, ["tk-cs"], "agreed with the elders")
    assert not await looked(published, logins)
    async with published.machine.transaction() as tx:
        assert (await audits.digests(tx, 1))[0]["revisions"] == 2
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(statement)
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("update human_corpus_digest set at = at - interval '2 hours'")
    async with published.machine.transaction() as tx:
        await corpus.digest_when_due(tx)
    assert await watched(published) == (["tarian"], "shadow")
    async with published.people.transaction() as tx:
        [notice] = [row["id"] for row in await audits.notices(tx) if row["kind"] == "human-corpus-changed"]
        for actor in published.cast_now.values():
            with pytest.raises(UsageError, match="explained"):
                await close_notice(tx, actor, notice)
        await explain_corpus_change(tx, published.cast_now[Role.GUARDIAN], "restored from paper")
        assert await audits.changed_humans(tx) == [] and await audits.differing_digests(tx) == []


async def test_the_planner_counts_the_design_effect_in(published):
    async with published.people.transaction() as tx:
        plan = await plan_labels(tx, 0.02)
    assert plan["labels"] == 457 and plan["have"] == 0


async def test_who_calls_an_entry_a_duplicate_names_the_pair_which_is_then_one_until_the_label_is_taken_back(published):
    found = {row["subject"]: row["id"] for row in await drawn(published) if not row["attribute"]}
    auditor = published.cast_now[Role.AUDITOR]
    async with published.people.transaction() as tx:
        rows = await tx.rows("select identity, title from entry order by title")
        lilin, piring = (row["identity"] for row in rows)
        for other in (None, "tidak-ada", lilin):
            with pytest.raises(UsageError, match=r"duplicate of|no other entry"):
                await label_sample(tx, auditor, found[lilin], "correct", "duplicate", duplicate_of=other)
        with pytest.raises(UsageError, match="Only a duplicate"):
            await label_sample(tx, auditor, found[lilin], "correct", "novel", duplicate_of=piring)
        await label_sample(tx, auditor, found[lilin], "correct", "duplicate", duplicate_of=piring)
        [line] = await tx.rows("select effect from action where verb = 'label-sample'")
        assert line["effect"]["duplicate_of"] == piring
    await published.work()
    async with published.people.transaction() as tx:
        assert await tx.value("select count(*) from entry where status = 'published'") == 1
        await withdraw_label(tx, auditor, found[lilin], "a slip")
    await published.work()
    async with published.people.transaction() as tx:
        assert await tx.value("select count(*) from entry where status = 'published'") == 2


async def test_a_duplicate_of_a_persons_entry_is_named_as_such(published):
    found = {row["subject"]: row["id"] for row in await drawn(published) if not row["attribute"]}
    theirs = await human(published, "Tari Lilin Melayu")
    async with published.people.transaction() as tx:
        ours = await tx.value("select identity from entry where title = 'Tari Lilin'")
        await label_sample(
            tx, published.cast_now[Role.AUDITOR], found[ours], "correct", "duplicate", duplicate_of=theirs
        )
        acts = await tx.rows("select kind, b from human_act where kind = 'same' and revoked_by is null")
    assert [(row["kind"], row["b"]) for row in acts] == [("same", f"h:{theirs}")]

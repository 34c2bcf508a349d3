"""Every branch of the method that the demo world is there to show occurs, and is found where it must be found."""

from __future__ import annotations

import asyncio
from hashlib import sha256

import pytest

from lumbung.bootstrap import open_system
from lumbung.cli.demo import keep_working
from lumbung.demo.expectations import load_expectations
from lumbung.demo.script import is_harvested
from lumbung.governance.actions.review import decide_again
from lumbung.runtime.ending import end_all
from lumbung.runtime.presence import WorkPresence
from lumbung.text.names import name_key

BRANCHES = load_expectations()
THETA_S = 0.97
PATIENCE_SECONDS = 60


def branch(name):
    [found] = [each for each in BRANCHES if each.name == name]
    return found


def frontier(harvested, url):
    """The row of a URL in the frontier; every page of a branch must have been met unless the branch says otherwise."""
    [row] = harvested.rows("select * from frontier where url = %(url)s", url=url)
    return row


def documents(harvested, url):
    return harvested.rows("select * from document where url = %(url)s", url=url)


def candidates(harvested, url):
    return harvested.rows(
        "select c.* from candidate c join document d on d.id = c.document where d.url = %(url)s", url=url
    )


def machine_entries(harvested, name):
    return harvested.rows(
        "select * from entry where owner = 'machine' and name_key = %(key)s and status <> 'withdrawn'",
        key=name_key(name),
    )


def machine_entry(harvested, name):
    [entry] = machine_entries(harvested, name)
    return entry


def human_entry(harvested, name):
    [entry] = harvested.rows("select * from entry where owner = 'human' and title = %(name)s", name=name)
    return entry


def supplements(harvested, name):
    return harvested.rows(
        "select * from entry where supplement_of = %(identity)s", identity=human_entry(harvested, name)["identity"]
    )


def facts(harvested, entry, attribute=None):
    return harvested.rows(
        "select * from fact where entry = %(entry)s and (%(attribute)s::text is null or attribute = %(attribute)s) order by rank",
        entry=entry["identity"],
        attribute=attribute,
    )


def sources(harvested, fact):
    rows = harvested.rows(
        "select distinct d.url from fact_claim f join claim k on k.id = f.claim join document d on d.id = k.document where f.fact = %(fact)s",
        fact=fact["id"],
    )
    return {row["url"] for row in rows}


def novelty(harvested, url):
    """The newest verdict about each candidate of a page."""
    rows = harvested.rows(
        """select distinct on (n.subject) n.verdict, n.evidence from decision n join candidate c on c.digest = n.subject
           join document d on d.id = c.document where d.url = %(url)s and n.node = 'novelty' order by n.subject, n.id desc""",
        url=url,
    )
    return rows


def test_net_new(harvested):
    expected = branch("net-new")
    entry = machine_entry(harvested, expected.entry)
    assert (entry["status"], entry["category"], entry["supplement_of"]) == ("published", expected.category, None)
    assert {url for fact in facts(harvested, entry) for url in sources(harvested, fact)} == set(expected.pages)


def test_enrich(harvested):
    expected = branch("enrich")
    entry = machine_entry(harvested, expected.entry)
    assert entry["status"] == "published"
    told = facts(harvested, entry)
    first, second = expected.pages
    assert any(sources(harvested, fact) >= {first, second} for fact in told)
    assert any(fact["attribute"] == "busana" and sources(harvested, fact) == {second} for fact in told)


def test_supplement(harvested):
    expected = branch("supplement")
    human = human_entry(harvested, expected.entry)
    assert (human["status"], human["revision"]) == ("published", 1)
    [supplement] = supplements(harvested, expected.entry)
    assert supplement["status"] == "published"
    shown = [fact for fact in facts(harvested, supplement) if fact["state"] == "published"]
    assert {"bahan", "cara-memainkan"} <= {fact["attribute"] for fact in shown}
    assert set(expected.pages) <= {url for fact in shown for url in sources(harvested, fact)}


def test_skip(harvested):
    expected = branch("skip")
    assert {row["verdict"] for row in novelty(harvested, expected.pages[0])} == {"skip"}
    assert machine_entries(harvested, expected.entry) == []


def test_second_witness(harvested):
    expected = branch("second-witness")
    entry = machine_entry(harvested, expected.entry)
    assert entry["status"] == "published"
    lifted = [fact for fact in facts(harvested, entry) if fact["independent"] == 2]
    assert lifted
    assert all(fact["state"] == "published" and sources(harvested, fact) == set(expected.pages) for fact in lifted)
    alone = [fact for fact in facts(harvested, entry) if fact["independent"] == 1]
    assert alone
    assert all(fact["state"] == "waiting" for fact in alone)


@pytest.mark.parametrize("name", ["sacred-one-source", "sacred-copies"])
def test_sacred_matters_with_one_voice_wait_for_a_person(harvested, name):
    expected = branch(name)
    entry = machine_entry(harvested, expected.entry)
    assert (entry["status"], entry["sensitive"]) == ("review", True)
    told = facts(harvested, entry)
    assert {fact["independent"] for fact in told} == {1}
    assert {url for fact in told for url in sources(harvested, fact)} == set(expected.pages)


def test_sacred_matters_with_two_independent_sources_are_published_flagged_and_surely_audited(harvested):
    expected = branch("sacred-independent")
    entry = machine_entry(harvested, expected.entry)
    assert (entry["status"], entry["sensitive"]) == ("published", True)
    shown = [fact for fact in facts(harvested, entry) if fact["state"] == "published"]
    assert shown
    assert all(fact["flagged"] and fact["independent"] == 2 and fact["probability"] >= THETA_S for fact in shown)
    drawn = harvested.rows("select * from sample where subject = %(entry)s", entry=entry["identity"])
    assert {each["attribute"] for each in drawn} >= {fact["attribute"] for fact in shown}
    assert {each["inclusion"] for each in drawn} == {1.0}


@pytest.mark.parametrize(
    "expected", [each for each in BRANCHES if each.name == "contradiction"], ids=lambda each: each.entry
)
def test_contradictions_are_kept_and_ranked(harvested, expected):
    entry = machine_entry(harvested, expected.entry)
    rivals = facts(harvested, entry, expected.attribute)
    assert [fact["value"] for fact in rivals] == list(expected.values)
    assert [fact["rank"] for fact in rivals] == [1, 2]
    first, second = rivals
    assert first["probability"] > second["probability"]
    assert [sources(harvested, fact) for fact in rivals] == [{url} for url in expected.pages]


@pytest.mark.parametrize("name", ["doorway", "mirror"])
def test_doorways_lead_on_and_their_text_is_never_kept(harvested, name):
    for url in branch(name).pages:
        assert frontier(harvested, url)["state"] == "fetched"
        [document] = documents(harvested, url)
        assert (document["kind"], document["body"], document["archive"]) == ("encyclopaedia", None, None), url
        assert [each for each in candidates(harvested, url) if each["state"] == "live"] == []
        assert harvested.rows("select 1 from page_text where document = %(id)s", id=document["id"]) == []


def test_a_doorway_lends_its_references(harvested):
    led = harvested.rows(
        "select host from frontier where parent in (select id from frontier where url = any (%(pages)s))",
        pages=list(branch("doorway").pages),
    )
    assert "ensiklopedia.example" not in {row["host"] for row in led}
    lent = frontier(harvested, "http://basa-sunda.example/angklung")
    [lender] = harvested.rows("select url from frontier where id = %(parent)s", parent=lent["parent"])
    assert lent["state"] == "fetched"
    assert lender["url"] in {*branch("doorway").pages, *branch("mirror").pages}


def test_index(harvested):
    led_on = 0
    for url in branch("index").pages:
        [document] = documents(harvested, url)
        assert document["kind"] == "index"
        assert candidates(harvested, url) == []
        led_on += len(harvested.rows("select 1 from frontier where parent = %(id)s", id=document["frontier"]))
    assert led_on > 0


def test_robots(harvested):
    forbidden, unreadable = branch("robots").pages
    row = frontier(harvested, forbidden)
    assert (row["state"], row["reason"][:11]) == ("refused", "robots.txt:")
    assert frontier(harvested, unreadable)["state"] in {"refused", "waiting"}
    assert not harvested.asked(forbidden)
    assert not harvested.asked(unreadable)


def test_opt_outs_are_obeyed_and_what_they_close_is_never_asked(harvested):
    *pages, behind = branch("opt-out").pages
    hosts = {url.split("/")[2] for url in pages}
    refused = harvested.rows(
        "select host from frontier where host = any (%(hosts)s) and state = 'refused' and reason like 'opt-out: %%'",
        hosts=list(hosts),
    )
    assert {row["host"] for row in refused} == hosts
    assert [url for url in pages if documents(harvested, url)] == []
    assert not harvested.asked(behind)


def test_blocked(harvested):
    expected = branch("blocked")
    assert [url for url in expected.pages if documents(harvested, url)] == []
    [host] = harvested.rows(
        "select note, cooldown_until > lumbung_now() as rests from host where name = 'blokir.example'"
    )
    assert host["rests"]
    assert host["note"].startswith("blocked: ")


def test_trap(harvested):
    [entrance] = branch("trap").pages
    assert frontier(harvested, "http://kalender-acara.example/")["state"] == "fetched"
    assert not harvested.asked(entrance)
    assert sum(each.host == "kalender-acara.example" for each in harvested.told.requests) <= 10


def test_redirect(harvested):
    expected = branch("redirect")
    for url in expected.pages:
        row = frontier(harvested, url)
        assert (row["state"], row["reason"]) == ("fetched", "redirect")
        assert documents(harvested, url) == []
    entry = machine_entry(harvested, expected.entry)
    assert entry["status"] == "published"
    assert not any("pindah.example" in url for fact in facts(harvested, entry) for url in sources(harvested, fact))


def test_the_canonical_address_is_asked_and_its_copy_counts_once(harvested):
    [copy] = branch("canonical").pages
    [held] = documents(harvested, copy)
    canonical = "http://museum-kain.example/koleksi/gringsing"
    assert frontier(harvested, canonical)["state"] == "fetched"
    both = harvested.rows(
        """select f.independent from fact f join fact_claim x on x.fact = f.id join claim a on a.id = x.claim
           join fact_claim y on y.fact = f.id join claim b on b.id = y.claim join document d on d.id = b.document
           where a.document = %(copy)s and d.url = %(canonical)s""",
        copy=held["id"],
        canonical=canonical,
    )
    assert both
    assert all(row["independent"] == 1 for row in both)


def test_pdf(harvested):
    expected = branch("pdf")
    [document] = documents(harvested, expected.pages[0])
    assert document["content_type"].startswith("application/pdf")
    entry = machine_entry(harvested, expected.entry)
    assert entry["status"] == "published"
    assert set(expected.pages) <= {url for fact in facts(harvested, entry) for url in sources(harvested, fact)}


@pytest.mark.parametrize("name", ["old-spelling", "javanese-script"])
def test_old_spelling_and_javanese_script_are_the_same_item(harvested, name):
    expected = branch(name)
    [supplement] = supplements(harvested, expected.entry)
    witnesses = {url for fact in facts(harvested, supplement) for url in sources(harvested, fact)}
    assert set(expected.pages) <= witnesses


@pytest.mark.parametrize("name", ["needs-translation", "foreign-language"])
def test_what_no_part_can_read_waits(harvested, name):
    for url in branch(name).pages:
        told = candidates(harvested, url)
        assert told, url
        assert {(each["state"], each["state_reason"]) for each in told} == {("parked", "needs-translation")}, url


def test_prompt_injection_has_no_effect(harvested):
    expected = branch("prompt-injection")
    entry = machine_entry(harvested, expected.entry)
    assert (entry["status"], entry["category"]) == ("review", expected.category)
    told = [each["value"] for url in expected.pages for each in claims(harvested, url)]
    assert told
    assert not [value for value in told for forbidden in expected.forbidden_values if forbidden in value]
    assert harvested.rows("select 1 from governed_now where name = 'decide.theta' and value <> '0.85'::jsonb") == []


def claims(harvested, url):
    return harvested.rows("select k.* from claim k join document d on d.id = k.document where d.url = %(url)s", url=url)


def test_hostile_answers_end_in_a_recorded_refusal(harvested):
    *pages, inward = branch("hostile").pages
    for url in pages:
        row = frontier(harvested, url)
        assert row["state"] in {"refused", "failed"}, url
        assert row["reason"]
        assert documents(harvested, url) == []
    assert documents(harvested, inward) == []
    [target] = harvested.rows("select * from frontier where host like '127.%%'")
    assert target["state"] != "fetched"
    assert documents(harvested, target["url"]) == []


def test_a_picture_without_a_free_licence_is_referred_to_and_never_copied(harvested):
    expected = branch("licence-refusal")
    entry = machine_entry(harvested, expected.entry)
    assert (entry["status"], entry["files"]) == ("published", [])
    assert [each["url"] for each in entry["media"]] == ["http://museum-kain.example/gambar/mega.png"]
    for picture in ("http://museum-kain.example/gambar/mega.png", "http://panggung-rakyat.example/gambar/piring.png"):
        assert not harvested.asked(picture)


def test_a_picture_with_a_free_licence_is_named_with_its_author(harvested):
    entry = machine_entry(harvested, branch("licence-granted").entry)
    assert entry["status"] == "published"
    [picture] = entry["media"]
    assert picture["creator"] == "Museum Nusantara"
    assert "/by-sa/" in picture["licence_hint"]


def test_a_picture_with_a_free_licence_is_copied(harvested):
    [copy] = machine_entry(harvested, branch("licence-granted").entry)["files"]
    assert (copy["licence"], copy["creator"], copy["page"]) == (
        "CC-BY-SA-4.0",
        "Museum Nusantara",
        branch("licence-granted").pages[0],
    )
    folder = harvested.settings.data_dir / "archive" / "pictures"
    content = (folder / copy["digest"][:2] / copy["digest"]).read_bytes()
    assert sha256(content).hexdigest() == copy["digest"]


def test_a_copy_of_our_own_entry_counts_zero(harvested):
    expected = branch("own-copy")
    for url in expected.pages:
        [document] = documents(harvested, url)
        assert (document["witness"], document["witness_reason"]) == (False, "akin to the library's own text")
        assert (
            harvested.rows(
                "select 1 from fact_claim f join claim k on k.id = f.claim where k.document = %(id)s", id=document["id"]
            )
            == []
        )
    assert machine_entries(harvested, expected.entry) == []


def test_what_people_took_down_stays_down(harvested):
    expected = branch("tombstone")
    stone = human_entry(harvested, expected.entry)
    assert (stone["status"], stone["status_reason"]) == ("tombstone", expected.reason)
    assert candidates(harvested, expected.pages[0])
    assert machine_entries(harvested, expected.entry) == []
    assert supplements(harvested, expected.entry) == []
    [act] = harvested.rows("select * from action where verb = 'remove-entry'")
    assert act["person"] is not None


def test_homonyms_stay_two_items(harvested):
    expected = branch("homonyms")
    rows = harvested.rows(
        """select distinct i.category, m.item from item_member m join item i on i.id = m.item join candidate c on c.digest = m.candidate
           join document d on d.id = c.document where d.url = any (%(pages)s)""",
        pages=list(expected.pages),
    )
    assert {row["category"] for row in rows} == {"permainan-tradisional", "musik-dan-lagu"}


def test_noise(harvested):
    for url in branch("noise").pages:
        [document] = documents(harvested, url)
        assert document["gate"]["passed"] is False
        assert candidates(harvested, url) == []


def test_a_slow_host_is_read_all_the_same(harvested):
    for url in branch("slow").pages:
        assert candidates(harvested, url), url


def test_the_frontier_runs_dry_and_the_next_tranche_is_injected(harvested):
    hosts = {url.split("/")[2] for url in branch("reseed").pages}
    _, second, *_ = harvested.told.asked_before
    assert not hosts & harvested.told.asked_before[second]
    assert hosts <= {each.host for each in harvested.told.requests}
    assert harvested.rows("select 1 from frontier where state = 'leased'") == []
    verbs = harvested.rows("select count(*) as injected from action where verb = 'inject-seeds'")
    assert verbs[0]["injected"] == len(harvested.told.asked_before)


def test_the_curator_chose_each_tranche_and_what_it_gave_is_counted(harvested):
    tranches = harvested.rows("select * from tranche order by injected_at")
    assert [row["name"] for row in tranches] == list(harvested.told.asked_before)
    assert {row["state"] for row in tranches} <= {"done", "stopped"}
    assert all(row["forecast"]["entries"] > 0 and row["forecast"]["cost"] > 0 for row in tranches)
    assert all(row["outcome"]["pages"] > 0 for row in tranches)
    chosen = harvested.rows(
        "select p.login, a.reason from action a join person p on p.id = a.person where a.verb = 'inject-tranche'"
    )
    assert [row["login"] for row in chosen] == ["demo-curator"] * len(tranches)
    assert all("fills the matrix best" in row["reason"] for row in chosen)


def test_no_human_record_was_changed(harvested):
    before, after = harvested.told.human_digests
    assert before == after


async def test_a_second_start_finds_the_library_filled_whatever_people_set_going_since(harvested):
    async with open_system(harvested.settings) as system:
        assert await is_harvested(system)
        rested = (
            "update host set cooldown_until = now() - interval '1 day' where cooldown_until is not null returning 1"
        )
        assert harvested.rows(rested)
        await ask_for_a_decision(system, harvested)
        assert await is_harvested(system)


async def test_the_open_demo_carries_out_what_its_visitors_decide(harvested, tmp_path):
    presence = WorkPresence(tmp_path)
    assert presence.take()
    async with open_system(harvested.settings) as system:
        await ask_for_a_decision(system, harvested)
        assert asked_for(harvested)
        working = asyncio.create_task(keep_working(system, presence))
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while asked_for(harvested):
                    assert not working.done()
                    await asyncio.sleep(0.05)
        finally:
            await end_all([working])


def asked_for(harvested):
    return harvested.rows("select 1 from job where starts_with(key, 'act:') and state <> 'done'")


async def ask_for_a_decision(system, harvested):
    """As a person's judgement does; the item is decided as before."""
    [item] = harvested.rows("select min(id) as id from item")
    async with system.people.transaction() as tx:
        await decide_again(tx, 0, item["id"])


def test_every_branch_is_tested_here():
    with open(__file__, encoding="utf-8") as file:
        text = file.read()
    assert [each.name for each in BRANCHES if f'"{each.name}"' not in text] == []

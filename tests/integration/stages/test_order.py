"""The library is a function of what is claimed, never of who came first."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from tests.integration.stages.order_sets import Arrival, generated

from lumbung.equations.pair_model import FEATURES, PairModel
from lumbung.errors import UsageError
from lumbung.governance.actions.demo_governance import demo_governance
from lumbung.governance.actions.undo import undo_batch
from lumbung.governance.installation import install
from lumbung.library.actions.contribute import remove_entry
from lumbung.library.actions.import_records import import_record
from lumbung.library.exports import STATUSES, canonical_export
from lumbung.library.records import RecordReader
from lumbung.model.candidate import Candidate, ExtractedFact, PageKind, PageText
from lumbung.model.job import NewJob
from lumbung.model.permission import ALL_SCOPES, OPERATOR_AT_THE_MACHINE, Actor, Role
from lumbung.profiles.loader import load_profile
from lumbung.runtime.worker import Worker
from lumbung.stages.decide.handler import DecideHandler
from lumbung.stages.encode.handler import EncodeHandler
from lumbung.stages.extract.drafts import draft
from lumbung.stages.publish.handler import PublishHandler
from lumbung.store import batches, candidates, documents, governed, jobs
from lumbung.store.documents import NewDocument
from lumbung.text.kinship import sketch
from lumbung.text.region import Gazetteer
from lumbung.text.sensitive import Sensitivity
from lumbung.text.url import host_of, registrable_domain

PROFILE = load_profile("pdbi")
GAZETTEER = Gazetteer(PROFILE)
SENSITIVITY = Sensitivity(PROFILE)
READER = RecordReader(PROFILE, GAZETTEER)
MODERATOR = Actor(None, frozenset({(Role.MODERATOR, ALL_SCOPES)}))


def page(url, name, facts, category="tarian", regions=("ID-SB",), aliases=(), text=""):
    """A page that states each fact in a line of its own."""
    lines = [f"{name} {aliases}", *(f"{attribute}: {value}" for attribute, value in facts), text or url * 3]
    whole = "\n".join(lines)
    found = []
    for attribute, value in facts:
        start = whole.index(f"{attribute}: {value}") + len(attribute) + 2
        found.append(ExtractedFact(attribute, value, value, start, start + len(value), "ind", 0.9))
    candidate = Candidate(name, tuple(aliases), category, tuple(regions), tuple(found), (), "lexical")
    return url, PageText(name, whole, "ind", "Latn", PageKind.ITEM), candidate


def new_handlers():
    every = (
        EncodeHandler(PROFILE, GAZETTEER),
        DecideHandler(PROFILE, GAZETTEER),
        PublishHandler(PROFILE, "test"),
    )
    return {handler.stage: handler for handler in every}


class Bench:
    """The real handlers on a real database, driven one job at a time in the order the test names."""

    def __init__(self, machine, people, handlers=None):
        self.machine, self.people = machine, people
        self.handlers = handlers or new_handlers()
        self.worker = Worker(machine, None, self.handlers)

    async def govern(self):
        async with self.people.transaction() as tx:
            await install(tx, PROFILE)
            await demo_governance(tx, OPERATOR_AT_THE_MACHINE, PROFILE, embedded_library=True)

    async def add(self, url, text, candidate, extractor="test"):
        host = host_of(url)
        async with self.machine.transaction() as tx:
            number = await documents.add(
                tx, NewDocument(url, url, host, registrable_domain(host), url, 200, "text/html", [], [], b"x", "item")
            )
            await documents.keep_reading(tx, number, text, sketch(text.text))
            await documents.keep_text(tx, number, "1", text)
            new = draft(candidate, 0, number, (url, url), "1", extractor, PROFILE, SENSITIVITY)
            await candidates.add(tx, new)
            await jobs.add(tx, [NewJob("encode", new.digest, {"node": new.digest})])

    async def human(self, record, removed=False):
        entry = READER.read(record)
        async with self.people.transaction() as tx:
            await import_record(tx, OPERATOR_AT_THE_MACHINE, entry)
            if removed:
                await remove_entry(tx, MODERATOR, entry.identity, "asked for by its community")
            node = f"h:{entry.identity}"
            await jobs.add(tx, [NewJob("encode", node, {"node": node})])

    async def arrive(self, arrival):
        """A page of `page`, or what a generated set brings."""
        if not isinstance(arrival, Arrival):
            await self.add(*arrival)
        elif arrival.kind == "page":
            await self.add(*page(arrival.url, arrival.name, arrival.facts, **arrival.more))
        else:
            record = {
                "title": arrival.name,
                "text": f"{arrival.name}: " + "; ".join(value for _, value in arrival.facts),
                "category": arrival.more["category"],
                "regions": list(arrival.more["regions"]),
                "remote_id": arrival.url,
            }
            await self.human(record, removed=arrival.kind == "removed")

    async def run(self, together=1):
        """Everything that is ready, stage by stage, until nothing is; so many jobs at once."""
        busy = True
        while busy:
            busy = False
            for stage, handler in self.handlers.items():
                async with self.machine.transaction() as tx:
                    ready = await jobs.ready_of(tx, stage, 100)
                for start in range(0, len(ready), together):
                    busy = True
                    await self.worker._handle(handler, ready[start : start + together])
        async with self.machine.transaction() as tx:
            assert [row for row in await jobs.dead(tx)] == []

    async def export(self):
        async with self.people.transaction() as tx:
            return await canonical_export(tx, STATUSES)


CLEARED = (
    "decision publication item_member item pair_verdict feature index_block fact_claim fact revision redirect index_fact "
    "entry_sketch entry_place entry claim candidate document_landmarks page_text offspring document job outbox batch"
).split()


async def clear(bench):
    """An empty library again, for the next order; deleting a few rows is quicker than truncating many tables."""
    import psycopg

    async with await psycopg.AsyncConnection.connect(bench.superuser) as connection:
        await connection.execute("set session_replication_role = replica")
        for table in CLEARED:
            await connection.execute(f"delete from {table}")


TARI_PIRING = [
    page("https://a.blogspot.com/1", "Tari Piring", [("fungsi", "hiburan rakyat"), ("iringan", "talempong")]),
    page("https://b.wordpress.com/2", "Tari Piriang", [("fungsi", "hiburan rakyat")], aliases=("Tari Piring",)),
    page("https://isi.ac.id/3", "Tari Piring", [("fungsi", "hiburan rakyat"), ("makna", "ungkapan syukur atas panen")]),
    page("https://c.example/4", "Tari Lilin", [("fungsi", "hiburan rakyat")]),
]
HOMONYMS = [
    page("https://a.go.id/1", "Tari Topeng", [("asal", "Cirebon")], regions=("ID-JB",)),
    page("https://b.go.id/2", "Tari Topeng", [("asal", "Malang")], regions=("ID-JI",)),
    page("https://c.go.id/3", "Tari Topeng", [("fungsi", "pertunjukan")], regions=()),
    page("https://d.go.id/4", "Tari Topeng", [("iringan", "gamelan")], regions=("ID-JB",)),
]
CONTRADICTION = [
    page("https://a.ac.id/1", "Rendang", [("waktu", "1900")], category="makanan-minuman"),
    page("https://b.ac.id/2", "Rendang", [("waktu", "1850")], category="makanan-minuman"),
    page("https://c.blogspot.com/3", "Randang", [("waktu", "1900")], category="makanan-minuman", aliases=("Rendang",)),
    page("https://d.go.id/5", "Rendang", [("bahan", "daging sapi; santan; cabai")], category="makanan-minuman"),
]
COPIES = [
    page(
        "https://a.example/1",
        "Pempek",
        [("bahan", "ikan; sagu")],
        "makanan-minuman",
        ("ID-SS",),
        text="Pempek dibuat dari ikan giling dan sagu lalu direbus sampai matang dan disajikan dengan kuah cuko yang asam pedas manis",
    ),
    page(
        "https://b.example/2",
        "Pempek",
        [("bahan", "ikan; sagu")],
        "makanan-minuman",
        ("ID-SS",),
        text="Pempek dibuat dari ikan giling dan sagu lalu direbus sampai matang dan disajikan dengan kuah cuko yang asam pedas manis",
    ),
    page(
        "https://c.example/3",
        "Empek-empek",
        [("bahan", "ikan; sagu")],
        "makanan-minuman",
        ("ID-SS",),
        aliases=("Pempek",),
    ),
    page("https://d.go.id/6", "Empek-empek", [("penyajian", "dengan kuah cuko")], "makanan-minuman", ("ID-SS",)),
]


NAMED = (TARI_PIRING, HOMONYMS, CONTRADICTION, COPIES)
SHORT_FORM = (*range(5), 5008)
"""In the last one a pair of different regions that are no neighbours is only compared if batches reach across."""
WITH_MATCHER = range(40, 43)


async def test_every_order_of_four_arrivals_gives_the_same_library(bench, logins):
    """The long form, 200 sets, is `python -m tests.long.order`."""
    async with bench() as made:
        made.superuser = logins.superuser
        await same_in_every_order(made, *NAMED, *(generated(seed) for seed in SHORT_FORM))


async def test_a_learned_matcher_in_force_keeps_every_order_the_same(bench, logins):
    model = PairModel(-3.0, tuple(6.0 if name in {"region", "equal name"} else 0.0 for name in FEATURES))
    async with bench() as made:
        made.superuser = logins.superuser
        async with made.people.transaction() as tx:
            action = await governed.append_action(tx, None, "set-matcher", "matcher.model", "for the test", {})
            await governed.set_value(tx, "matcher.model", model.as_row(), action)
        await same_in_every_order(made, *(generated(seed) for seed in WITH_MATCHER))


async def same_in_every_order(made, *sets, exported=None):
    """The sets lie side by side in one library and share no words; each arrives in every order, and all at once."""
    export = exported or made.export
    first = None
    for order in permutations(range(len(sets[0]))):
        await clear(made)
        for place in order:
            for each in sets:
                await made.arrive(each[place])
            await made.run(together=len(sets))
        found = await export()
        first = found if first is None else first
        assert found == first, f"in the order {order}: {difference(first, found)}"
    await clear(made)
    for each in sets:
        for arrival in each:
            await made.arrive(arrival)
    await made.run(together=len(sets))
    found = await export()
    assert found == first, f"all at once: {difference(first, found)}"


def difference(first, found):
    """The entries that only one of the two libraries holds."""
    return [each for each in first if each not in found], [each for each in found if each not in first]


async def test_one_item_under_two_names_becomes_one_entry_and_every_witness_counts(bench):
    async with bench() as made:
        for each in TARI_PIRING:
            await made.add(*each)
        await made.run()
        entries = {entry["title"]: entry for entry in await made.export()}
        assert set(entries) == {"Tari Piring", "Tari Lilin"}
        fungsi = next(fact for fact in entries["Tari Piring"]["facts"] if fact["attribute"] == "fungsi")
        assert len(fungsi["sources"]) == 3
        assert entries["Tari Piring"]["status"] == "published"
        assert entries["Tari Lilin"]["status"] == "review"


async def test_homonyms_stay_apart_and_the_one_between_them_goes_to_review(bench):
    async with bench() as made:
        for each in HOMONYMS:
            await made.add(*each)
        await made.run()
        found = sorted((entry["status"], tuple(entry["regions"])) for entry in await made.export())
        assert found == [("published", ("ID-JB",)), ("published", ("ID-JI",)), ("review", ())]


async def test_a_human_record_is_supplemented_and_never_overwritten_whenever_it_comes(bench, logins):
    record = {
        "title": "Tari Piring",
        "text": "Tari Piring adalah hiburan rakyat.",
        "category": "tarian",
        "regions": ["ID-SB"],
        "remote_id": "7",
    }
    async with bench() as made:
        made.superuser = logins.superuser
        found = []
        for human_first in (True, False):
            await clear(made)
            if human_first:
                await made.human(record)
                await made.run()
            for each in TARI_PIRING[:3]:
                await made.add(*each)
            await made.run()
            if not human_first:
                await made.human(record)
                await made.run()
            found.append(await made.export())
        assert found[0] == found[1]
        human, supplement = sorted(found[0], key=lambda entry: entry["owner"])
        assert (human["text"], human["facts"]) == (record["text"], [])
        assert supplement["title"] == "Tari Piring — data pelengkap"
        assert human["supplements"] == [supplement["identity"]]
        assert {fact["attribute"] for fact in supplement["facts"]} == {"makna"}


async def test_what_people_removed_is_not_created_again_under_any_name(bench, logins):
    import psycopg

    async with bench() as made:
        await made.human(
            {"title": "Tari Piring", "text": "x", "category": "tarian", "regions": ["ID-SB"], "remote_id": "7"}
        )
        with psycopg.connect(logins.people, autocommit=True) as connection:
            connection.execute("update entry set status = 'tombstone', status_reason = 'removed' where owner = 'human'")
        await made.run()
        for each in TARI_PIRING[:3]:
            await made.add(*each)
        await made.run()
        assert [(entry["owner"], entry["status"]) for entry in await made.export()] == [("human", "tombstone")]


async def say_same(made, names):
    """A person joins the first candidates of two names."""
    async with made.people.transaction() as tx:
        rows = await tx.rows(
            "select min(digest) as digest from candidate where name = any (%s) group by name", (names,)
        )
        first, second = sorted(row["digest"] for row in rows)
        action = await governed.append_action(tx, None, "judge-pair", first, "one dance", {"with": second})
        await governed.add_human_act(tx, "same", first, action, b=second)
        await jobs.add(tx, [NewJob("decide", f"act:{node}", {"node": node}) for node in (first, second)])


@pytest.mark.parametrize("judged_after", [2, 4])
async def test_a_persons_word_about_a_pair_carries_both_whole_items(bench, judged_after):
    pages = [
        page("https://a.ac.id/1", "Tari Galombang", [("fungsi", "penyambutan tamu")]),
        page("https://b.go.id/2", "Tari Pasambahan", [("iringan", "talempong")]),
        page("https://c.ac.id/3", "Tari Galombang", [("makna", "penghormatan")]),
        page("https://d.go.id/4", "Tari Pasambahan", [("asal-daerah", "Padang")]),
    ]
    async with bench() as made:
        for count, each in enumerate(pages, start=1):
            await made.add(*each)
            await made.run()
            if count == judged_after:
                await say_same(made, ["Tari Galombang", "Tari Pasambahan"])
                await made.run()
        [entry] = await made.export()
        assert {source["url"] for fact in entry["facts"] for source in fact["sources"]} == {url for url, *_ in pages}


async def test_undoing_the_last_batch_restores_the_library_exactly_and_an_older_one_takes_only_its_claims(bench):
    async with bench() as made:
        for each in TARI_PIRING[:2]:
            await made.add(*each)
        await made.run()
        before = await made.export()
        made.handlers["publish"]._run = "second"
        for each in TARI_PIRING[2:]:
            await made.add(*each)
        await made.run()
        after = await made.export()
        assert after != before
        async with made.people.transaction() as tx:
            first, second = [row["id"] for row in sorted(await batches.listed(tx), key=lambda row: row["id"])]
            await undo_batch(tx, OPERATOR_AT_THE_MACHINE, second, "a trial")
        await made.run()
        assert await made.export() == before
        async with made.people.transaction() as tx:
            await undo_batch(tx, OPERATOR_AT_THE_MACHINE, first, "a trial")
            with pytest.raises(UsageError):
                await undo_batch(tx, OPERATOR_AT_THE_MACHINE, first, "again")
        await made.run()
        assert await made.export() == []


@pytest.mark.parametrize(
    ("says", "independent"),
    [({}, 2), ({"publisher": "kabar ranah"}, 1), ({"origins": ("kabar.example",)}, 1)],
    ids=["nothing", "one publisher", "taken from one site"],
)
async def test_pages_of_one_publisher_or_of_one_declared_origin_are_one_witness(bench, says, independent):
    async with bench() as made:
        for url in ("https://a.example/1", "https://b.example/2"):
            _, text, candidate = page(url, "Tari Lilin", [("fungsi", "hiburan rakyat")])
            await made.add(url, replace(text, **says), candidate)
        await made.run()
        async with made.people.transaction() as tx:
            [fact] = await tx.rows("select independent from fact")
        assert fact["independent"] == independent


async def test_a_translation_is_no_second_witness(bench):
    indonesian = (
        "Tari Lilin ditarikan di Padang Panjang, Bukittinggi, Payakumbuh dan Solok sejak 1920; Datuk Basa, Sutan Mudo, "
        "Siti Rohana dan Puti Sari mengajarkannya di Batusangkar pada 1955, lalu di Pariaman pada 1960 dan Painan pada 1972."
    )
    english = (
        "The dance was performed in Padang Panjang, Bukittinggi, Payakumbuh and Solok since 1920; Datuk Basa, Sutan Mudo, "
        "Siti Rohana and Puti Sari taught it at Batusangkar in 1955, later at Pariaman in 1960 and Painan in 1972."
    )
    async with bench() as made:
        facts = [("fungsi", "hiburan rakyat")]
        await made.add(*page("https://a.example/1", "Tari Lilin", facts, text=indonesian))
        await made.add(*page("https://b.example/2", "Tari Lilin", facts, text=english))
        await made.run()
        [entry] = await made.export()
        [fact] = entry["facts"]
        assert len(fact["sources"]) == 2
        assert fact["confidence"] < 0.7

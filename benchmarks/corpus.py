"""A library that is already large, for every benchmark: whole entries made by COPY and set-wise SQL, in portions.

Each entry has a title, another name, four facts with their sources, a page, a revision, a line in the ledger, its words for the search
and a node in the feature index. 63 % are food, provinces follow Zipf's law, so that one block holds a quarter of all. Names are
made-up words of random syllables, half of them behind a generic word of their category. A portion is one transaction, so a library
that is kept in a folder is filled up from where it was ended.

Run: python -m benchmarks.corpus FOLDER ENTRIES      (keeps the folder; the benchmarks take `--folder FOLDER`)
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

import psycopg

from lumbung.profiles.loader import load_profile
from lumbung.runtime.engines import Engines, RunningEngines
from lumbung.store.database import QUERY_HEAD, Database
from lumbung.store.features import halfvec
from lumbung.store.migrate import migrate
from lumbung.text.features import FEATURES_VERSION, content_vector
from lumbung.text.names import canonical_name, name_key
from lumbung.text.stemming import stem

SYLLABLES = [a + b for a in (*"bcdghjklmnprstwy", "ng", "ny") for b in ("a", "i", "u", "e", "o", "an", "ung")]
WORDS, COMMONEST, PORTION = 30_000, 100, 10_000
FOOD, FOOD_SHARE, ZIPF = "makanan-minuman", 0.63, 1.4
ATTRIBUTES = ("fungsi", "makna", "waktu", "pelaku")
WAITING_FROM = 1_000_000_000
"""Items that wait to be published have numbers above those of the library."""
Connection = psycopg.Connection[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Thing:
    number: int
    category: str
    province: str
    words: tuple[str, ...]
    alias: str
    values: tuple[str, ...]

    @property
    def title(self) -> str:
        return " ".join(self.words).title()

    def keys(self, *, with_alias: bool) -> list[str]:
        return sorted({key(word) for word in (*self.words, *((self.alias,) if with_alias else ()))})

    def content(self) -> list[float]:
        facts = list(zip(ATTRIBUTES, self.values, strict=True))
        return content_vector(self.title, [self.alias], [self.province], facts, self.category)


def is_plain(word: str) -> bool:
    """Neither the stemmer nor the spelling rules touch it, so that its term is the word itself."""
    return stem(word) == word and canonical_name(word).canonical.casefold() == word


@cache
def vocabulary() -> list[str]:
    random, words = Random(1), dict[str, None]()  # noqa: S311 - the same in every run
    while len(words) < WORDS:
        word = "".join(random.choice(SYLLABLES) for _ in range(random.choice((2, 2, 3))))
        if word not in words and is_plain(word):
            words[word] = None
    return list(words)


@cache
def skew() -> tuple[dict[str, list[str]], list[str], list[float]]:
    """Categories but food with the words that head their names, provinces, and how often each is met, summed up."""
    profile = load_profile("pdbi")
    heads = {
        code: [word for word in category.generic_words if word.isalpha() and canonical_name(word).canonical == word]
        for code, category in profile.categories.items()
    }
    provinces = sorted(code for code, region in profile.regions.items() if region.level == "province")
    return heads, provinces, list(accumulate(1 / (rank + 1) ** ZIPF for rank in range(len(provinces))))


def thing(number: int) -> Thing:
    """The same in every process and in every run."""
    random, words, (heads, provinces, weights) = Random(number), vocabulary(), skew()  # noqa: S311 - the same in every run
    category = FOOD if random.random() < FOOD_SHARE else random.choice([code for code in heads if code != FOOD])
    province = random.choices(provinces, cum_weights=weights)[0]
    name = tuple(random.choice(words) for _ in range(random.choice((1, 2, 2, 3))))
    head = (random.choice(heads[category]),) if random.random() < 0.5 else ()
    values = tuple(f"{random.choice(words)} {random.choice(words)}" for _ in ATTRIBUTES)
    return Thing(number, category, province, head + name, random.choice(words), values)


@cache
def term(word: str) -> str:
    return stem(word)


@cache
def key(word: str) -> str:
    return name_key(word)


def row_of(number: int) -> str:
    """A line of COPY: texts and terms of one entry, and its vector."""
    one = thing(number)
    common = [word for rank, word in enumerate(vocabulary()[:COMMONEST]) if number % (rank + 1) == 0]
    whole, other = "".join(map(key, one.words)), key(one.alias)
    body = f"{one.title} dikenal di {one.province}. {'. '.join(one.values)}. {' '.join(common)}."
    names = {*map(term, one.words), term(one.alias), f"={whole}", f"={other}"}
    told = {"kenal", "di", *common, *(word for value in one.values for word in value.split())}
    fields = (
        str(number), one.category, one.province, one.title, whole, one.alias, other, array(one.values), body,
        array(names), array(names | told),
        array(one.keys(with_alias=True)), halfvec(one.content()),
    )  # fmt: skip
    return "\t".join(fields) + "\n"


def array(texts: Sequence[str] | set[str]) -> str:
    return "{" + ",".join(f'"{text}"' for text in texts) + "}"


def rows_of(first: int, last: int) -> str:
    return "".join(row_of(number) for number in range(first, last + 1))


def script() -> dict[str, str]:
    pieces = QUERY_HEAD.split((Path(__file__).parent / "corpus.sql").read_text(encoding="utf-8"))[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


SQL = script()
ITEM_TABLES = ("document", "page_text", "candidate", "claim", "item", "item_member")
ENTRY_TABLES = (
    "entry",
    "fact",
    "fact_claim",
    "revision",
    "publication",
    "entry_place",
    "entry_search",
    "feature",
    "feature_word",
    "index_block",
)
COPY = "copy bench_entry from stdin"


def filling(url: str) -> Connection:
    """Rows come as they are: what triggers would check or add is in the script."""
    connection: Connection = psycopg.connect(url, autocommit=True)
    connection.execute("set session_replication_role = replica; set synchronous_commit = off; set work_mem = '64MB'")
    connection.execute(SQL["prepare"])
    return connection


def write(connection: Connection, rows: str, tables: Sequence[str], held: int) -> None:
    values = {"attributes": list(ATTRIBUTES), "version": int(FEATURES_VERSION), "held": held}
    with connection.transaction():
        connection.execute("truncate bench_entry")
        with connection.cursor().copy(COPY) as copy:
            copy.write(rows)
        connection.execute("analyze bench_entry")
        for table in tables:
            connection.execute(SQL[table], values)


def number_held(connection: Connection) -> int:
    row = connection.execute("select entries from bench_held").fetchone()
    return int(str(row[0])) if row else 0


def grow(url: str, size: int, *, told: bool = False) -> float:
    """Fill the library up to so many entries, from where it stands; how many seconds that took."""
    started = time.perf_counter()
    vocabulary()
    with filling(url) as connection, ProcessPoolExecutor(1) as pool:
        first = number_held(connection) + 1
        spans = [(start, min(size, start + PORTION - 1)) for start in range(first, size + 1, PORTION)]
        made: Future[str] | None = pool.submit(rows_of, *spans[0]) if spans else None
        for place, (_, last) in enumerate(spans):
            rows = made.result() if made else ""
            made = pool.submit(rows_of, *spans[place + 1]) if place + 1 < len(spans) else None
            write(connection, rows, (*ITEM_TABLES, *ENTRY_TABLES, "held"), last)
            if told:
                print(f"{last} entries after {time.perf_counter() - started:.0f} s", flush=True)
        if spans:
            connection.execute("vacuum analyze")
    return time.perf_counter() - started


async def grown(url: str, sizes: Sequence[int]) -> AsyncIterator[tuple[int, float]]:
    """The library at one size after the other, and the seconds of filling; a kept one is at least as large as it is."""
    for size in sizes:
        seconds = await asyncio.to_thread(grow, url, size)
        with filling(url) as connection:
            held = number_held(connection)
        yield held, round(seconds, 1)


def waiting(url: str, number: int) -> list[int]:
    """So many decided items beside the library that nobody has published yet."""
    with filling(url) as connection:
        row = connection.execute("select max(id) from item").fetchone()
        first = max(WAITING_FROM, int(str(row[0] or 0))) + 1 if row else WAITING_FROM
        write(connection, rows_of(first, first + number - 1), ITEM_TABLES, 0)
    return list(range(first, first + number))


@contextmanager
def library(folder: Path | None) -> Iterator[RunningEngines]:
    """Engines with the tables of today: in a folder that is kept, or in one that is gone afterwards."""
    place = folder or Path(tempfile.mkdtemp(prefix="lumbung-corpus-"))
    try:
        with Engines.attach(place / "data") as engines:
            migrate(engines.postgres_url("owner"), engines.postgres_url("machine"), engines.postgres_url("people"))
            yield engines
    finally:
        if folder is None:
            shutil.rmtree(place, ignore_errors=True)


async def backend_of(database: Database) -> int:
    """The server's process behind a pool of one connection."""
    async with database.transaction() as tx:
        return int(await tx.value("select pg_backend_pid()"))


def processor_seconds(backend: int) -> float:
    """What this process and the server's have used: on a busy machine it says more than the time that passed."""
    used = int(Path(f"/proc/{backend}/schedstat").read_text(encoding="ascii").split()[0])
    return time.process_time() + used / 1e9


def asked_for(told: str | None, sizes: Sequence[int]) -> argparse.Namespace:
    """What every benchmark of the library is asked for: its sizes and, where it is kept, its folder."""
    parser = argparse.ArgumentParser(description=(told or "").partition("\n")[0])
    parser.add_argument("entries", type=int, nargs="*")
    parser.add_argument("--folder", type=Path, help="a library that is kept; without sizes it is measured as it is")
    options = parser.parse_args()
    options.entries = sorted(options.entries) or ([0] if options.folder else list(sizes))
    return options


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus", description="Fill a library and keep it.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("entries", type=int)
    options = parser.parse_args()
    with library(options.folder) as engines:
        print(f"{grow(engines.postgres_url('superuser'), options.entries, told=True):.0f} s")


if __name__ == "__main__":
    main()

"""A library that is already large, made by set-wise SQL: what is measured is not how it came to be."""

from __future__ import annotations

from functools import cache
from itertools import accumulate, product
from random import Random

import psycopg

from lumbung.profiles.loader import load_profile
from lumbung.text.names import canonical_name
from lumbung.text.stemming import stem

SYLLABLES = ("ba", "ce", "du", "go", "la", "mu", "no", "pa", "ra", "su", "ta", "wo")
COMMONEST = 100
STEP = 50_000
FOOD, FOOD_SHARE, ZIPF = "makanan-minuman", 0.63, 1.4


@cache
def skew() -> tuple[list[str], list[str], list[float]]:
    """Categories but food, provinces, and how often each province is met, summed up."""
    profile = load_profile("pdbi")
    categories = [code for code in profile.categories if code != FOOD]
    provinces = sorted(code for code, region in profile.regions.items() if region.level == "province")
    return categories, provinces, list(accumulate(1 / (rank + 1) ** ZIPF for rank in range(len(provinces))))


def place_of(number: int) -> tuple[str, str]:
    """Category and province of an entry, skewed as PDBI is: 63 % food, Zipf's law over provinces."""
    random, (categories, provinces, weights) = Random(number), skew()  # noqa: S311 - the same for every run
    category = FOOD if random.random() < FOOD_SHARE else random.choice(categories)
    return category, random.choices(provinces, cum_weights=weights)[0]


def vocabulary() -> list[str]:
    """Words that neither the stemmer nor the spelling rules touch, so that SQL may write their terms."""
    words = ("".join(pieces) for pieces in product(SYLLABLES, repeat=3))
    return [word for word in words if stem(word) == word and canonical_name(word).canonical.casefold() == word]


PREPARE = """
create table if not exists bench_word (n integer primary key, word text not null);
create table if not exists bench_place (n integer primary key, category text not null, province text not null);
"""
ITEMS = """
insert into document (url, final_url, host, domain, digest, status, content_type, kind)
select 'https://h' || n || '.example/1', 'https://h' || n || '.example/1', 'h' || n || '.example', 'h' || n || '.example', 'd' || n, 200, 'text/html', 'item'
from generate_series(%(start)s::int, %(end)s::int) n;
insert into page_text (document, cleaner, title, text, language, script)
select d.id, '1', '', 'hiburan rakyat, ungkapan syukur, talempong; saluang, baju kurung', 'ind', 'Latn' from document d where d.id > %(documents)s;
insert into candidate (digest, document, cleaner, segment, extractor, name, name_key, category)
select 'c' || p.n, d.id, '1', 0, 'bench', 'Tari', 'tari', p.category from document d join bench_place p on d.digest = 'd' || p.n where d.id > %(documents)s;
insert into claim (candidate, document, cleaner, attribute, value, value_key, quote, span, language, confidence)
select 'c' || substr(d.digest, 2), d.id, '1', f.attribute, f.value, f.value, f.value, int4range(f.start, f.start + length(f.value)), 'ind', 0.9
from document d, (values ('fungsi', 'hiburan rakyat', 0), ('makna', 'ungkapan syukur', 16), ('iringan', 'talempong; saluang', 33), ('busana', 'baju kurung', 53))
    as f (attribute, value, start) where d.id > %(documents)s;
insert into item (identity, category, content, digest)
select 'i' || p.n, p.category, jsonb_build_object('verdict', 'publish', 'reasons', '[]'::jsonb, 'category', p.category,
    'title', 'Tari ' || a.word || ' ' || b.word, 'name_key', 'tari' || a.word || b.word, 'aliases', jsonb_build_array('Tarian ' || b.word),
    'regions', jsonb_build_array(p.province), 'primary_region', p.province, 'supplement_of', null, 'sensitive', false, 'probability', 0.95, 'independent', 1,
    'media', '[]'::jsonb, 'facts', (select jsonb_agg(jsonb_build_object('attribute', k.attribute, 'value', k.value, 'value_key', k.value_key,
        'log_odds', 3.0, 'probability', 0.95, 'independent', 1, 'state', 'published', 'flagged', false, 'reason', '', 'rank', 1,
        'claims', jsonb_build_array(k.id))) from claim k where k.candidate = 'c' || p.n)), 'd' || p.n
from bench_place p join bench_word a on a.n = p.n %% %(words)s join bench_word b on b.n = (p.n / %(words)s) %% %(words)s
where p.n between %(start)s and %(end)s;
insert into item_member (candidate, item) select 'c' || substr(i.identity, 2), i.id from item i where i.id > %(items)s;
"""
ENTRIES = """
insert into batch (run, category) values ('filling', 'makanan-minuman') on conflict do nothing;
insert into entry (identity, owner, status, category, title, name_key, aliases, alias_keys, regions, primary_region, body, digest, batch, published_at)
select i.identity, 'machine', 'published', i.category, i.content ->> 'title', i.content ->> 'name_key', array[i.content #>> '{{aliases,0}}'], array['x' || i.id],
    array[i.content ->> 'primary_region'], i.content ->> 'primary_region', (select string_agg(w.word, ' ') from bench_word w where w.n < %(common)s and substr(i.identity, 2)::int %% (w.n + 1) = 0),
    'filled', (select min(id) from batch), clock_timestamp()
from item i where i.id > %(items)s and i.id <= %(last)s;
insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state)
select 'i' || substr(k.candidate, 2), k.attribute, k.value, k.value_key, 3.0, 0.95, 1, 'published' from claim k join item i on i.identity = 'i' || substr(k.candidate, 2)
where i.id > %(items)s and i.id <= %(last)s;
insert into fact_claim (fact, claim)
select f.id, k.id from item i join fact f on f.entry = i.identity join claim k on k.candidate = 'c' || substr(i.identity, 2) and k.attribute = f.attribute
where i.id > %(items)s and i.id <= %(last)s;
insert into revision (entry, number, owner, content) select i.identity, 1, 'machine', i.content from item i where i.id > %(items)s and i.id <= %(last)s;
insert into publication (entry, batch, revision, digest, library, considered)
select i.identity, (select min(id) from batch), 1, 'filled', 'reference', true from item i where i.id > %(items)s and i.id <= %(last)s;
insert into entry_place (region, category, title, identity)
select e.primary_region, e.category, e.title, e.identity from entry e join item i on i.identity = e.identity where i.id > %(items)s and i.id <= %(last)s;
insert into entry_search (entry, names, words)
select e.identity, array_to_tsvector(terms.names) || facets_of(e.category, e.regions),
    array_to_tsvector(array(select distinct unnest(terms.names || string_to_array(e.body, ' ')))) || facets_of(e.category, e.regions)
from entry e join item i on i.identity = e.identity,
    lateral (select array(select distinct unnest(string_to_array(lower(e.title), ' ') || array['=' || e.name_key])) as names) terms
where i.id > %(items)s and i.id <= %(last)s;
"""


def run_all(connection: psycopg.Connection[tuple[object, ...]], script: str, values: dict[str, int]) -> None:
    for statement in script.strip().split(";\n"):
        connection.execute(statement.replace("{{", "{").replace("}}", "}"), values)


def grow(url: str, first: int, last: int, waiting: int) -> list[int]:
    """Items of these numbers, published but for the last `waiting`; returns the numbers of those that wait."""
    words = vocabulary()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "set session_replication_role = replica; set synchronous_commit = off; set work_mem = '128MB'"
        )
        connection.execute(PREPARE)
        with connection.cursor() as cursor:
            cursor.executemany("insert into bench_word values (%s, %s) on conflict do nothing", list(enumerate(words)))
        for start in range(first, last + 1, STEP):
            end = min(last, start + STEP - 1)
            values = {"start": start, "end": end, "words": len(words), "common": COMMONEST}
            [values["documents"]] = connection.execute("select coalesce(max(id), 0) from document").fetchone() or (0,)
            [values["items"]] = connection.execute("select coalesce(max(id), 0) from item").fetchone() or (0,)
            with connection.cursor().copy("copy bench_place from stdin") as copy:
                for number in range(start, end + 1):
                    copy.write_row((number, *place_of(number)))
            connection.execute("analyze bench_place")
            run_all(connection, ITEMS, values)
            [newest] = connection.execute("select max(id) from item").fetchone() or (0,)
            run_all(connection, ENTRIES, values | {"last": newest - (waiting if end == last else 0)})
        connection.execute("analyze")
        rows = connection.execute("select id from item order by id desc limit %s", (waiting,)).fetchall()
    return sorted(row[0] for row in rows)

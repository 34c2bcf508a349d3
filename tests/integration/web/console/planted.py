"""Rows as the stages leave them, put in directly: entries in review with facts, quotes and pages."""

from __future__ import annotations

NASTY = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e{{7*7}}'\""
TEXT = "Tari Piring adalah tarian tradisional Minangkabau. " + NASTY + " Para penari membawa piring di kedua tangannya."
QUOTE = "tarian tradisional Minangkabau"


async def plant_review(
    tx, identity="item-1", title="Tari Piring", status="review", sensitive=False, reason="one source"
):
    """One machine entry with one fact that waits, and all that it rests on."""
    start = TEXT.index(QUOTE)
    key = {
        "identity": identity,
        "title": title,
        "status": status,
        "sensitive": sensitive,
        "reason": reason,
        "text": TEXT,
        "quote": QUOTE,
    }
    document = await tx.value(
        "insert into document (url, final_url, host, domain, digest, status, content_type, kind) values "
        "('http://a.example/' || %(identity)s, 'http://a.example/', 'a.example', 'a.example', %(identity)s, 200, 'text/html', 'item') returning id",
        key,
    )
    key |= {"document": document, "start": start, "stop": start + len(QUOTE)}
    await tx.run(
        "insert into page_text (document, cleaner, title, text, language, script) values (%(document)s, 'c1', %(title)s, %(text)s, 'ind', 'Latn')",
        key,
    )
    await tx.run(
        "insert into candidate (digest, document, cleaner, segment, extractor, name, name_key, category) "
        "values ('cand-' || %(identity)s, %(document)s, 'c1', 0, 'x', %(title)s, 'tari piring', 'tarian')",
        key,
    )
    claim = await tx.value(
        "insert into claim (candidate, document, cleaner, attribute, value, value_key, quote, span, language, confidence) values "
        "('cand-' || %(identity)s, %(document)s, 'c1', 'asal', 'Minangkabau ' || %(title)s, 'minangkabau', %(quote)s, int4range(%(start)s, %(stop)s), 'ind', .9) returning id",
        key,
    )
    item = await tx.value(
        "insert into item (identity, category, content, digest) values (%(identity)s, 'tarian', "
        "jsonb_build_object('title', %(title)s::text, 'sensitive', %(sensitive)s::boolean), 'd') returning id",
        key,
    )
    await tx.run(
        "insert into item_member (candidate, item) values ('cand-' || %(identity)s, %(item)s)", key | {"item": item}
    )
    await tx.run(
        "insert into entry (identity, owner, status, status_reason, category, title, name_key, regions, sensitive) values "
        "(%(identity)s, 'machine', %(status)s, %(reason)s, 'tarian', %(title)s, 'tari piring', '{ID-SB}', %(sensitive)s)",
        key,
    )
    fact = await tx.value(
        "insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state) values "
        "(%(identity)s, 'asal', 'Minangkabau ' || %(title)s, 'minangkabau', 1, .8, 1, 'waiting') returning id",
        key,
    )
    await tx.run("insert into fact_claim (fact, claim) values (%(fact)s, %(claim)s)", {"fact": fact, "claim": claim})
    return claim


async def plant_samples(tx, number, title="Tari Piring"):
    await tx.run(
        "insert into sample (kind, stage, subject, attribute, value_key, category, stratum, inclusion, confidence, place, shown) "
        "select 'publication', 'publish', 'entry-' || n, 'asal', 'k', 'tarian', 'tarian|plain', 1, .9, (n * 0.618) %% 1, "
        "jsonb_build_object('title', %(title)s::text || ' ' || n, 'value', %(title)s::text, 'sources', jsonb_build_array(jsonb_build_object("
        "'url', 'http://a.example/' || n, 'quote', %(title)s::text || ' adalah tarian', 'language', 'ind'))) from generate_series(1, %(number)s) n",
        {"number": number, "title": title},
    )


async def last_line(tx):
    return await tx.row(
        "select person, verb, subject, reason, effect from action where verb <> 'row' order by seq desc limit 1"
    )

-- What was written to which library, and facts that come with an import. Owned by publish and the library.

-- add_facts --
-- All facts of an entry in one statement.
insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state, flagged, reason, rank)
select %(entry)s, f.attribute, f.value, f.value_key, f.log_odds, f.probability, f.independent, f.state, f.flagged, f.reason, f.rank
from jsonb_to_recordset(%(facts)s) as f (attribute text, value text, value_key text, log_odds float8, probability float8,
    independent integer, state text, flagged boolean, reason text, rank smallint)

-- add_sources --
-- The claims that the facts rest on.
insert into fact_claim (fact, claim)
select f.id, (jsonb_array_elements_text(g.claims))::bigint
from jsonb_to_recordset(%(facts)s) as g (attribute text, value_key text, claims jsonb)
join fact f on f.entry = %(entry)s and f.attribute = g.attribute and f.value_key = g.value_key

-- claims_of --
select id, attribute, value_key, lower(span) as start, upper(span) as "end" from claim where candidate = %(candidate)s

-- pages_of --
select d.id, d.url, d.digest, d.domain, t.text, t.language
from unnest(%(urls)s::text[], %(digests)s::text[]) as wanted (url, digest)
join document d on d.url = wanted.url and d.digest = wanted.digest
join page_text t on t.document = d.id and t.cleaner = %(cleaner)s

-- ledger_of --
-- The last thing that a library was sent for each entry.
select distinct on (entry) entry, remote_id, remote_revision, digest, state from publication
where library = %(library)s and entry = any (%(identities)s) order by entry, id desc

-- record --
insert into publication (entry, batch, revision, digest, library, remote_id, remote_revision, state)
values (%(entry)s, %(batch)s, %(revision)s, %(digest)s, %(library)s, %(remote_id)s, %(remote_revision)s, %(state)s)

-- lock_entry --
-- Two writers of one identity wait for each other, also before the entry is there.
select pg_advisory_xact_lock(7231003, hashtext(%(identity)s))

-- sources_of --
-- What the claims under an entry's facts quote, and how long their pages are.
select k.id, d.url, d.digest, k.quote, coalesce(length(t.text), 0) as page_length
from claim k join document d on d.id = k.document join page_text t on t.document = k.document and t.cleaner = k.cleaner
where k.id = any (%(claims)s) order by d.url, lower(k.span), k.id

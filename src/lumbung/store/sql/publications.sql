-- What was written to which library. Owned by publish and the library.

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

-- lock_own --
-- Row security shows the machine only its own rows for update.
select identity from entry where identity = any (%(identities)s) order by identity for update

-- held --
select identity, owner, status, digest, title, revision from entry where identity = any (%(identities)s)

-- write_all --
-- The upsert of Eq. (20), keyed by identity; a human-owned row or a tombstone is left as it is.
insert into entry (identity, owner, status, status_reason, supplement_of, category, title, name_key, aliases, alias_keys, regions,
    primary_region, body, media, digest, sensitive, batch, published_at)
select r.identity, 'machine', r.status, r.status_reason, r.supplement_of, r.category, r.title, r.name_key, r.aliases, r.alias_keys, r.regions,
    r.primary_region, r.body, r.media, r.digest, r.sensitive, r.batch, case when r.status = 'published' then clock_timestamp() end
from jsonb_to_recordset(%(rows)s) as r (identity text, status text, status_reason text, supplement_of text, category text, title text,
    name_key text, aliases text[], alias_keys text[], regions text[], primary_region text, body text, media jsonb, digest text,
    sensitive boolean, batch bigint)
on conflict (identity) do update set status = excluded.status, status_reason = excluded.status_reason, supplement_of = excluded.supplement_of,
    category = excluded.category, title = excluded.title, name_key = excluded.name_key, aliases = excluded.aliases,
    alias_keys = excluded.alias_keys, regions = excluded.regions, primary_region = excluded.primary_region, body = excluded.body,
    media = excluded.media, digest = excluded.digest, sensitive = excluded.sensitive, batch = excluded.batch, revision = entry.revision + 1,
    updated_at = clock_timestamp(), published_at = coalesce(entry.published_at, excluded.published_at)
where entry.owner = 'machine'

-- drop_all_facts --
delete from fact where entry = any (%(identities)s)

-- add_all_facts --
insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state, flagged, reason, rank)
select r.identity, f.attribute, f.value, f.value_key, f.log_odds, f.probability, f.independent, f.state, f.flagged, f.reason, f.rank
from jsonb_to_recordset(%(rows)s) as r (identity text, facts jsonb),
    jsonb_to_recordset(r.facts) as f (attribute text, value text, value_key text, log_odds float8, probability float8,
    independent integer, state text, flagged boolean, reason text, rank smallint)

-- add_all_sources --
insert into fact_claim (fact, claim)
select f.id, (jsonb_array_elements_text(g.claims))::bigint
from jsonb_to_recordset(%(rows)s) as r (identity text, facts jsonb),
    jsonb_to_recordset(r.facts) as g (attribute text, value_key text, claims jsonb), fact f
where f.entry = r.identity and f.attribute = g.attribute and f.value_key = g.value_key

-- add_revisions --
insert into revision (entry, number, owner, content, batch)
select e.identity, e.revision, 'machine', r.content, e.batch
from jsonb_array_elements(%(rows)s::jsonb) as r (content) join entry e on e.identity = r.content ->> 'identity'

-- drop_redirects --
delete from redirect where identity = any (%(identities)s)

-- record_all --
insert into publication (entry, batch, revision, digest, library)
select identity, batch, revision, digest, 'reference' from entry where identity = any (%(identities)s)

-- mark_batches --
-- The batch in which a candidate first came into the library; from the entries to their candidates, and never the other way.
with member as materialized (
    select m.candidate, e.batch from item i join item_member m on m.item = i.id join entry e on e.identity = i.identity
    where i.identity = any (%(identities)s)
)
update candidate c set batch = member.batch from member where c.digest = member.candidate and c.batch is null

-- part --
-- An item whose entry people took over leaves them its identity.
update item set identity = %(identity)s where id = %(item)s and not exists (select 1 from item where identity = %(identity)s)

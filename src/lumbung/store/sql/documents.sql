-- Evidence: what was fetched, its cleaned text, and where it is archived. Owned by crawl, extract and the archiver.

-- add --
insert into document (url, final_url, host, domain, digest, status, content_type, request_headers, headers, body, wire, truncated,
    address, kind, gate, frontier, tranche, published, witness, witness_reason, status_line)
values (%(url)s, %(final_url)s, %(host)s, %(domain)s, %(digest)s, %(status)s, %(content_type)s, %(request_headers)s, %(headers)s,
    %(body)s, %(wire)s, %(truncated)s, %(address)s, %(kind)s, %(gate)s, %(frontier)s, %(tranche)s, %(published)s, %(witness)s, %(witness_reason)s, %(status_line)s)
on conflict (url, digest) do update set frontier = coalesce(document.frontier, excluded.frontier)
returning id

-- add_all --
-- The pages of one commit; a page that is kept already answers with its old number.
insert into document (url, final_url, host, domain, digest, status, content_type, request_headers, headers, body, wire, truncated,
    address, kind, gate, frontier, tranche, published, witness, witness_reason, status_line)
select url, final_url, host, domain, digest, status, content_type, request_headers, headers, body, wire, truncated,
    address, kind, gate, frontier, tranche, published, witness, witness_reason, status_line
from unnest(%(url)b::text[], %(final_url)b::text[], %(host)b::text[], %(domain)b::text[], %(digest)b::text[], %(status)b::int[],
    %(content_type)b::text[], %(request_headers)b::jsonb[], %(headers)b::jsonb[], %(body)b::bytea[], %(wire)b::bytea[], %(truncated)b::text[],
    %(address)b::text[], %(kind)b::text[], %(gate)b::jsonb[], %(frontier)b::bigint[], %(tranche)b::text[], %(published)b::text[],
    %(witness)b::bool[], %(witness_reason)b::text[], %(status_line)b::text[])
    as d (url, final_url, host, domain, digest, status, content_type, request_headers, headers, body, wire, truncated,
          address, kind, gate, frontier, tranche, published, witness, witness_reason, status_line)
on conflict (url, digest) do update set frontier = coalesce(document.frontier, excluded.frontier)
returning id, url

-- add_offspring --
insert into offspring (document, new_links) select * from unnest(%(documents)b::bigint[], %(new_links)b::int[])
on conflict (document) do nothing

-- add_refusals --
-- Refusals of a stage as a sample: each with the probability by which it came to be recorded.
insert into refusal (stage, subject, reason, detail, inclusion)
select %(stage)s, * from unnest(%(subjects)b::text[], %(reasons)b::text[], %(details)b::jsonb[], %(inclusions)b::float8[])

-- load --
select id, url, final_url, host, domain, digest, content_type, body, archive, archive_offset, kind, tranche, published, witness
from document where id = any (%(ids)s)

-- keep_text --
insert into page_text (document, cleaner, title, text, language, script, structure)
values (%(document)s, %(cleaner)s, %(title)s, %(text)s, %(language)s, %(script)s, %(structure)s)
on conflict (document, cleaner) do nothing

-- keep_reading --
update document set kind = %(kind)s, sketch = %(sketch)s, published = coalesce(published, %(published)s),
    publisher = %(publisher)s, origins = %(origins)s where id = %(id)s

-- unwitness --
update document set witness = false, witness_reason = %(reason)s where id = %(id)s

-- become_encyclopaedia --
with asked as (
    insert into archive_erasure (archive, archive_offset, url)
    select archive, archive_offset, url from document where id = %(id)s and archive is not null
)
update document set kind = 'encyclopaedia', body = null, wire = null, archive = null, archive_offset = null where id = %(id)s

-- keep_encyclopaedia_sketch --
insert into encyclopaedia_sketch (document, sketch) values (%(document)s, %(sketch)s) on conflict (document) do nothing

-- encyclopaedia_sketches --
select document, sketch from encyclopaedia_sketch where sketch && %(sketch)b::bigint[] limit 50

-- texts_like --
-- Stored pages that share hashes with a sketch: mirrors that were fetched before their model.
select id, url, sketch from document where sketch && %(sketch)b::bigint[] and kind <> 'encyclopaedia' and erased_at is null limit 200

-- unarchived --
-- Pages to be archived, each with the archived page of the same payload, if there is one. They are not locked: storage may
-- take its time, and what happens to a page meanwhile is looked at when its place is recorded.
select d.id, d.url, d.digest, d.status, d.request_headers, d.headers, d.body, d.wire, d.truncated, d.address, d.fetched_at, d.status_line,
    twin.url as twin_url, twin.fetched_at as twin_fetched_at, twin.archive as twin_archive, twin.archive_offset as twin_offset,
    twin.payload_digest as twin_digest
from document d left join lateral (
    select t.url, t.fetched_at, t.archive, t.archive_offset, t.payload_digest from document t
    where t.digest = d.digest and t.archive is not null and t.truncated is null order by t.id limit 1
) twin on d.truncated is null
where d.body is not null and d.archive is null order by d.id limit %(limit)s

-- unarchived_robots --
select id, host, url, status, request_headers, headers, body, address, fetched_at, status_line, encoded from robots_archive where body is not null and archive is null
order by id limit %(limit)s

-- archived --
update document set archive = a.archive, archive_offset = a.place, payload_digest = a.digest, body = null, wire = null
from unnest(%(ids)b::bigint[], %(archives)b::text[], %(offsets)b::bigint[], %(digests)b::text[]) as a (id, archive, place, digest)
where document.id = a.id and document.body is not null and document.archive is null
returning document.id

-- ask_erasures --
insert into archive_erasure (archive, archive_offset, url)
select * from unnest(%(archives)b::text[], %(offsets)b::bigint[], %(urls)b::text[])

-- archived_robots --
update robots_archive set archive = a.archive, archive_offset = a.place, body = null
from unnest(%(ids)b::bigint[], %(archives)b::text[], %(offsets)b::bigint[]) as a (id, archive, place) where robots_archive.id = a.id

-- archived_places --
-- Where pages are archived, in the order of the files.
select id, url, digest, archive, archive_offset from document
where archive is not null and (archive, archive_offset, id) > (%(archive)s, %(offset)s, %(id)s)
order by archive, archive_offset, id limit %(limit)s

-- add_robots --
insert into robots_archive (host, url, status, request_headers, headers, body, address, status_line, encoded)
values (%(host)s, %(url)s, %(status)s, %(request_headers)s, %(headers)s, %(body)s, %(address)s, %(status_line)s, %(encoded)s)

-- archive_waits --
select exists (select 1 from document where body is not null and archive is null) as waits

-- by_url --
select id, url, final_url, host, digest, status, content_type, kind, gate, archive, archive_offset, fetched_at, witness, witness_reason
from document where url = %(url)s or final_url = %(url)s order by id

-- figures --
insert into fetch_figure (tranche, hour, outcome, pages, new_links)
select tranche, date_trunc('hour', clock_timestamp()), outcome, sum(pages), sum(new_links)
from unnest(%(tranches)b::text[], %(outcomes)b::text[], %(pages)b::bigint[], %(new_links)b::bigint[]) as f (tranche, outcome, pages, new_links)
group by tranche, outcome order by tranche, outcome
on conflict (tranche, hour, outcome) do update set pages = fetch_figure.pages + excluded.pages, new_links = fetch_figure.new_links + excluded.new_links

-- recent_rate --
-- Pages a second over the last hours, from the first of them on.
select coalesce(sum(pages) / greatest(extract(epoch from clock_timestamp() - min(hour)), 60.0), 0)::float8 as rate
from fetch_figure where hour >= date_trunc('hour', clock_timestamp()) - make_interval(hours => %(hours)s)

-- by_tranche --
select tranche, sum(pages)::bigint as pages, sum(pages) filter (where outcome = 'fetched')::bigint as fetched, sum(new_links)::bigint as new_links
from fetch_figure group by tranche order by tranche

-- totals --
select outcome, sum(pages)::bigint as pages, sum(new_links)::bigint as new_links from fetch_figure group by outcome

-- encyclopaedia_sketch --
select sketch from encyclopaedia_sketch where document = %(document)s

-- rests --
-- Does a fact rest on a claim of this page?
select exists (select 1 from fact_claim fc join claim k on k.id = fc.claim where k.document = %(document)s) as rests

-- erase_claims --
delete from claim where document = %(document)s

-- erase_members --
delete from item_member where candidate in (select digest from candidate where document = %(document)s)

-- erase_candidates --
delete from candidate where document = %(document)s

-- erase_text --
delete from page_text where document = %(document)s

-- erase_body --
-- What was archived is named to the archiver, which rewrites the file without it.
with asked as (
    insert into archive_erasure (archive, archive_offset, url)
    select archive, archive_offset, url from document where id = %(document)s and archive is not null
)
update document set kind = case when %(mirror)s then 'encyclopaedia' else kind end, body = null, wire = null, archive = null,
    archive_offset = null, sketch = null, witness = false, witness_reason = coalesce(witness_reason, %(reason)s), erased_at = clock_timestamp()
where id = %(document)s

-- next_erasure --
-- The records that must leave one file; a record that another page is still cited by stays with it.
select e.archive, array_agg(distinct e.archive_offset) as offsets from archive_erasure e
where e.done_at is null and not exists (select 1 from document d where d.archive = e.archive and d.archive_offset = e.archive_offset)
group by e.archive order by min(e.id) limit 1

-- end_erasures --
update archive_erasure set done_at = clock_timestamp() where archive = %(archive)s and archive_offset = any (%(offsets)s) and done_at is null

-- move_documents --
update document set archive = %(new)s, archive_offset = m.new
from unnest(%(olds)b::bigint[], %(news)b::bigint[]) as m (old, new) where archive = %(old)s and archive_offset = m.old

-- move_robots --
update robots_archive set archive = %(new)s, archive_offset = m.new
from unnest(%(olds)b::bigint[], %(news)b::bigint[]) as m (old, new) where archive = %(old)s and archive_offset = m.old

-- move_erasures --
update archive_erasure set archive = %(new)s, archive_offset = m.new
from unnest(%(olds)b::bigint[], %(news)b::bigint[]) as m (old, new) where archive = %(old)s and archive_offset = m.old and done_at is null

-- note_leftover --
insert into archive_leftover (archive) values (%(archive)s)
on conflict (archive) do update set noted_at = excluded.noted_at

-- strike_leftover --
delete from archive_leftover where archive = %(archive)s

-- leftovers --
select archive, noted_at < clock_timestamp() - make_interval(secs => %(seconds)s) as is_old from archive_leftover order by noted_at

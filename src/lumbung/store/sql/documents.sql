-- Evidence: what was fetched, its cleaned text, and where it is archived. Owned by crawl, extract and the archiver.

-- add --
insert into document (url, final_url, host, domain, digest, status, content_type, request_headers, headers, body, truncated,
    address, kind, gate, frontier, tranche, published, witness, witness_reason)
values (%(url)s, %(final_url)s, %(host)s, %(domain)s, %(digest)s, %(status)s, %(content_type)s, %(request_headers)s, %(headers)s,
    %(body)s, %(truncated)s, %(address)s, %(kind)s, %(gate)s, %(frontier)s, %(tranche)s, %(published)s, %(witness)s, %(witness_reason)s)
on conflict (url, digest) do update set frontier = coalesce(document.frontier, excluded.frontier)
returning id

-- add_offspring --
insert into offspring (document, new_links) values (%(document)s, %(new_links)s) on conflict (document) do nothing

-- load --
select id, url, final_url, host, domain, digest, content_type, body, archive, archive_offset, kind, tranche, published, witness
from document where id = any (%(ids)s)

-- keep_text --
insert into page_text (document, cleaner, title, text, language, script, structure)
values (%(document)s, %(cleaner)s, %(title)s, %(text)s, %(language)s, %(script)s, %(structure)s)
on conflict (document, cleaner) do nothing

-- keep_reading --
update document set kind = %(kind)s, sketch = %(sketch)s, published = coalesce(published, %(published)s) where id = %(id)s

-- unwitness --
update document set witness = false, witness_reason = %(reason)s where id = %(id)s

-- become_encyclopaedia --
update document set kind = 'encyclopaedia', body = null, archive = null, archive_offset = null where id = %(id)s

-- keep_encyclopaedia_sketch --
insert into encyclopaedia_sketch (document, sketch) values (%(document)s, %(sketch)s) on conflict (document) do nothing

-- encyclopaedia_sketches --
select document, sketch from encyclopaedia_sketch where sketch && %(sketch)s::bigint[] limit 50

-- texts_like --
-- Stored pages that share hashes with a sketch: mirrors that were fetched before their model.
select id, url, sketch from document where sketch && %(sketch)s::bigint[] and kind <> 'encyclopaedia' and erased_at is null limit 200

-- unarchived --
select id, url, final_url, digest, status, content_type, request_headers, headers, body, truncated, address, fetched_at
from document where body is not null and archive is null order by id limit %(limit)s for update skip locked

-- unarchived_robots --
select id, host, url, status, headers, body, fetched_at from robots_archive where body is not null and archive is null
order by id limit %(limit)s for update skip locked

-- archived --
update document set archive = %(archive)s, archive_offset = %(offset)s, body = null where id = %(id)s

-- archived_robots --
update robots_archive set archive = %(archive)s, archive_offset = %(offset)s, body = null where id = %(id)s

-- add_robots --
insert into robots_archive (host, url, status, headers, body) values (%(host)s, %(url)s, %(status)s, %(headers)s, %(body)s)

-- archive_waits --
select exists (select 1 from document where body is not null and archive is null) as waits

-- by_url --
select id, url, final_url, host, digest, status, content_type, kind, gate, archive, archive_offset, fetched_at, witness, witness_reason
from document where url = %(url)s or final_url = %(url)s order by id

-- figures --
insert into fetch_figure (tranche, hour, outcome, pages, new_links)
values (%(tranche)s, date_trunc('hour', clock_timestamp()), %(outcome)s, %(pages)s, %(new_links)s)
on conflict (tranche, hour, outcome) do update set pages = fetch_figure.pages + excluded.pages, new_links = fetch_figure.new_links + excluded.new_links

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
update document set kind = 'encyclopaedia', body = null, archive = null, archive_offset = null, sketch = null, erased_at = clock_timestamp() where id = %(document)s

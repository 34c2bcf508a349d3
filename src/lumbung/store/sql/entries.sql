-- Entries of the reference library. Owned by the library; the machine's login reaches machine-owned rows only.

-- get --
select * from entry where identity = %(identity)s

-- lock_revision --
select revision from entry where identity = %(identity)s for update

-- get_locked --
select * from entry where identity = any (%(identities)s) order by identity for share

-- write_machine --
-- The upsert of Eq. (20), keyed by identity; a human-owned row or a tombstone is left as it is.
insert into entry (identity, owner, status, status_reason, supplement_of, category, title, name_key, aliases, alias_keys, regions,
    primary_region, body, media, digest, sensitive, batch, published_at)
values (%(identity)s, 'machine', %(status)s, %(status_reason)s, %(supplement_of)s, %(category)s, %(title)s, %(name_key)s, %(aliases)s,
    %(alias_keys)s, %(regions)s, %(primary_region)s, %(body)s, %(media)s, %(digest)s, %(sensitive)s, %(batch)s,
    case when %(status)s = 'published' then clock_timestamp() end)
on conflict (identity) do update set status = excluded.status, status_reason = excluded.status_reason, supplement_of = excluded.supplement_of,
    category = excluded.category, title = excluded.title, name_key = excluded.name_key, aliases = excluded.aliases,
    alias_keys = excluded.alias_keys, regions = excluded.regions, primary_region = excluded.primary_region, body = excluded.body,
    media = excluded.media, digest = excluded.digest, sensitive = excluded.sensitive, batch = excluded.batch, revision = entry.revision + 1,
    updated_at = clock_timestamp(), published_at = coalesce(entry.published_at, excluded.published_at)
where entry.owner = 'machine'
returning revision

-- withdraw --
update entry set status = 'withdrawn', status_reason = %(reason)s, revision = revision + 1, updated_at = clock_timestamp()
where identity = %(identity)s and owner = 'machine' and status <> 'withdrawn' returning revision

-- drop_facts --
delete from fact where entry = %(entry)s

-- add_facts --
-- All facts of an entry in one statement.
insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state, flagged, reason, rank)
select %(entry)s, f.attribute, f.value, f.value_key, f.log_odds, f.probability, f.independent, f.state, f.flagged, f.reason, f.rank
from jsonb_to_recordset(%(facts)s) as f (attribute text, value text, value_key text, log_odds float8, probability float8,
    independent integer, state text, flagged boolean, reason text, rank smallint)

-- add_sources --
-- The claims that the facts rest on; a statement of its own, because row security looks at the facts first.
insert into fact_claim (fact, claim)
select f.id, (jsonb_array_elements_text(g.claims))::bigint
from jsonb_to_recordset(%(facts)s) as g (attribute text, value_key text, claims jsonb)
join fact f on f.entry = %(entry)s and f.attribute = g.attribute and f.value_key = g.value_key

-- add_revision --
insert into revision (entry, number, owner, person, content, note, batch)
values (%(entry)s, %(number)s, %(owner)s, %(person)s, %(content)s, %(note)s, %(batch)s)

-- redirect --
insert into redirect (identity, target, reason) values (%(identity)s, %(target)s, %(reason)s)
on conflict (identity) do update set target = excluded.target, reason = excluded.reason, at = clock_timestamp()

-- drop_redirect --
delete from redirect where identity = %(identity)s

-- target_of --
select target from redirect where identity = %(identity)s

-- open_batch --
insert into batch (run, category) values (%(run)s, %(category)s)
on conflict (run, category) do update set run = excluded.run returning id

-- add_publication --
insert into publication (entry, batch, revision, digest, library, remote_id, remote_revision)
values (%(entry)s, %(batch)s, %(revision)s, %(digest)s, %(library)s, %(remote_id)s, %(remote_revision)s)

-- mark_batch --
-- The batch in which a candidate first came into the library.
update candidate set batch = %(batch)s where digest = any (%(digests)s) and batch is null

-- write_human --
insert into entry (identity, owner, status, category, title, name_key, aliases, alias_keys, regions, primary_region, body, files,
    contributor, licence, library, remote_id, remote_revision, published_at)
values (%(identity)s, 'human', 'published', %(category)s, %(title)s, %(name_key)s, %(aliases)s, %(alias_keys)s, %(regions)s,
    %(primary_region)s, %(body)s, %(files)s, %(contributor)s, %(licence)s, %(library)s, %(remote_id)s, %(remote_revision)s, clock_timestamp())
on conflict (identity) do nothing
returning revision

-- revise_human --
update entry set owner = 'human', status = %(status)s, category = %(category)s, title = %(title)s, name_key = %(name_key)s, aliases = %(aliases)s,
    alias_keys = %(alias_keys)s, regions = %(regions)s, primary_region = %(primary_region)s, body = %(body)s, files = %(files)s,
    contributor = coalesce(%(contributor)s, contributor), licence = coalesce(%(licence)s, licence),
    remote_revision = %(remote_revision)s, status_reason = %(status_reason)s, revision = revision + 1, updated_at = clock_timestamp()
where identity = %(identity)s and (%(expected_revision)s::integer is null or revision = %(expected_revision)s)
returning revision

-- drop_index_facts --
delete from index_fact where entry = %(entry)s

-- add_index_fact --
insert into index_fact (entry, revision, attribute, value, value_key) values (%(entry)s, %(revision)s, %(attribute)s, %(value)s, %(value_key)s)
on conflict (entry, attribute, value_key) do nothing

-- export --
-- Entries with their published facts and sources, in order of identity. A machine entry in review shows all its facts.
-- Labels are the entry's own, its category's and those of the entry that it supplements; what a label withholds counts as hidden.
-- `granted` is the licence that the library decided for what its machine composed.
select e.identity, e.owner, e.status, e.status_reason, e.supplement_of, e.category, e.title, e.name_key, e.aliases, e.regions, e.primary_region,
    e.body, e.files, e.media, e.labels as own_labels, e.hidden as own_hidden, labels_of(e) as labels,
    is_withheld(e) as hidden, e.contributor, e.licence, e.library, e.remote_id, e.remote_revision, e.revision, e.sensitive, e.updated_at,
    case when e.owner = 'machine' then (select value #>> '{}' from governed_now where name = 'library.machine_licence') end as granted,
    case when %(history)s then (select r.note from revision r where r.entry = e.identity and r.number = e.revision) end as note,
    case when %(history)s then coalesce((select jsonb_agg(d.identity order by d.identity) from redirect d where d.target = e.identity), '[]') end as redirects,
    case when %(history)s then coalesce((select jsonb_agg(jsonb_build_object('number', r.number, 'owner', r.owner, 'note', r.note,
            'written_at', coalesce(r.content ->> 'written_at', to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
            'content', r.content - 'facts' - 'batch' - 'digest' - 'written_at') order by r.number)
        from revision r where r.entry = e.identity and r.number < e.revision), '[]') end as history,
    coalesce((select jsonb_agg(s.identity order by s.identity) from entry s
              where s.supplement_of = e.identity and s.status <> 'withdrawn'), '[]') as supplements,
    coalesce((select jsonb_agg(jsonb_build_object('attribute', f.attribute, 'value', f.value, 'value_key', f.value_key, 'probability', f.probability,
                  'flagged', f.flagged, 'state', f.state, 'rank', f.rank, 'reason', f.reason, 'independent', f.independent,
                  'sources', (select jsonb_agg(jsonb_build_object('url', d.url, 'quote', k.quote, 'language', k.language, 'archive', d.archive,
                                  'archive_offset', d.archive_offset, 'digest', d.digest, 'page_length', (select length(t.text) from page_text t where t.document = k.document and t.cleaner = k.cleaner), 'start', lower(k.span), 'end', upper(k.span)) order by d.url, lower(k.span), k.id)
                              from fact_claim fc join claim k on k.id = fc.claim join document d on d.id = k.document where fc.fact = f.id))
              order by f.attribute, f.rank, f.value_key)
              from fact f where f.entry = e.identity and (f.state = 'published' or e.status = 'review')), '[]') as facts
from entry e
where (%(statuses)s::text[] is null or e.status = any (%(statuses)s))
  and (%(identities)s::text[] is null or e.identity = any (%(identities)s))
order by e.identity

-- contested --
-- Answers to a question on which the sources of a published entry differ, and none of which is published yet, and what pages deny of those that
-- are, in so many words or as the validation agent read them; never of what is sacred.
select f.attribute, f.value, f.probability, f.flagged, f.rank,
    exists (select 1 from validation v where v.evidence -> 'denying' @> (select jsonb_agg(o.claim) from fact_claim o where o.fact = f.id)) as denied,
    (select jsonb_agg(jsonb_build_object('url', d.url, 'quote', k.quote, 'language', k.language,
         'page_length', (select length(t.text) from page_text t where t.document = k.document and t.cleaner = k.cleaner)) order by d.url, lower(k.span), k.id)
     from fact_claim fc join claim k on k.id = fc.claim join document d on d.id = k.document where fc.fact = f.id) as sources
from fact f join entry e on e.identity = f.entry
where f.entry = %(identity)s and f.state = 'waiting' and e.status = 'published' and not e.sensitive and not is_withheld(e)
  and exists (select 1 from fact r where r.entry = f.entry and r.attribute = f.attribute and r.rank > 1)
union all
select f.attribute, f.value, 0, false, f.rank, true,
    jsonb_agg(jsonb_build_object('url', d.url, 'quote', k.quote, 'language', k.language, 'page_length', length(t.text)) order by d.url, lower(k.span), k.id)
from entry e join fact f on f.entry = e.identity join item i on i.identity = e.identity join item_member m on m.item = i.id
join claim k on k.candidate = m.candidate and k.attribute = f.attribute and k.value_key = f.value_key
join document d on d.id = k.document join page_text t on t.document = k.document and t.cleaner = k.cleaner
where e.identity = %(identity)s and f.state = 'published' and e.status = 'published' and not e.sensitive and not is_withheld(e)
  and k.retracted is null and (k.polarity < 0 or exists (select 1 from validation v where v.evidence -> 'denying' @> to_jsonb(k.id)))
  and not exists (select 1 from fact_claim o where o.fact = f.id and o.claim = k.id)
group by f.attribute, f.value, f.rank
order by attribute, denied, rank, value

-- counts --
select owner, status, count(*) as entries from entry group by owner, status order by owner, status

-- human_digest --
-- One digest over every human-owned record: an unexplained change shows.
select encode(sha256(convert_to(coalesce(string_agg(identity || ':' || revision || ':' || md5(title || body), ',' order by identity), ''), 'UTF8')), 'hex') as digest
from entry where owner = 'human'

-- keep_sketch --
insert into entry_sketch (entry, sketch) values (%(entry)s, %(sketch)s) on conflict (entry) do update set sketch = excluded.sketch

-- sketches_like --
select s.sketch from entry_sketch s where s.sketch && %(sketch)s::bigint[] limit 50

-- sketch_of --
select sketch from entry_sketch where entry = %(entry)s

-- published_after --
select identity from entry where status = 'published' and identity > %(after)s order by identity limit %(limit)s

-- by_title --
select * from entry where title = %(title)s order by owner, identity limit 1

-- members --
-- The candidates that an entry is made of, with the verdicts about their pairs.
select m.candidate, c.name, d.url,
    coalesce((select jsonb_agg(jsonb_build_object('with', case when v.a = m.candidate then v.b else v.a end, 'verdict', v.verdict,
                  'score', v.score, 'by', v.decided_by, 'evidence', v.evidence))
              from pair_verdict v where v.a = m.candidate or v.b = m.candidate), '[]') as verdicts
from item i join item_member m on m.item = i.id join candidate c on c.digest = m.candidate join document d on d.id = c.document
where i.identity = %(identity)s order by d.url

-- revision --
select entry, number, owner, person, content, note, at from revision where entry = %(entry)s and number = %(number)s

-- revisions --
select number, owner, person, content, note, at from revision where entry = %(entry)s and number < %(before)s order by number desc limit %(limit)s

-- last_noted --
select number, content from revision where entry = %(entry)s and note = any (%(notes)s) order by number desc limit 1

-- set_labels --
update entry set labels = %(labels)s, updated_at = clock_timestamp() where identity = %(identity)s

-- touch_supplements --
-- What holds for an entry holds for what supplements it: harvesters are told of both.
update entry set updated_at = clock_timestamp() where supplement_of = %(identity)s and status = 'published'

-- touch_category --
-- What harvesters have of these entries is out of date.
update entry set updated_at = clock_timestamp() where category = %(category)s and status = 'published'

-- drop_revisions --
-- Of an entry that an import has just made: its history comes with it.
delete from revision where entry = %(entry)s

-- renumber --
update entry set revision = %(revision)s where identity = %(entry)s

-- set_display --
-- Marks that an import brings along.
update entry set labels = %(labels)s, hidden = %(hidden)s, sensitive = %(sensitive)s where identity = %(identity)s

-- readings_behind --
-- Which readers, with their prompts and models, the published facts rest on, and how many facts each.
select c.extractor as reader, count(distinct f.id) as facts
from entry e join fact f on f.entry = e.identity and f.state = 'published'
join fact_claim fc on fc.fact = f.id join claim k on k.id = fc.claim join candidate c on c.digest = k.candidate
where e.status = 'published' group by c.extractor order by c.extractor

-- agents_behind --
-- Which agents, by their prompts and models, answered about what the published machine entries are made of, and how often.
select d.evidence ->> 'agent' as prompt, d.evidence ->> 'model' as model, count(*) as answers
from decision d where d.evidence ->> 'model' is not null
  and (d.item in (select i.id from item i join entry e on e.identity = i.identity where e.status = 'published')
       or d.subject in (select c.digest from entry e join fact f on f.entry = e.identity and f.state = 'published'
                        join fact_claim fc on fc.fact = f.id join claim k on k.id = fc.claim join candidate c on c.digest = k.candidate
                        where e.status = 'published'))
group by 1, 2 order by 1, 2

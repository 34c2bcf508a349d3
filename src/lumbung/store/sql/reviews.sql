-- What waits for a person's word, and what that word reaches. Owned by governance.

-- item_of --
-- The item behind a machine entry, with its live members and the regions in which its entry lies.
select i.id, i.identity, i.category, coalesce(e.primary_region, '-') as primary_region, coalesce(e.regions, '{}') as regions, (i.content ->> 'sensitive')::boolean as sensitive, i.content ->> 'title' as title,
    coalesce((select array_agg(m.candidate order by m.candidate) from item_member m where m.item = i.id), '{}') as members
from item i left join entry e on e.identity = i.identity where i.identity = %(identity)s

-- has_fact --
select exists (select 1 from fact where entry = %(identity)s and attribute = %(attribute)s and value_key = %(value_key)s) as known

-- queue --
-- Entries in review, the sensitive first, then the oldest.
select e.identity, e.title, e.category, e.regions, e.status_reason, e.sensitive, e.updated_at, e.supplement_of,
    (select count(*) from fact f where f.entry = e.identity and f.state = 'waiting') as waiting_facts
from entry e where e.status = 'review' and e.owner = 'machine' and (%(category)s::text is null or e.category = %(category)s)
order by e.sensitive desc, e.updated_at, e.identity limit %(limit)s

-- waiting_facts --
-- Facts below their threshold, on entries that are out, the nearest to it first.
select f.entry, e.title, e.category, e.sensitive, f.attribute, f.value, f.value_key, f.probability, f.independent, f.reason from fact f
join entry e on e.identity = f.entry where f.state = 'waiting' and e.status in ('published', 'held', 'shadow') and e.owner = 'machine'
  and f.reason not in ('rejected by a person') and (%(category)s::text is null or e.category = %(category)s)
order by e.sensitive desc, f.probability desc, f.id limit %(limit)s

-- counts --
select (select count(*) from entry where status = 'review' and owner = 'machine') as review, (select count(*) from entry where status = 'held') as held,
    (select count(*) from request where state = 'open') as requests,
    (select count(*) from sample s where not exists (select 1 from label_now l where l.sample = s.id)) as unread_samples,
    (select count(*) from job where state = 'dead') as dead_letters,
    (select count(*) from frontier where state = 'waiting') as frontier,
    exists (select 1 from frontier where state = 'fetched') as crawled

-- node_exists --
select exists (select 1 from candidate where digest = %(node)s union all select 1 from entry where 'h:' || identity = %(node)s and owner = 'human') as known

-- candidates_of_document --
select c.digest from candidate c where c.document = any (%(documents)s) and c.state in ('live', 'parked') order by c.digest

-- documents_of_host --
select id from document where host = %(host)s order by id

-- documents_of_url --
select id from document where url = %(url)s or final_url = %(url)s order by id

-- retract --
update candidate set state = 'retracted', state_reason = %(reason)s where digest = any (%(digests)s) and state in ('live', 'parked')

-- retract_extractor --
update candidate set state = 'retracted', state_reason = %(reason)s where extractor = %(version)s and state in ('live', 'parked') returning digest

-- retract_pair_answers --
-- What a model answered about pairs, by one of its prompts or by all.
delete from pair_verdict where decided_by = 'agent' and evidence ->> 'model' = %(model)s
    and (%(prompt)s::text is null or evidence ->> 'agent' = %(prompt)s) returning a, b

-- retract_scope_answers --
update candidate set scope = null, scope_evidence = null where scope_evidence ->> 'model' = %(model)s
    and (%(prompt)s::text is null or scope_evidence ->> 'agent' = %(prompt)s) returning digest

-- retract_validations --
-- How many answers went, and of which items.
with gone as (
    delete from validation where evidence ->> 'model' = %(model)s
        and (%(prompt)s::text is null or evidence ->> 'agent' = %(prompt)s) returning question
)
select (select count(*) from gone) as answers,
    array(select distinct d.item from decision d join gone g on g.question = d.subject where d.node = 'validation' and d.item is not null) as items

-- forget_answers --
delete from inference_cache where model = %(model)s and (%(prompt)s::text is null or prompt = %(prompt)s)

-- mark_sensitive --
update candidate set sensitive = array_append(sensitive, %(word)s) where digest = any (%(digests)s) and not (%(word)s = any (sensitive))

-- unmark_waiting --
-- Words that are off the list speak for nothing that waits; what is published stays what it is.
update candidate c set sensitive = array(select word from unnest(c.sensitive) word where not word = any (%(words)s))
where c.sensitive && %(words)s::text[] and c.state in ('live', 'parked') and not exists (
    select 1 from item_member m join item i on i.id = m.item and i.alive join entry e on e.identity = i.identity
    where m.candidate = c.digest and e.status = 'published')
returning c.digest

-- live_candidates --
-- Names and quotes of what speaks for the library, to look for a word in.
select c.digest, c.name, c.category, coalesce((select string_agg(k.quote, ' | ' order by k.id) from claim k where k.candidate = c.digest), '') as quotes
from candidate c where c.state in ('live', 'parked') order by c.digest

-- adopt_revision --
-- What stands in a human entry becomes its newest revision, in the name of the person who explains it; it is people's, whoever it was made over to.
with made as (
    insert into revision (entry, number, owner, person, content, note)
    select e.identity, (select coalesce(max(r.number), 0) + 1 from revision r where r.entry = e.identity), 'human', %(person)s,
        jsonb_build_object('title', e.title, 'body', e.body, 'category', e.category, 'aliases', e.aliases, 'regions', e.regions,
            'primary_region', e.primary_region, 'files', e.files, 'library', e.library, 'remote_id', e.remote_id,
            'remote_revision', e.remote_revision, 'contributor', coalesce(e.contributor, ''), 'licence', coalesce(e.licence, ''),
            'status', e.status), %(note)s
    from entry e where e.identity = %(identity)s
    returning entry, number
)
update entry set owner = 'human', revision = greatest(entry.revision, made.number) from made where entry.identity = made.entry

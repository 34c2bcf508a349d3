-- Candidates, their claims and features. Owned by extract and encode.

-- add --
insert into candidate (digest, document, cleaner, segment, extractor, name, name_key, aliases, alias_keys, category, regions,
    media, state, state_reason, sensitive)
values (%(digest)s, %(document)s, %(cleaner)s, %(segment)s, %(extractor)s, %(name)s, %(name_key)s, %(aliases)s, %(alias_keys)s,
    %(category)s, %(regions)s, %(media)s, %(state)s, %(state_reason)s, %(sensitive)s)
on conflict (digest) do nothing

-- add_claim --
insert into claim (candidate, document, cleaner, attribute, value, value_key, quote, span, language, confidence, polarity)
values (%(candidate)s, %(document)s, %(cleaner)s, %(attribute)s, %(value)s, %(value_key)s, %(quote)s,
    int4range(%(start)s, %(end)s), %(language)s, %(confidence)s, %(polarity)s)
on conflict (candidate, attribute, value_key, span) do nothing

-- load --
-- Candidates with their live claims, those that state and those that deny, and what decides about their witness: the document's source.
select c.digest, c.name, c.name_key, c.aliases, c.category, c.regions, c.media, c.state, c.scope, c.sensitive, c.extractor, c.batch,
    c.document, d.url, d.host, d.domain, d.sketch, d.witness, d.published, d.publisher, d.origins, d.digest as payload_digest, d.tranche, m.landmarks,
    coalesce((select jsonb_agg(jsonb_build_array(k.id, k.attribute, k.value, k.value_key, k.polarity, k.confidence) order by k.id)
              from claim k where k.candidate = c.digest and k.retracted is null and k.polarity > 0), '[]') as claims,
    coalesce((select jsonb_agg(jsonb_build_array(k.id, k.attribute, k.value, k.value_key, k.polarity, k.confidence) order by k.id)
              from claim k where k.candidate = c.digest and k.retracted is null and k.polarity < 0), '[]') as denials
from candidate c join document d on d.id = c.document left join document_landmarks m on m.document = d.id
where c.digest = any (%(digests)s)

-- supersede --
-- Claims of older extractors of the same document step aside, in the job that brings the newer ones.
update candidate set state = 'superseded', state_reason = 'extracted again by ' || %(extractor)s
where document = %(document)s and extractor <> %(extractor)s and state in ('live', 'parked')
returning digest

-- parked --
select digest, document from candidate where state = 'parked'

-- set_state --
update candidate set state = %(state)s, state_reason = %(reason)s where digest = any (%(digests)s) and state <> %(state)s returning digest

-- of_documents --
select digest from candidate where document = any (%(documents)s) and state = 'live'

-- set_scope --
update candidate set scope = %(scope)s, scope_evidence = %(evidence)s,
    sensitive = case when %(sensitive)s and not 'agent' = any (sensitive) then sensitive || '{agent}' else sensitive end
where digest = %(digest)s

-- open_scopes --
-- Live candidates whose scope the rules left open and no agent was asked about.
select digest from candidate where state = 'live' and scope = 'unsure' and not scope_evidence ? 'agent' order by digest

-- scope_judged --
-- Live candidates after this one whose scope an agent, or a rule, judged, and whether a published entry rests on each.
select c.digest, exists (select 1 from item_member m join item i on i.id = m.item and i.alive join entry e on e.identity = i.identity
    where m.candidate = c.digest and e.status = 'published') as published
from candidate c where c.state = 'live' and case %(by)s when 'rule' then c.scope_evidence ->> 'by' = 'rule' else c.scope_evidence ? 'agent' end and c.digest > %(after)s order by c.digest limit %(limit)s

-- forget_scope --
-- They have no verdict until the gate judges them again.
update candidate set scope = null, scope_evidence = null where digest = any (%(digests)s)

-- counts --
select state, count(*) as candidates from candidate group by state

-- claims_of --
select id, attribute, value, quote, lower(span) as start, upper(span) as "end", language, confidence, retracted from claim where candidate = %(digest)s order by id

-- without_landmarks --
-- Pages of these candidates that nobody has read for names and numbers yet.
select distinct on (t.document) t.document, t.text from candidate c join page_text t on t.document = c.document and t.cleaner = c.cleaner
where c.digest = any (%(digests)s) and not exists (select 1 from document_landmarks m where m.document = c.document)
order by t.document, t.cleaner desc

-- keep_landmarks --
insert into document_landmarks (document, landmarks) values (%(document)s, %(landmarks)s) on conflict (document) do nothing

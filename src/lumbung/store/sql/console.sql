-- What the console's pages read, short, capped and paged by key; and the few rows that only its actions change.

-- frame --
-- Who is signed in, and the modes of all categories, for the head of every page.
select coalesce(p.name, p.login, '') as name,
    (select coalesce(jsonb_object_agg(m.mode, m.categories), '{}') from (
        select value #>> '{}' as mode, count(*) as categories from governed_now where name like 'mode.%%' group by 1) m) as modes
from person p where p.id = %(person)s

-- waiting --
-- What waits for whom; nobody needs to know whether it is one thousand or two.
select (select count(*) from (select 1 from entry where status = 'review' and owner = 'machine' limit %(cap)s) c) as review,
    (select count(*) from (select 1 from sample s where not exists (select 1 from label_now l where l.sample = s.id) limit %(cap)s) c) as samples,
    (select count(*) from (select 1 from pair_verdict where verdict = 'unsure' limit %(cap)s) c) as pairs,
    (select count(*) from (select 1 from request where state = 'open' limit %(cap)s) c) as requests,
    (select count(*) from (select 1 from takedown where state = 'open' limit %(cap)s) c) as takedowns,
    (select count(*) from (select 1 from correction where state = 'open' limit %(cap)s) c) as corrections,
    (select count(*) from (select 1 from entry where status = 'held' and owner = 'machine' limit %(cap)s) c) as held,
    (select count(*) from (select 1 from job where state = 'dead' limit %(cap)s) c) as dead_letters,
    (select count(*) from (select 1 from job where state = 'parked' limit %(cap)s) c) as parked,
    (select count(*) from (select 1 from tranche where state = 'proposed' limit %(cap)s) c) as tranches

-- review_queue --
-- Entries in review that no person has judged yet: the sensitive first, then the oldest; paged by key.
select e.identity, e.title, e.category, e.regions, e.status_reason, e.sensitive, e.updated_at, e.supplement_of from entry e
where e.status = 'review' and e.owner = 'machine' and (%(category)s::text is null or e.category = %(category)s)
  and (not e.sensitive, e.updated_at, e.identity) > (%(plain)s, %(updated_at)s::timestamptz, %(identity)s)
  and not exists (select 1 from item i join item_member m on m.item = i.id join human_act h on h.a = m.candidate
                  where i.identity = e.identity and h.kind in ('approve', 'reject') and h.value = '' and h.revoked_by is null)
order by not e.sensitive, e.updated_at, e.identity limit %(limit)s

-- review_before --
-- The entry in review that stands before this one.
select e.identity from entry e where e.status = 'review' and e.owner = 'machine'
  and (not e.sensitive, e.updated_at, e.identity) < (%(plain)s, %(updated_at)s::timestamptz, %(identity)s)
order by not e.sensitive desc, e.updated_at desc, e.identity desc limit 1

-- judgements --
-- What people said about an entry and its facts, as far as it still holds.
select distinct h.kind, h.value, a.person, a.at, a.reason from item i join item_member m on m.item = i.id
join human_act h on h.a = m.candidate join action a on a.seq = h.action
where i.identity = %(identity)s and h.kind in ('approve', 'reject') and h.revoked_by is null order by a.at

-- passages --
-- Each fact of an entry beside the passages of archived pages that it rests on, and those that deny it: in so many words, or as the validation
-- agent read them. What it turned is no source of the fact any more, unless nothing else was ever said for that.
select f.attribute, f.value, f.value_key, f.probability, f.independent, f.state, f.flagged, f.reason, f.rank,
    k.denies, k.id as claim, k.quote, k.language, d.url, d.witness, d.witness_reason, t.title as page_title,
    substr(t.text, greatest(1, lower(k.span) + 1 - %(around)s), least(%(around)s, lower(k.span))) as before,
    substr(t.text, upper(k.span) + 1, %(around)s) as after
from fact f join lateral (
    select c.*, exists (select 1 from validation v where v.evidence -> 'denying' @>
        (select jsonb_agg(o.claim) from fact_claim o where o.fact = f.id)) as denies
    from fact_claim fc join claim c on c.id = fc.claim where fc.fact = f.id
    union all
    select c.*, true from item i join item_member m on m.item = i.id join claim c on c.candidate = m.candidate
    where i.identity = f.entry and c.attribute = f.attribute and c.value_key = f.value_key and c.retracted is null
      and (c.polarity < 0 or exists (select 1 from validation v where v.evidence -> 'denying' @> to_jsonb(c.id)))
      and not exists (select 1 from fact_claim o where o.fact = f.id and o.claim = c.id)
) k on true join document d on d.id = k.document
join page_text t on t.document = k.document and t.cleaner = k.cleaner
where f.entry = %(identity)s order by f.attribute, f.rank, f.value_key, k.denies, d.url, k.id limit %(limit)s

-- page_of_claim --
-- The whole cleaned text of a page, with the place of one quote in it.
select t.title, t.text, t.language, d.url, d.fetched_at, d.archive, d.archive_offset, d.digest, lower(k.span) as start, upper(k.span) as stop
from claim k join document d on d.id = k.document join page_text t on t.document = k.document and t.cleaner = k.cleaner where k.id = %(claim)s

-- next_samples --
-- What this person may read next: the sensitive first, then in the random order in which the samples were drawn.
select s.id from sample s
where (not s.sensitive, s.place, s.id) > (%(plain)s, %(place)s, %(id)s) and not exists (select 1 from label_now l where l.sample = s.id and l.person = %(person)s)
  and (select count(*) from label_now l where l.sample = s.id) < case when s.second_reading then 2 else 1 end
order by not s.sensitive, s.place, s.id limit %(limit)s

-- context --
-- The archived text around a quote that a sample shows.
select t.title, substr(t.text, greatest(1, %(start)s + 1 - %(around)s), least(%(around)s, %(start)s)) as before,
    substr(t.text, %(stop)s + 1, %(around)s) as after
from document d join page_text t on t.document = d.id where d.url = %(url)s and d.digest = %(digest)s order by t.cleaner desc limit 1

-- by_status --
select identity, title, category, regions, sensitive, hidden, updated_at, status_reason from entry
where status = %(status)s and owner = 'machine' and (coalesce(category, ''), title, identity) > (%(category)s, %(title)s, %(identity)s)
order by coalesce(category, ''), title, identity limit %(limit)s

-- batches --
select b.id, b.run, b.category, b.opened_at, b.undone_at, (select count(*) from publication p where p.batch = b.id) as entries
from batch b where b.id < %(before)s order by b.id desc limit %(limit)s

-- hide --
update entry set hidden = %(hidden)s, updated_at = clock_timestamp() where identity = %(identity)s and hidden <> %(hidden)s returning title

-- hidden --
select identity, title, category, owner, status from entry where hidden order by title, identity limit %(limit)s

-- spent --
-- Micro-units spent since a time; and facts that stand published now, in all and in entries published since then: the two sides of the objective.
select (select coalesce(sum(spent_micros), 0)::bigint from spend where spent_at > lumbung_now() - make_interval(secs => %(seconds)s)) as micros,
    f.facts, f.new_facts
from (select count(*) as facts, count(*) filter (where e.published_at > clock_timestamp() - make_interval(secs => %(seconds)s)) as new_facts
      from fact join entry e on e.identity = fact.entry where fact.state = 'published' and e.status = 'published' and e.owner = 'machine') f

-- know_host --
insert into host (name, domain) values (%(name)s, %(domain)s) on conflict (name) do nothing

-- host --
select name, stopped, opted_out from host where name = %(name)s

-- waiting_facts --
-- Facts that wait on entries that are not themselves in review, the likeliest first.
select f.entry, e.title, e.category, e.sensitive, f.attribute, f.value, f.probability, f.reason from fact f join entry e on e.identity = f.entry
where f.state = 'waiting' and e.status in ('published', 'held', 'shadow') and e.owner = 'machine' and f.reason <> 'rejected by a person'
  and (%(category)s::text is null or e.category = %(category)s)
order by f.probability desc, f.id limit %(limit)s

-- restating_facts --
-- Facts of which it is open whether they say what the item's others say already, beside these, the newest first.
select f.entry, e.title, f.attribute, f.value, g.grey -> 'held' as held
from decision d cross join lateral jsonb_array_elements(d.evidence -> 'grey') g (grey)
join item_member m on m.candidate = d.subject join item i on i.id = m.item and i.alive join entry e on e.identity = i.identity
join fact f on f.entry = e.identity and f.attribute = g.grey ->> 'attribute' and f.value_key = g.grey ->> 'key'
where d.node = 'novelty' and d.evidence ? 'grey' and f.state = 'published' and e.status in ('published', 'held', 'shadow') and e.owner = 'machine'
  and not exists (select 1 from decision n where n.subject = d.subject and n.node = 'novelty' and n.id > d.id)
  and (%(category)s::text is null or e.category = %(category)s)
order by d.id desc, f.id limit %(limit)s

-- unsure_pairs --
-- Pairs on which no rule, model or person has decided, the closest first; names are looked up for these few alone.
with chosen as (
    select v.a, v.b, v.score, v.evidence from pair_verdict v
    where v.verdict = 'unsure' and not exists (select 1 from human_act h where h.revoked_by is null and h.kind in ('same', 'different') and h.a = v.a and h.b = v.b)
      and not exists (select 1 from human_act h where h.revoked_by is null and h.kind in ('same', 'different') and h.a = v.b and h.b = v.a)
    order by v.score desc, v.a limit %(limit)s
)
select c.a, c.b, c.score, c.evidence, coalesce(ca.name, ea.title) as name_a, coalesce(cb.name, eb.title) as name_b, coalesce(ca.category, cb.category) as category
from chosen c left join candidate ca on ca.digest = c.a left join candidate cb on cb.digest = c.b
left join entry ea on ea.identity = substr(c.a, 3) and c.a like 'h:%%' left join entry eb on eb.identity = substr(c.b, 3) and c.b like 'h:%%'
order by c.score desc, c.a

-- machine_entries --
-- The machine's entries with their text, the newest first, and how many there are at all.
select identity, title, category, status, sensitive, body,
    (select count(*) from entry where owner = 'machine' and status <> 'withdrawn') as held from entry
where owner = 'machine' and status <> 'withdrawn' order by updated_at desc, identity limit %(limit)s

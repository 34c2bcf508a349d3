-- What the funnel gained and what it went through, for the front page and the monthly report. Owned by governance.

-- gained --
-- Published machine facts and entries, by category, since a time.
select e.category, count(distinct e.identity) as entries, count(f.id) as facts, count(distinct e.identity) filter (where e.supplement_of is not null) as supplements
from entry e left join fact f on f.entry = e.identity and f.state = 'published'
where e.owner = 'machine' and e.status = 'published' and e.published_at > clock_timestamp() - make_interval(secs => %(seconds)s)
group by e.category order by e.category

-- withheld --
-- In shadow the facts that pass, which raising the category would show; in review all, of which a person decides.
select e.status, e.category, sum(f.probability)::float8 as expected from entry e
join fact f on f.entry = e.identity and (e.status = 'review' or f.state = 'published')
where e.owner = 'machine' and e.status in ('shadow', 'review') group by e.status, e.category order by e.status, e.category

-- modes_asked_for --
select distinct subject from request where verb = 'set-mode' and state = 'open' order by subject

-- dead_by_stage --
select stage, count(*) as jobs from job where state = 'dead' group by stage

-- funnel --
-- How many units each stage took in and let through, all time.
select (select count(*) from document) as pages, (select count(*) from document where kind = 'item') as item_pages,
    (select count(*) from candidate) as candidates, (select count(*) from candidate where state = 'live') as live_candidates,
    (select count(*) from item where alive) as items, (select count(*) from entry where owner = 'machine' and status = 'published') as published

-- funnel_by_host --
-- The same by host: an item is of the host of its first page, and what was paid is of the page or candidate it was paid for.
with page as (
    select host, count(*) as pages, count(*) filter (where kind = 'item') as item_pages from document group by host
), found as (
    select d.host, count(*) as candidates from candidate c join document d on d.id = c.document group by d.host
), home as (
    select distinct on (m.item) m.item, d.host from item_member m join candidate c on c.digest = m.candidate join document d on d.id = c.document order by m.item, d.id
), made as (
    select h.host, count(*) as items, count(*) filter (where exists (select 1 from entry e where e.identity = i.identity and e.owner = 'machine' and e.status = 'published')) as published
    from home h join item i on i.id = h.item where i.alive group by h.host
), paid as (
    select coalesce(d.host, o.host) as host, s.stage, sum(s.spent_micros) as micros from spend s
    left join job j on s.stage = 'extract' and j.stage = s.stage and j.key = s.job left join document d on d.id = (j.payload ->> 'document')::bigint
    left join candidate c on s.stage = 'decide' and c.digest = s.job left join document o on o.id = c.document
    where s.spent_at is not null group by 1, 2
), bill as (
    select host, sum(micros) filter (where stage = 'extract') as extract_micros, sum(micros) filter (where stage = 'decide') as decide_micros from paid group by host
)
select page.host, pages, item_pages, coalesce(candidates, 0) as candidates, coalesce(items, 0) as items, coalesce(published, 0) as published,
    coalesce(extract_micros, 0)::float8 as extract_micros, coalesce(decide_micros, 0)::float8 as decide_micros
from page left join found using (host) left join made using (host) left join bill using (host) order by page.host

-- squared_costs --
-- The sum, by stage, of the squares of what each page or candidate cost in all.
select stage, sum(micros * micros)::float8 as squares from (
    select stage, job, sum(spent_micros)::float8 as micros from spend where spent_at is not null group by stage, job) per_job group by stage

-- duplicates --
-- Labels that say whether what was published was new.
select count(*) filter (where novelty = 'novel') as novel, count(*) filter (where novelty = 'duplicate') as duplicate from label_now where novelty is not null

-- human_work --
-- What people did in a time, by verb.
select verb, count(*) as acts, count(distinct person) as people from action
where person is not null and at > clock_timestamp() - make_interval(secs => %(seconds)s) group by verb order by acts desc, verb

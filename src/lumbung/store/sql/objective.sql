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

-- duplicates --
-- Labels that say whether what was published was new.
select count(*) filter (where novelty = 'novel') as novel, count(*) filter (where novelty = 'duplicate') as duplicate from label_now where novelty is not null

-- human_work --
-- What people did in a time, by verb.
select verb, count(*) as acts, count(distinct person) as people from action
where person is not null and at > clock_timestamp() - make_interval(secs => %(seconds)s) group by verb order by acts desc, verb

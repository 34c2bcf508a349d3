-- The coverage matrix, tranches with their seeds, and what they yielded. Owned by governance.

-- held --
-- What the library holds, by category and set of regions: people's entries and the machine's published ones.
select category, regions, count(*)::float8 as entries from entry
where status = 'published' and category is not null and supplement_of is null group by category, regions

-- add_tranche --
insert into tranche (name, note) values (%(name)s, %(note)s) on conflict (name) do update set note = excluded.note
where tranche.state = 'proposed' returning name

-- add_seed --
insert into tranche_seed (tranche, url, category, region, cost, note, verified)
values (%(tranche)s, %(url)s, %(category)s, %(region)s, %(cost)s, %(note)s, %(verified)s) on conflict (tranche, url) do nothing

-- elsewhere --
-- Seeds that stand in another tranche or are known to the frontier already.
select s.url, 'is in tranche ' || s.tranche as fault from tranche_seed s where s.url = any (%(urls)s) and s.tranche <> %(tranche)s
union select f.url, 'is known to the frontier: ' || f.state from frontier f where f.url_key = any (%(keys)s::uuid[])

-- dead --
-- Seeds of a tranche that could not be read.
select s.url, coalesce(f.reason, f.state) as fault from tranche_seed s join frontier f on f.url = s.url
where s.tranche = %(tranche)s and f.state in ('refused', 'failed') order by s.url

-- all --
select t.name, t.state, t.note, t.forecast, t.outcome, t.injected_at, t.ended_at, t.ended_reason,
    count(s.url) as seeds, coalesce(sum(s.cost), 0)::float8 as cost, count(s.url) filter (where s.verified) as verified
from tranche t left join tranche_seed s on s.tranche = t.name group by t.name order by t.created_at, t.name

-- forecasts_and_outcomes --
-- Of tranches that have ended: how far off forecasts have been.
select (forecast ->> 'entries')::float8 as expected, (outcome ->> 'entries')::float8 as found from tranche
where state in ('done', 'stopped') and forecast ? 'entries' and outcome ? 'entries' order by ended_at, name

-- get --
select name, state, note, forecast, outcome, injected_at from tranche where name = %(name)s for update

-- seeds --
select url, category, region, cost, note, verified from tranche_seed where tranche = %(tranche)s order by url

-- all_seeds --
-- Of all tranches that may be chosen, counted by cell.
select s.tranche, s.category, s.region, sum(s.cost)::float8 as cost, count(*) as seeds from tranche_seed s join tranche t on t.name = s.tranche
where t.state = 'proposed' group by s.tranche, s.category, s.region order by s.tranche, s.category, s.region

-- verify --
update tranche_seed set verified = true where tranche = %(tranche)s and url = any (%(urls)s)

-- running --
select name from tranche where state = 'injected' order by injected_at limit 1

-- inject --
update tranche set state = 'injected', injected_at = clock_timestamp(), forecast = %(forecast)s where name = %(name)s and state = 'proposed'

-- finish --
update tranche set state = %(state)s, ended_at = clock_timestamp(), ended_reason = %(reason)s where name = %(name)s and state = 'injected'

-- keep_outcome --
update tranche set outcome = %(outcome)s where name = %(name)s

-- pages --
-- How far a tranche has got.
select count(*) filter (where state in ('waiting', 'leased')) as open, count(*) filter (where state = 'fetched') as fetched,
    count(*) filter (where state in ('refused', 'failed')) as lost from frontier where tranche = %(tranche)s

-- yielded --
-- New entries that rest on pages of a tranche, by category and set of regions.
select e.category, e.regions, count(distinct e.identity)::float8 as entries from document d
join candidate c on c.document = d.id join item_member m on m.candidate = c.digest join item i on i.id = m.item join entry e on e.identity = i.identity
where d.tranche = %(tranche)s and e.owner = 'machine' and e.status in ('published', 'held', 'shadow') group by e.category, e.regions

-- posteriors --
select tranche, category, region, shape, rate, seeds, found from yield_posterior

-- keep_posterior --
insert into yield_posterior (tranche, category, region, shape, rate, seeds, found)
values (%(tranche)s, %(category)s, %(region)s, %(shape)s, %(rate)s, %(seeds)s, %(found)s)
on conflict (tranche, category, region) do update
set shape = excluded.shape, rate = excluded.rate, seeds = excluded.seeds, found = excluded.found, updated_at = clock_timestamp()

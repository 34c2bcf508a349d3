-- The frontier: unique URLs, leased best first. Owned by the crawl stage. Hosts are in hosts.sql.

-- add --
-- New URLs in bulk, duplicates costing one index look-up; each host's count and best priority follow.
-- The number of new rows by parent is each page's offspring.
with wanted as (
    select url, key::uuid as url_key, host, priority, depth, features, tranche, parent, redirects
    from unnest(%(urls)b::text[], %(keys)b::text[], %(hosts)b::text[], %(priorities)b::float8[], %(depths)b::smallint[],
                %(features)b::text[], %(tranches)b::text[], %(parents)b::bigint[], %(redirects)b::smallint[])
        as w (url, key, host, priority, depth, features, tranche, parent, redirects)
), added as (
    insert into frontier (url, url_key, host, priority, depth, features, tranche, parent, redirects)
    select url, url_key, host, priority, depth, features::real[], tranche, parent, redirects from wanted w
    where not exists (select 1 from frontier f where f.url_key = w.url_key)
    on conflict (url_key) do nothing
    returning host, priority, parent
), by_host as (
    select host, count(*) as urls, max(priority) as best from added group by host order by host
), roused as (
    -- crawlers know when the others' turns come
    select exists (select 1 from by_host join host on host.name = by_host.host where host.waiting = 0) as any_host
), counted as (
    update host set waiting = host.waiting + by_host.urls,
        best = case when host.waiting > 0 then greatest(host.best, by_host.best) else by_host.best end
    from by_host where host.name = by_host.host
)
select parent, count(*) as urls, (select any_host from roused) as roused from added group by parent

-- raise_urls --
-- Waiting URLs of which further pages spoke well; they and their hosts stand higher from here on.
with wanted as (
    select key::uuid as url_key, priority, features from unnest(%(keys)b::text[], %(priorities)b::float8[], %(features)b::text[]) as w (key, priority, features)
), raised as (
    update frontier set priority = wanted.priority, features = wanted.features::real[]
    from wanted where frontier.url_key = wanted.url_key and frontier.state = 'waiting' and frontier.priority < wanted.priority
    returning frontier.host, frontier.priority
), by_host as (
    select host, max(priority) as best from raised group by host
)
update host set best = greatest(host.best, by_host.best) from by_host where host.name = by_host.host

-- lease --
-- The best URLs among the hosts whose turn comes within a moment, a host to one worker at a time; both clocks must agree.
-- `wait` says how long the worker lets pass before it asks. Lanes, addresses and domains that are full are passed over here;
-- what one look would take of them beyond their room is left to the next.
with now as materialized (
    select lumbung_now() as at, clock_timestamp() as wall
), lane as materialized (
    select number, hosts as room, make_interval(secs => ahead_seconds) as ahead
    from unnest(%(rooms)s::int[], %(aheads)s::float8[]) with ordinality as l (hosts, ahead_seconds, number)
), in_hand as materialized (
    select address, domain, host_lane(host, %(prompt_seconds)s) as lane from host where leased_by is not null
), at_address as materialized (
    select address, count(*) as hosts from in_hand where address is not null group by address
), full_address as materialized (
    -- one that serves very many domains is no single machine
    select address from at_address a where hosts >= %(hosts_per_address)s
      and (select count(distinct domain) from (select domain from host o where o.address = a.address limit 500) s) <= %(shared_by_domains)s
), of_domain as materialized (
    select domain, count(*) as hosts from in_hand where lane <> %(prompt_lane)s group by domain
), askable as (
    select h.name, h.best + h.standing as best, h.address, h.domain, d.delay, d.lane, lane.room, greatest(extract(epoch from greatest(h.next_slot, now.at) - now.at),
        case when now.wall >= h.ended_at then extract(epoch from h.ended_at + make_interval(secs => d.delay) - now.wall) end)::float8 as wait
    from host h cross join now
    cross join lateral (select host_delay_now(h, %(run_hosts)s, %(run_delay)s, %(default_delay)s) as delay,
                               host_lane(h, %(prompt_seconds)s) as lane) d
    join lane on lane.number = d.lane and lane.room > 0
    where h.waiting > 0 and h.stopped is null and h.leased_by is null and h.next_slot <= now.at + lane.ahead
      and (h.cooldown_until is null or h.cooldown_until <= now.at)
      and (h.ended_at is null or now.wall < h.ended_at or now.wall + lane.ahead >= h.ended_at + make_interval(secs => d.delay))
      and (h.quiet_from is null or not (host_is_quiet(h.quiet_from, h.quiet_until, h.quiet_zone, now.at, now.wall)
                                        or host_is_quiet(h.quiet_from, h.quiet_until, h.quiet_zone, now.at + lane.ahead, now.wall + lane.ahead)))
      and (h.address is null or h.address not in (select address from full_address))
      and (d.lane = %(prompt_lane)s or h.domain not in (select domain from of_domain where hosts >= %(hosts_per_domain)s))
    order by h.best + h.standing desc, h.name
    limit %(hosts)s
    for update of h skip locked
), placed as (
    select *, row_number() over (partition by lane order by best desc, name) as in_lane,
        row_number() over (partition by address order by best desc, name) as of_address,
        row_number() over (partition by domain order by best desc, name) as in_domain
    from askable
), within_cap as (
    select p.name, p.lane, p.delay, p.wait from placed p
    left join at_address a on a.address = p.address left join of_domain d on d.domain = p.domain
    where p.in_lane <= p.room
      and (p.address is null or p.of_address + coalesce(a.hosts, 0) <= %(hosts_per_address)s
           or (select count(distinct domain) from (select domain from host o where o.address = p.address limit 500) s) > %(shared_by_domains)s)
      and (p.lane = %(prompt_lane)s or p.in_domain + coalesce(d.hosts, 0) <= %(hosts_per_domain)s)
), picked as (
    select f.id, f.url, f.host, f.depth, f.priority, f.tranche, f.attempts, f.begun, f.features, f.redirects, f.refetch, a.delay, a.wait, a.lane
    from within_cap a cross join lateral (
        select * from frontier where host = a.name and state = 'waiting' and (due is null or due <= (select at from now))
        order by priority desc, id
        limit case when a.delay = 0 then %(urls_without_delay)s else 1 end
    ) f
), leased as (
    update frontier set state = 'leased', lease = %(lease)s, begun = frontier.begun + 1
    from picked where frontier.id = picked.id
), held as (
    update host set leased_by = %(lease)s, leased_until = now.at + make_interval(secs => %(lease_seconds)s),
        leased_wall = now.wall + make_interval(secs => %(lease_seconds)s),
        waiting = greatest(0, host.waiting - taken.urls), best = coalesce(taken.last_priority, host.best)
    from (select host, count(*) as urls, min(priority) as last_priority from picked group by host) taken, now
    where host.name = taken.host
), tired as (
    -- a host whose waiting URLs all have a later time steps aside until the first of them
    update host set next_slot = coalesce((select min(due) from frontier where host = a.name and state = 'waiting'), now.at),
        waiting = (select count(*) from frontier where host = a.name and state = 'waiting')
    from within_cap a, now where host.name = a.name and not exists (select 1 from picked p where p.host = a.name)
)
select p.id, p.url, p.host, p.depth, p.priority, p.tranche, p.attempts + 1 as attempts, p.features, p.redirects, p.refetch, p.delay, h.pages, h.page_budget, p.begun + 1 as begun, p.wait, p.lane
from picked p join host h on h.name = p.host
order by p.host, p.priority desc, p.id

-- end_urls --
-- Leased URLs reach their end; those that are no longer this worker's are left alone.
update frontier set state = e.state, reason = e.reason, lease = null
from unnest(%(ids)b::bigint[], %(states)b::text[], %(reasons)b::text[]) as e (id, state, reason)
where frontier.id = e.id and frontier.state = 'leased' and frontier.lease = %(lease)s
returning frontier.id

-- try_later --
with later as (
    select * from unnest(%(ids)b::bigint[], %(reasons)b::text[], %(delays)b::float8[]) as l (id, reason, delay)
), back as (
    update frontier set state = 'waiting', reason = later.reason, lease = null, attempts = frontier.attempts + 1, due = lumbung_now() + make_interval(secs => later.delay)
    from later where frontier.id = later.id and frontier.state = 'leased' and frontier.lease = %(lease)s
    returning frontier.host, frontier.priority
), by_host as (
    select host, count(*) as urls, max(priority) as best from back group by host
)
update host set waiting = waiting + by_host.urls, best = greatest(host.best, by_host.best) from by_host where host.name = by_host.host

-- give_back --
-- What a worker still holds of these hosts goes back, unasked and without counting as a try.
with back as (
    update frontier set state = 'waiting', begun = greatest(0, begun - 1), lease = null
    where host = any (%(hosts)s) and state = 'leased' and lease = %(lease)s returning host, priority
), by_host as (
    select host, count(*) as urls, max(priority) as best from back group by host
)
update host set waiting = waiting + by_host.urls, best = greatest(host.best, by_host.best) from by_host where host.name = by_host.host

-- busy --
-- What holds `--until-dry`: a leased URL, or one waiting at a host that is neither stopped, cooling down nor quiet.
-- One statement sees one moment: between two, a URL could pass from one condition to the other unseen.
select exists (select 1 from frontier where state = 'leased')
    or exists (select 1 from host where waiting > 0 and stopped is null
               and (quiet_from is null or not host_is_quiet(quiet_from, quiet_until, quiet_zone, lumbung_now(), clock_timestamp()))
               and (cooldown_until is null or (%(rested)s and cooldown_until <= lumbung_now()))) as busy

-- depth --
-- |Phi|: productive URLs waiting, and hosts with some.
select coalesce(sum(waiting), 0)::bigint as urls, count(*) as hosts from host where waiting > 0 and stopped is null

-- states --
select state, count(*) as urls from frontier group by state

-- ends --
select coalesce(reason, '') as reason, state, count(*) as urls from frontier where state in ('refused', 'failed')
group by 1, 2 order by 3 desc, 1 limit 50

-- find --
select * from frontier where url_key = %(key)s

-- refetch --
-- A page that had its end waits again, because somebody asked for it.
with again as (
    update frontier set state = 'waiting', lease = null, attempts = 0, begun = 0, due = null, reason = null, refetch = %(refetch)s,
        priority = %(priority)s
    where url_key = %(key)s and state not in ('waiting', 'leased') returning host, priority
)
update host set waiting = host.waiting + 1, best = case when host.waiting > 0 then greatest(host.best, again.priority) else again.priority end
from again where host.name = again.host

-- offspring --
select new_links from offspring order by document desc limit %(limit)s

-- waiting_after --
select id, url, host from frontier where state = 'waiting' and id > %(after)s order by id limit %(limit)s

-- refuse_urls --
-- Waiting URLs end with a reason, whichever hosts they stand on.
with refused as (
    update frontier set state = 'refused', reason = %(reason)s where id = any (%(ids)s) and state = 'waiting' returning host
), by_host as (
    select host, count(*) as urls from refused group by host
)
update host set waiting = greatest(0, waiting - by_host.urls) from by_host where host.name = by_host.host

-- refuse_waiting --
-- Waiting URLs of a host end with a reason: its owner opted out, or it is a mirror.
with refused as (
    update frontier set state = 'refused', reason = %(reason)s where host = %(host)s and state = 'waiting' returning 1
)
update host set waiting = greatest(0, waiting - (select count(*) from refused)) where name = %(host)s

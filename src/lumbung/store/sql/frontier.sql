-- The frontier and its hosts. Owned by the crawl stage.

-- know_hosts --
-- Hosts that are not known yet; a host's own row holds its delay, its slot and its budget.
insert into host (name, domain)
select name, domain from unnest(%(names)s::text[], %(domains)s::text[]) as h (name, domain)
on conflict (name) do nothing

-- known --
-- Which of these URLs are known already: duplicates cost one index look-up and no object.
select url_key from frontier where url_key = any (%(keys)s::uuid[])

-- add --
-- New URLs in bulk; each host's count and best priority follow. The number of new rows is the page's offspring.
with wanted as (
    select * from unnest(%(urls)s::text[], %(keys)s::uuid[], %(hosts)s::text[], %(priorities)s::float8[],
                         %(depths)s::smallint[], %(features)s::text[]) as w (url, url_key, host, priority, depth, features)
), added as (
    insert into frontier (url, url_key, host, priority, depth, tranche, parent, features)
    select url, url_key, host, priority, depth, %(tranche)s, %(parent)s, features::real[] from wanted
    on conflict (url_key) do nothing
    returning host, priority
), by_host as (
    select host, count(*) as urls, max(priority) as best from added group by host order by host
), counted as (
    update host set waiting = host.waiting + by_host.urls,
        best = case when host.waiting > 0 then greatest(host.best, by_host.best) else by_host.best end
    from by_host where host.name = by_host.host
)
select count(*) as urls from added

-- lease --
-- The best URLs among the hosts that may be asked now, a host to one worker at a time.
with now as materialized (
    select lumbung_now() as at
), askable as (
    select h.name,
        coalesce(h.delay_seconds, greatest(%(default_delay)s::float8, coalesce(h.robots_delay_seconds, 0))) as delay
    from host h, now
    where h.waiting > 0 and h.stopped is null and h.next_slot <= now.at
      and (h.leased_until is null
           or h.leased_until + make_interval(secs => coalesce(h.delay_seconds, greatest(%(default_delay)s::float8, coalesce(h.robots_delay_seconds, 0)))) <= now.at)
      and (h.cooldown_until is null or h.cooldown_until <= now.at)
    order by h.best desc, h.name
    limit %(hosts)s
    for update of h skip locked
), picked as (
    select f.id, f.url, f.host, f.depth, f.priority, f.tranche, f.attempts, f.features, a.delay
    from askable a cross join lateral (
        select * from frontier where host = a.name and state = 'waiting' and (due is null or due <= (select at from now))
        order by priority desc, id
        limit case when a.delay = 0 then %(urls_without_delay)s else 1 end
    ) f
), leased as (
    update frontier set state = 'leased', lease = %(lease)s, attempts = frontier.attempts + 1,
        leased_until = now.at + make_interval(secs => %(lease_seconds)s)
    from picked, now where frontier.id = picked.id
), held as (
    update host set leased_until = now.at + make_interval(secs => %(lease_seconds)s),
        waiting = greatest(0, host.waiting - taken.urls),
        best = coalesce(taken.last_priority, host.best)
    from (select host, count(*) as urls, min(priority) as last_priority from picked group by host) taken, now
    where host.name = taken.host
), tired as (
    -- a host whose waiting URLs all have a later time steps aside until the first of them
    update host set next_slot = coalesce((select min(due) from frontier where host = a.name and state = 'waiting'), now.at)
    from askable a, now where host.name = a.name and not exists (select 1 from picked p where p.host = a.name)
)
select p.id, p.url, p.host, p.depth, p.priority, p.tranche, p.attempts, p.features, p.delay,
    h.robots_status, h.robots, h.pages, h.page_budget, (h.robots_until is null or h.robots_until <= now.at) as robots_stale
from picked p join host h on h.name = p.host, now
order by p.host, p.priority desc, p.id

-- free_host --
-- The request has ended: the next slot of the host is now plus its delay, Eq. (6).
update host set leased_until = null, pages = pages + %(pages)s, failures = case when %(failed)s then failures + 1 else 0 end,
    next_slot = lumbung_now() + make_interval(secs => greatest(%(delay_seconds)s::float8, %(wait_seconds)s::float8)),
    stopped = case when page_budget is not null and pages + %(pages)s >= page_budget then 'page budget reached' else stopped end
where name = %(host)s

-- keep_robots --
update host set robots_status = %(status)s, robots = %(body)s, robots_delay_seconds = %(delay_seconds)s,
    robots_until = lumbung_now() + make_interval(secs => %(keep_seconds)s)
where name = %(host)s

-- end_url --
update frontier set state = %(state)s, reason = %(reason)s, lease = null, leased_until = null
where id = %(id)s and state = 'leased' and lease = %(lease)s
returning id

-- try_later --
with back as (
    update frontier set state = 'waiting', reason = %(reason)s, lease = null, leased_until = null,
        due = lumbung_now() + make_interval(secs => %(delay_seconds)s)
    where id = %(id)s and state = 'leased' and lease = %(lease)s returning host, priority
)
update host set waiting = waiting + 1, best = greatest(host.best, back.priority) from back where host.name = back.host

-- give_back_expired --
-- Leases of workers that died: the URLs wait again; their host's slot counts from the end of the lease.
with expired as (
    select id from frontier where state = 'leased' and leased_until <= lumbung_now() for update skip locked
), back as (
    update frontier set state = 'waiting', lease = null, leased_until = null from expired
    where frontier.id = expired.id returning frontier.host, frontier.priority
), by_host as (
    select host, count(*) as urls, max(priority) as best from back group by host
)
update host set waiting = waiting + by_host.urls, best = greatest(host.best, by_host.best) from by_host where host.name = by_host.host

-- next_slot --
-- Seconds until some host may be asked; null when none has anything waiting.
select extract(epoch from min(greatest(next_slot, coalesce(cooldown_until, '-infinity'),
    coalesce(leased_until + make_interval(secs => coalesce(delay_seconds, %(default_delay)s::float8)), '-infinity'))) - lumbung_now())::float8 as seconds
from host where waiting > 0 and stopped is null

-- leased --
select exists (select 1 from frontier where state = 'leased') as leased

-- leasable --
-- URLs that hold `--until-dry`: waiting at a host that is neither stopped nor cooling down.
select exists (select 1 from host where waiting > 0 and stopped is null
               and (cooldown_until is null or cooldown_until <= lumbung_now())) as leasable

-- cool_down --
update host set cooldown_until = lumbung_now() + make_interval(secs => %(seconds)s), note = %(reason)s where name = %(host)s

-- stop_host --
update host set stopped = %(reason)s, opted_out = opted_out or %(opted_out)s where name = %(host)s

-- allow_host --
update host set stopped = null, cooldown_until = null, note = null where name = %(host)s

-- set_delay --
update host set delay_seconds = %(delay_seconds)s where name = any (%(hosts)s)

-- depth --
-- |Phi|: productive URLs waiting, and hosts with some.
select coalesce(sum(waiting), 0)::bigint as urls, count(*) as hosts from host where waiting > 0 and stopped is null

-- states --
select state, count(*) as urls from frontier group by state

-- ends --
select coalesce(reason, '') as reason, state, count(*) as urls from frontier where state in ('refused', 'failed')
group by 1, 2 order by 3 desc, 1 limit 50

-- hosts --
select name, domain, coalesce(delay_seconds, %(default_delay)s::float8) as delay_seconds, waiting, pages, stopped, cooldown_until, failures, note, opted_out
from host where name > %(after)s order by name limit %(limit)s

-- stopped_hosts --
select count(*) filter (where stopped is not null) as stopped, count(*) filter (where cooldown_until > lumbung_now()) as cooling from host where waiting > 0

-- find --
select * from frontier where url_key = %(key)s

-- offspring --
select new_links from offspring order by document desc limit %(limit)s

-- give_back --
-- What a worker still holds of a host goes back, unasked and without counting as a try.
with back as (
    update frontier set state = 'waiting', attempts = greatest(0, attempts - 1), lease = null, leased_until = null
    where host = %(host)s and lease = %(lease)s and state = 'leased' returning priority
)
update host set waiting = waiting + (select count(*) from back), best = greatest(best, coalesce((select max(priority) from back), best))
where name = %(host)s

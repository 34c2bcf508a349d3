-- Hosts: their slot, their lease, their wishes, and what the curator should know of them. Owned by the crawl stage.

-- know --
-- Hosts that are not known yet; a host's own row holds its delay, its slot and its budget.
insert into host (name, domain)
select name, domain from unnest(%(names)b::text[], %(domains)b::text[]) as h (name, domain)
where not exists (select 1 from host where host.name = h.name)
order by name
on conflict (name) do nothing

-- renew --
-- A living crawler keeps its hosts; one that comes too late, or whose host was stopped, has lost them.
-- A row that a transaction has in hand is not waited for, because that one may wait for another of these: it is held, and renewed the next time.
with now as materialized (
    select lumbung_now() as at, clock_timestamp() as wall
), held as (
    select name from host, now
    where name = any (%(hosts)s) and leased_by = %(lease)s and (leased_until > now.at or leased_wall > now.wall) and stopped is null
), at_hand as (
    select name from host where name in (select name from held) and leased_by = %(lease)s for update skip locked
), renewed as (
    update host set leased_until = now.at + make_interval(secs => %(lease_seconds)s), leased_wall = now.wall + make_interval(secs => %(lease_seconds)s)
    from now where name in (select name from at_hand) returning name
)
select name, name in (select name from renewed) as renewed from held

-- lock --
-- All that a transaction will change, in one order, before it changes the first.
select name from host where name = any (%(hosts)b::text[]) order by name for no key update

-- free --
-- The request has ended: the next slot of the host is its end plus the delay, Eq. (6); a host that fails is asked ever less.
update host set leased_by = null, leased_until = null, leased_wall = null, pages = host.pages + f.pages,
    failures = case when f.failed then failures + 1 else 0 end,
    service_seconds = case when f.service is null then service_seconds else 0.7 * service_seconds + 0.3 * f.service end,
    ended_at = case when f.asked then clock_timestamp() - make_interval(secs => f.ended_ago) else ended_at end,
    blocks = case when f.pages > 0 and not f.failed and not f.blocked then 0 else blocks + f.blocked::int end,
    address = coalesce(f.address::inet, host.address),
    next_slot = lumbung_now() + make_interval(secs => greatest(0, f.wait,
        f.delay * case when f.failed then power(2, least(failures, 6)) else 1 end - f.ended_ago)),
    cooldown_until = case when f.failed and failures + 1 >= %(patience)s
        then greatest(coalesce(cooldown_until, '-infinity'), lumbung_now() + make_interval(secs => %(rest_seconds)s)) else cooldown_until end,
    note = case when f.failed and failures + 1 >= %(patience)s then 'it keeps failing to answer' else note end,
    stopped = case when host.pages + f.pages >= coalesce(page_budget, %(page_budget)s) then coalesce(stopped, 'page budget reached') else stopped end
from unnest(%(hosts)b::text[], %(delays)b::float8[], %(waits)b::float8[], %(pages)b::int[], %(failed)b::bool[], %(asked)b::bool[],
            %(blocked)b::bool[], %(ended_ago)b::float8[], %(service)b::float8[], %(addresses)b::text[])
    as f (name, delay, wait, pages, failed, asked, blocked, ended_ago, service, address)
where host.name = f.name and host.leased_by = %(lease)s
returning host.name, host.blocks, host.failures, host.stopped

-- release_expired --
-- Hosts of workers that died: their URLs wait again, and their slot counts from the end of the lease.
-- Both clocks must agree that it has ended: the beaten one may stand still and then leap, the other may be set.
with expired as (
    select name, leased_until, leased_wall, host_delay_now(host, %(run_hosts)s, %(run_delay)s, %(default_delay)s) as delay
    from host where leased_by is not null and leased_until <= lumbung_now()
      and (leased_wall is null or leased_wall <= clock_timestamp() or leased_until <= lumbung_now() - interval '10 minutes')
    for update skip locked
), back as (
    update frontier set state = 'waiting', lease = null from expired
    where frontier.host = expired.name and frontier.state = 'leased' returning frontier.host, frontier.priority
), by_host as (
    select host, count(*) as urls, max(priority) as best from back group by host
)
update host set leased_by = null, leased_until = null, leased_wall = null, ended_at = expired.leased_wall,
    next_slot = greatest(host.next_slot, expired.leased_until + make_interval(secs => expired.delay)),
    waiting = host.waiting + coalesce(by_host.urls, 0), best = greatest(host.best, coalesce(by_host.best, host.best))
from expired left join by_host on by_host.host = expired.name where host.name = expired.name

-- borrow --
-- One host by name, for a file that another host's redirect names; its slot and its lease bind as ever.
update host set leased_by = %(lease)s, leased_until = now.at + make_interval(secs => %(lease_seconds)s),
    leased_wall = now.wall + make_interval(secs => %(lease_seconds)s)
from (select lumbung_now() as at, clock_timestamp() as wall) now
where name = %(host)s and stopped is null and leased_by is null and next_slot <= now.at
  and (quiet_from is null or not host_is_quiet(quiet_from, quiet_until, quiet_zone, now.at, now.wall))
  and (cooldown_until is null or cooldown_until <= now.at)
  and (ended_at is null or now.wall < ended_at or now.wall >= ended_at
       + make_interval(secs => host_delay_now(host, %(run_hosts)s, %(run_delay)s, %(default_delay)s)))
returning host_delay_now(host, %(run_hosts)s, %(run_delay)s, %(default_delay)s) as delay

-- next_slot --
-- Seconds until some host of a lane with room may be asked or some lease runs out; null when nothing waits.
select extract(epoch from min(greatest(next_slot, cooldown_until, leased_until, lumbung_now())) - lumbung_now())::float8 as seconds
from host where ((waiting > 0 and (%(rooms)s::int[])[host_lane(host, %(prompt_seconds)s)] > 0) or leased_by is not null) and stopped is null
  and (quiet_from is null or leased_by is not null or not host_is_quiet(quiet_from, quiet_until, quiet_zone, lumbung_now(), clock_timestamp()))

-- slot_of --
-- Seconds until this host may be asked, as far as that is known; a quiet hour has no end that is.
select case when host_is_quiet(quiet_from, quiet_until, quiet_zone, lumbung_now(), clock_timestamp()) then 'infinity'::float8
    else extract(epoch from greatest(next_slot, cooldown_until, lumbung_now()) - lumbung_now())::float8
    end as seconds from host where name = %(host)s

-- stop_reason --
select case when opted_out then 'its owner opted out' else stopped end as reason from host where name = %(host)s and (opted_out or stopped is not null)

-- policies --
-- What these hosts say to crawlers, as far as it is still fresh.
select host, origin, name, status, body, extract(epoch from until - lumbung_now())::float8 as seconds_left
from host_policy where host = any (%(hosts)s) and until > lumbung_now()

-- keep_policies --
insert into host_policy (origin, name, host, status, body, until)
select origin, name, host, status, body, lumbung_now() + make_interval(secs => seconds)
from unnest(%(origins)b::text[], %(names)b::text[], %(hosts)b::text[], %(statuses)b::int[], %(bodies)b::bytea[], %(seconds)b::float8[])
    as p (origin, name, host, status, body, seconds)
on conflict (origin, name) do update set status = excluded.status, body = excluded.body, until = excluded.until

-- set_robots_delays --
update host set robots_delay_seconds = d.delay from unnest(%(hosts)b::text[], %(delays)b::float8[]) as d (name, delay) where host.name = d.name

-- forget_policies --
delete from host_policy where host = %(host)s

-- cool_down --
update host set cooldown_until = greatest(coalesce(cooldown_until, '-infinity'), lumbung_now() + make_interval(secs => %(seconds)s)),
    note = %(reason)s where name = %(host)s

-- stop --
update host set stopped = %(reason)s, opted_out = opted_out or %(opted_out)s where name = any (%(hosts)s)

-- allow --
update host set stopped = null, cooldown_until = null, note = null, blocks = 0, failures = 0, mirror_of = null
where name = any (%(hosts)s)

-- set_delay --
update host set delay_seconds = %(delay_seconds)s where name = any (%(hosts)s)

-- set_quiet --
update host set quiet_from = %(begins)s, quiet_until = %(ends)s, quiet_zone = %(zone)s where name = any (%(hosts)s)

-- is_stopped --
select exists (select 1 from host where name = %(host)s and stopped is not null) as stopped

-- of_domain --
select name from host where name = %(name)s or domain = %(name)s order by name

-- list --
select name, domain, host_delay(delay_seconds, robots_delay_seconds, service_seconds, %(default_delay)s::float8) as delay_seconds, waiting, pages,
    stopped, cooldown_until, failures, note, opted_out, mirror_of, service_seconds, yield_sum, quiet_from, quiet_until, quiet_zone
from host where name > %(after)s order by name limit %(limit)s

-- stopped --
select count(*) filter (where stopped is not null) as stopped,
    count(*) filter (where stopped is null and cooldown_until > lumbung_now()) as cooling,
    count(*) filter (where stopped is null and quiet_from is not null
                     and host_is_quiet(quiet_from, quiet_until, quiet_zone, lumbung_now(), clock_timestamp())) as quiet
from host where waiting > 0

-- stops --
-- Why hosts with waiting URLs are not asked.
select coalesce(stopped, note, 'cooling down') as reason, count(*) as hosts, sum(waiting)::bigint as urls from host
where waiting > 0 and (stopped is not null or cooldown_until > lumbung_now()) group by 1 order by 3 desc, 1 limit 50

-- notice --
insert into crawl_notice (kind, host, text) values (%(kind)s, %(host)s, %(text)s)
on conflict on constraint an_open_notice_stands_once do update set times = crawl_notice.times + 1, text = excluded.text, at = clock_timestamp()

-- notices --
select id, kind, host, text, times, at from crawl_notice where closed_at is null order by at desc limit %(limit)s

-- close_notices --
update crawl_notice set closed_at = clock_timestamp() where host = any (%(hosts)s) and closed_at is null

-- count_shapes --
insert into host_shape (host, shape, pages, yielding)
select host, shape, sum(pages), sum(yielding) from unnest(%(hosts)b::text[], %(shapes)b::text[], %(pages)b::int[], %(yielding)b::int[])
    as s (host, shape, pages, yielding) group by host, shape order by host, shape
on conflict (host, shape) do update set pages = host_shape.pages + excluded.pages, yielding = host_shape.yielding + excluded.yielding

-- shapes --
-- Patterns that had a trial, the poorest first.
select host, shape, pages, yielding from host_shape where pages >= %(trial)s order by yielding::float8 / pages, shape limit 10000

-- cite --
insert into cited_host (host, domain, links, first_page)
select host, domain, sum(links), min(page) from unnest(%(hosts)b::text[], %(domains)b::text[], %(links)b::int[], %(pages)b::text[])
    as c (host, domain, links, page) group by host, domain order by host
on conflict (host) do update set links = cited_host.links + excluded.links

-- suggestions --
-- Often cited, never seeded: for the curator to judge.
select c.host, c.links, c.first_page from cited_host c
where not c.dismissed and c.links >= %(least)s
  and not exists (select 1 from frontier f join host h on h.name = f.host where h.domain = c.domain and f.depth = 0)
order by c.links desc, c.host limit %(limit)s

-- twins --
-- Pairs of hosts that show the same bytes under the same paths, the newer host first.
with recent as (
    select id, host, digest, split_part(url, host, 2) as path from document where id > %(since)s and erased_at is null
), pairs as (
    select r.host, other.host as other, count(*) as same
    from recent r join document other on other.digest = r.digest and other.host <> r.host and other.id < r.id
    where split_part(other.url, other.host, 2) = r.path
    group by 1, 2 having count(*) >= %(least)s
)
select p.host, p.other, p.same from pairs p join host h on h.name = p.host where h.stopped is null

-- paths --
select split_part(url, host, 2) as path, digest from document where host = %(host)s and erased_at is null limit 2000

-- become_mirror --
update host set mirror_of = %(other)s, stopped = %(reason)s where name = %(host)s

-- Breakers: one state for all workers. Owned by the providers.

-- look --
select state, greatest(extract(epoch from rest_until - lumbung_now()), 0)::float8 as rest_seconds,
    greatest(extract(epoch from open_until - lumbung_now()), 0)::float8 as open_seconds
from breaker where capability = %(capability)s and provider = %(provider)s

-- take_probe --
-- One worker wins; the others find the time moved on. A probe that never reports back leaves its place to the next one.
update breaker set state = 'half-open', probe = %(probe)s, open_until = lumbung_now() + make_interval(secs => %(hold_seconds)s),
    changed_at = clock_timestamp()
where capability = %(capability)s and provider = %(provider)s and state <> 'closed' and open_until <= lumbung_now()
returning probe

-- fail --
-- A failure of an ordinary call; the last of so many in a row opens the breaker. What arrives once it is open changes nothing.
insert into breaker as b (capability, provider, failures, state, open_until, reason)
values (%(capability)s, %(provider)s, 1, case when %(limit)s <= 1 then 'open' else 'closed' end,
    lumbung_now() + make_interval(secs => %(cooldown_seconds)s), %(reason)s)
on conflict (capability, provider) do update set failures = b.failures + 1, reason = excluded.reason,
    state = case when b.failures + 1 >= %(limit)s then 'open' else b.state end, open_until = excluded.open_until, changed_at = clock_timestamp()
where b.state = 'closed'
returning state

-- fail_probe --
update breaker set state = 'open', probe = null, failures = failures + 1, reason = %(reason)s, changed_at = clock_timestamp(),
    open_until = lumbung_now() + make_interval(secs => %(cooldown_seconds)s)
where capability = %(capability)s and provider = %(provider)s and probe = %(probe)s

-- succeed --
update breaker set failures = 0, reason = null where capability = %(capability)s and provider = %(provider)s and state = 'closed' and failures > 0

-- succeed_probe --
update breaker set state = 'closed', probe = null, failures = 0, open_until = null, reason = null, changed_at = clock_timestamp()
where capability = %(capability)s and provider = %(provider)s and probe = %(probe)s
returning state

-- hand_back --
-- The probe was not made after all: the next one may, at once.
update breaker set state = 'open', probe = null, open_until = lumbung_now()
where capability = %(capability)s and provider = %(provider)s and probe = %(probe)s

-- rest --
insert into breaker as b (capability, provider, rest_until, reason)
values (%(capability)s, %(provider)s, lumbung_now() + make_interval(secs => %(seconds)s), %(reason)s)
on conflict (capability, provider) do update set rest_until = greatest(b.rest_until, excluded.rest_until), reason = excluded.reason

-- all --
select capability, provider, state, failures, reason, changed_at, greatest(extract(epoch from open_until - lumbung_now()), 0)::float8 as open_seconds,
    greatest(extract(epoch from rest_until - lumbung_now()), 0)::float8 as rest_seconds
from breaker order by capability, provider

-- down --
-- Whether every provider of a capability has an open breaker, and whether a cooldown has ended.
select count(*) = cardinality(%(providers)s::text[]) as down, coalesce(bool_or(open_until <= lumbung_now()), false) as probe_is_due
from breaker where capability = %(capability)s and provider = any (%(providers)s) and state <> 'closed'

-- parked --
select exists (select 1 from job where state = 'parked' and capability = %(capability)s) as parked

-- wake_one --
-- One parked job goes out as the probe.
with woken as (
    update job set state = 'ready', attempts = 0, capability = null, reason = null
    where id = (select id from job where state = 'parked' and capability = %(capability)s order by id limit 1 for update skip locked)
    returning id, stage
)
insert into outbox (stage, jobs) select stage, array_agg(id) from woken group by stage

-- Money: reservations, what became of them, and the windows they count in. Owned by the providers.

-- reserve --
select reservation, full_window, cap_micros, wait_seconds
from budget_reserve(%(stage)s, %(provider)s, %(model)s, %(job)s, %(micros)s, %(lease_seconds)s)

-- begin --
select budget_begin(%(reservation)s) as begun

-- settle --
select budget_settle(%(reservation)s, %(micros)s, %(input_tokens)s, %(output_tokens)s) as outcome

-- release --
select budget_release(%(reservation)s) as released

-- install --
-- The settings' caps; governed rows win over them.
update budget_window set cap_micros = %(cap_micros)s where name = %(name)s and cap_micros <> %(cap_micros)s

-- windows --
-- Each window as it stands: its cap in force, what was spent in it, and what is in flight.
select w.name, w.scope as stage, extract(epoch from w.width)::float8 as seconds, w.cap_micros,
    coalesce((select sum(s.spent_micros) from spend s where s.spent_at > c.reached - w.width and (w.scope = '*' or s.stage = w.scope)), 0)::bigint as spent_micros,
    coalesce((select sum(s.reserved_micros) from spend s where s.state in ('reserved', 'begun') and (w.scope = '*' or s.stage = w.scope)), 0)::bigint as reserved_micros
from budget_clock c, budget_limits(%(stage)s) w
order by w.width, w.scope

-- itemised --
-- What was spent since a time, by stage, model and job.
select stage, provider, model, job, count(*) as calls, sum(spent_micros)::bigint as micros,
    sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens
from spend where spent_at > lumbung_now() - make_interval(secs => %(seconds)s)
group by stage, provider, model, job order by micros desc, stage, model, job limit %(limit)s

-- by_stage --
-- What each stage spent with each model since a time.
select stage, provider, model, count(*) as calls, sum(spent_micros)::bigint as micros,
    sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens
from spend where spent_at > lumbung_now() - make_interval(secs => %(seconds)s)
group by stage, provider, model order by micros desc, stage, model

-- alarms --
select id, kind, subject, detail, at from alarm where acknowledged_at is null order by id desc limit %(limit)s

-- acknowledge --
update alarm set acknowledged_at = clock_timestamp(), acknowledged_by = %(person)s where id = %(id)s and acknowledged_at is null

-- Stages, workers and the clock. Owned by the runtime.

-- beat --
select lumbung_beat(%(boot)s, %(uptime_seconds)s) as now

-- now --
select lumbung_now() as now

-- all --
select name, paused_reason, extract(epoch from paused_until - lumbung_now())::float8 as seconds_left from stage
order by array_position(array['crawl', 'extract', 'encode', 'decide', 'publish', 'steward'], name), name

-- pause --
update stage set paused_reason = %(reason)s,
    paused_until = case when %(seconds)s::float8 is null then null else lumbung_now() + make_interval(secs => %(seconds)s::float8) end
where name = %(stage)s

-- resume --
update stage set paused_reason = null, paused_until = null where name = %(stage)s

-- resume_due --
update stage set paused_reason = null, paused_until = null where paused_until <= lumbung_now() returning name

-- see_worker --
insert into worker (id, stages, host, pid, state) values (%(id)s, %(stages)s, %(host)s, %(pid)s, %(state)s)
on conflict (id) do update set seen_at = clock_timestamp(), state = excluded.state

-- workers --
select id, stages, host, pid, state, started_at, seen_at from worker
where seen_at > clock_timestamp() - interval '1 minute' and state <> 'stopped' order by started_at

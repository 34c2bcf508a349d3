-- Jobs and the outbox. Owned by the runtime.

-- add --
-- Queues jobs that are not known yet, and one outbox row for those of each stage.
with wanted as (
    select * from unnest(%(stages)s::text[], %(keys)s::text[], %(payloads)s::jsonb[], %(traces)s::text[]) as w (stage, key, payload, trace)
), added as (
    insert into job (stage, key, payload, trace)
    select stage, key, payload, trace from wanted
    on conflict (stage, key) do nothing
    returning id, stage
), cut as (
    select stage, id, (row_number() over (partition by stage order by id) - 1) / %(batch)s as slice from added
)
insert into outbox (stage, jobs)
select stage, array_agg(id order by id) from cut group by stage, slice

-- add_later --
-- A job that waits from the beginning.
insert into job (stage, key, payload, state, due)
values (%(stage)s, %(key)s, %(payload)s, 'waiting', lumbung_now() + make_interval(secs => %(delay_seconds)s))
on conflict (stage, key) do nothing

-- add_parked --
-- Jobs that cannot be done before a capability is there.
insert into job (stage, key, payload, trace, state, capability, reason)
select stage, key, payload, trace, 'parked', %(capability)s, %(reason)s
from unnest(%(stages)s::text[], %(keys)s::text[], %(payloads)s::jsonb[], %(traces)s::text[]) as w (stage, key, payload, trace)
on conflict (stage, key) do nothing

-- open --
-- The jobs of a message that are this stage's and still to be done; a forged or foreign message names none. Found by their ids
-- whatever the statistics say: a planner that knows of no such jobs yet would walk through all that wait in the stage.
select id, stage, key, payload, attempts, trace from job
where id = any (%(ids)s) and stage || '' = %(stage)s and state || '' = 'ready' order by id

-- finish --
-- Locks the jobs that are still to be done, in one order, so that one commit wins; its effects follow in the same transaction.
with ours as (
    select id from job where id = any (%(ids)s) and state || '' = 'ready' order by id for update
)
update job set state = 'done', reason = null from ours where job.id = ours.id returning job.id

-- retry_later --
-- Backoff, Eq. (21).
update job set state = 'waiting', attempts = attempts + 1, reason = %(reason)s,
    due = lumbung_now() + make_interval(secs => %(delay_seconds)s)
where id = %(id)s and state = 'ready'

-- hold_back --
-- The budget's window has no room: the job waits without having used up a try.
update job set state = 'waiting', reason = %(reason)s, due = lumbung_now() + make_interval(secs => %(delay_seconds)s)
where id = %(id)s and state = 'ready'

-- bury --
update job set state = 'dead', attempts = attempts + 1, reason = %(reason)s where id = %(id)s and state = 'ready'

-- park --
update job set state = 'parked', capability = %(capability)s, reason = %(reason)s where id = %(id)s and state = 'ready'

-- refuse --
update job set state = 'done', reason = %(reason)s where id = %(id)s and state = 'ready'

-- wake_due --
-- Jobs whose backoff has passed go to the outbox again.
with due as (
    select id, stage from job where state = 'waiting' and due <= lumbung_now() order by due limit 500 for update skip locked
), woken as (
    update job set state = 'ready', due = null from due where job.id = due.id returning job.id, job.stage
)
insert into outbox (stage, jobs) select stage, array_agg(id order by id) from woken group by stage

-- next_due --
select extract(epoch from min(due) - lumbung_now())::float8 as seconds from job where state = 'waiting'

-- unpark --
with ready as (
    update job set state = 'ready', attempts = 0, capability = null, reason = null
    where state = 'parked' and capability = %(capability)s returning id, stage
)
insert into outbox (stage, jobs) select stage, array_agg(id order by id) from ready group by stage

-- redrive --
-- Dead letters back to work, by selection.
with ready as (
    update job set state = 'ready', attempts = 0, reason = null
    where state = 'dead' and (%(ids)s::bigint[] is null or id = any (%(ids)s))
      and (%(stage)s::text is null or stage = %(stage)s)
      and (%(reason)s::text is null or reason ilike '%%' || %(reason)s || '%%')
    returning id, stage
), sent as (
    insert into outbox (stage, jobs) select stage, array_agg(id order by id) from ready group by stage
)
select count(*) as jobs from ready

-- dead --
select id, stage, key, payload, attempts, reason, created_at from job
where state = 'dead' and (%(stage)s::text is null or stage = %(stage)s) and id > %(after)s order by id limit %(limit)s

-- dead_one --
select id, stage, key, payload, attempts, reason, trace, created_at from job where state = 'dead' and id = %(id)s

-- unsent --
-- What the relay sends next; the lock keeps two relays apart.
select id, stage, jobs from outbox order by id limit %(limit)s for update skip locked

-- sent --
delete from outbox where id = any (%(ids)s)

-- ready_of --
-- Ready jobs of a stage: what the reconciler compares with the broker.
select id from job where stage = %(stage)s and state = 'ready' order by id limit %(limit)s

-- ready_count --
-- How many wait in a stage, counted no further than this.
select count(*) as jobs from (select 1 from job where stage = %(stage)s and state = 'ready' limit %(limit)s) ready

-- outbox_holds --
select exists (select 1 from outbox where stage = %(stage)s) as holds

-- resend --
-- Jobs that the broker lost go to the outbox again, if they are still to be done.
with lost as (
    select id from job where id = any (%(ids)s) and state || '' = 'ready' order by id
), cut as (
    select id, (row_number() over (order by id) - 1) / %(batch)s as slice from lost
), sent as (
    insert into outbox (stage, jobs) select %(stage)s, array_agg(id order by id) from cut group by slice
)
select count(*) as jobs from lost

-- unsent_counts --
-- Messages that the relay has not brought to the broker yet.
select stage, count(*) as messages from outbox group by stage

-- counts --
-- State by state, each along its own index, since nearly all jobs are done.
select stage, 'ready' as state, count(*) as jobs from job where state = 'ready' group by stage
union all select stage, 'waiting', count(*) from job where state = 'waiting' group by stage
union all select stage, 'parked', count(*) from job where state = 'parked' group by stage
union all select stage, 'dead', count(*) from job where state = 'dead' group by stage

-- unfinished --
-- Does anything hold `--until-dry`? Parked and dead jobs do not; neither do jobs of paused stages.
select (exists (select 1 from outbox)
    or exists (select 1 from job j join stage s on s.name = j.stage where j.state = 'ready' and s.paused_reason is null)
    or exists (select 1 from job j join stage s on s.name = j.stage where j.state = 'waiting' and s.paused_reason is null)) as busy

-- figure --
insert into stage_figure (stage, hour, outcome, jobs, busy_seconds)
values (%(stage)s, date_trunc('hour', clock_timestamp()), %(outcome)s, %(jobs)s, %(busy_seconds)s)
on conflict (stage, hour, outcome) do update
set jobs = stage_figure.jobs + excluded.jobs, busy_seconds = stage_figure.busy_seconds + excluded.busy_seconds

-- figures --
select stage, outcome, sum(jobs)::bigint as jobs, sum(busy_seconds)::float8 as busy_seconds from stage_figure group by stage, outcome order by stage, outcome

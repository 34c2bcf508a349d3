-- The clock, the stages, their jobs and the outbox. Owned by the runtime.

create table clock (
    singleton boolean primary key default true check (singleton),
    logical timestamptz not null,
    beat_at timestamptz not null
);
comment on table clock is 'One time for money and politeness: it moves only by the uptime of machines that beat, never by a jump of a wall clock.';
insert into clock (logical, beat_at) values (clock_timestamp(), clock_timestamp());

create table clock_beat (
    boot text primary key,
    uptime_seconds double precision not null,
    logical timestamptz not null
);

-- Between two beats the reading runs on with the database's wall clock, but at most two seconds.
create function lumbung_now() returns timestamptz language sql stable security definer set search_path = public as $$
    select logical + least(greatest(clock_timestamp() - beat_at, interval '0'), interval '2 seconds') from clock
$$;

create function lumbung_beat(machine_boot text, uptime double precision) returns timestamptz
language plpgsql security definer set search_path = public as $$
declare
    known clock_beat;
    reached timestamptz;
begin
    select logical into reached from clock for update;
    select * into known from clock_beat where boot = machine_boot;
    if found and uptime >= known.uptime_seconds then
        reached := greatest(reached, known.logical + make_interval(secs => uptime - known.uptime_seconds));
    end if;
    insert into clock_beat (boot, uptime_seconds, logical) values (machine_boot, uptime, reached)
    on conflict (boot) do update set uptime_seconds = excluded.uptime_seconds, logical = excluded.logical;
    update clock set logical = reached, beat_at = clock_timestamp();
    return reached;
end
$$;

create table stage (
    name text primary key check (name in ('crawl', 'extract', 'encode', 'decide', 'publish', 'steward')),
    paused_reason text,
    paused_until timestamptz
);
insert into stage (name) values ('crawl'), ('extract'), ('encode'), ('decide'), ('publish'), ('steward');

create table job (
    id bigint generated always as identity primary key,
    stage text not null references stage (name),
    key text not null,
    payload jsonb not null default '{}',
    state text not null default 'ready' check (state in ('ready', 'waiting', 'parked', 'dead', 'done')),
    attempts integer not null default 0 check (attempts >= 0),
    due timestamptz,
    capability text,
    reason text,
    version integer not null default 1,
    trace text,
    created_at timestamptz not null default clock_timestamp(),
    constraint a_job_is_queued_once unique (stage, key),
    constraint waiting_has_a_time check (state <> 'waiting' or due is not null),
    constraint parked_names_its_capability check (state <> 'parked' or capability is not null),
    constraint dead_has_a_reason check (state <> 'dead' or reason is not null)
);
create index job_ready on job (stage, id) where state = 'ready';
create index job_due on job (due) where state = 'waiting';
create index job_parked on job (capability) where state = 'parked';
create index job_dead on job (stage, id) where state = 'dead';

create table outbox (
    id bigint generated always as identity primary key,
    stage text not null references stage (name),
    jobs bigint[] not null check (cardinality(jobs) > 0),
    trace text
);

create table worker (
    id uuid primary key,
    stages text[] not null,
    host text not null,
    pid integer not null,
    started_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp(),
    state text not null default 'running'
);

create table stage_figure (
    stage text not null references stage (name),
    hour timestamptz not null,
    outcome text not null,
    jobs bigint not null default 0,
    busy_seconds double precision not null default 0,
    primary key (stage, hour, outcome)
);
comment on table stage_figure is 'What each stage did, by hour and outcome: the measured rates of the funnel.';

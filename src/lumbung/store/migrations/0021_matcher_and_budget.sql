-- What each training of the matcher came to: written once by the steward, read by people. Owned by governance.

create table matcher_trial (
    id bigint generated always as identity primary key,
    seen text not null unique,
    verdict text not null check (verdict in ('better', 'no better', 'too few labels')),
    figures jsonb not null,
    model jsonb not null,
    at timestamptz not null default clock_timestamp()
);
comment on table matcher_trial is 'One row for each state of people''s verdicts about pairs: the model they teach, and whether it beats what is in force.';
comment on column matcher_trial.seen is 'Which verdicts and which version in force the trial rests on; the same are not tried twice.';

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant select on matcher_trial to %I, %I', machine, people);
    execute format('grant insert on matcher_trial to %I', machine);
end
$$;

-- The ledger's time, when the database's clock jumps between two beats: what is spent is stamped with the latest time that it can
-- be, and leaves a window only when beats have carried the clock past it. The reading alone may run two seconds ahead.
create or replace function budget_time() returns timestamptz language plpgsql as $$
declare
    now_reached timestamptz;
begin
    perform pg_advisory_xact_lock(7231003);
    update budget_clock set reached = greatest(reached, (select logical + case when clock_timestamp() < beat_at then interval '2 seconds'
        else least(clock_timestamp() - beat_at, interval '2 seconds') end from clock)) returning reached into now_reached;
    return now_reached;
end
$$;

create or replace function budget_reserve(for_stage text, by_provider text, of_model text, for_job text, micros bigint, lease_seconds double precision,
    out reservation bigint, out full_window text, out cap_micros bigint, out wait_seconds double precision)
language plpgsql security definer set search_path = public as $$
declare
    at timestamptz;
    sure timestamptz;
    cap record;
    used bigint;
    flying bigint;
begin
    if micros is null or micros < 0 then
        raise exception 'a reservation is not negative' using errcode = 'check_violation';
    end if;
    at := budget_time();
    select least(at, logical) into sure from clock;
    perform budget_expire(at);
    if micros > 0 then
        for cap in select * from budget_limits(for_stage) loop
            used := budget_slide(cap.name, cap.scope, sure - cap.width);
            select coalesce(sum(s.reserved_micros), 0) into flying from spend s
            where s.state in ('reserved', 'begun') and (cap.scope = '*' or s.stage = cap.scope);
            if used + flying + micros > cap.cap_micros then
                full_window := cap.name;
                cap_micros := cap.cap_micros;
                wait_seconds := budget_wait(cap.scope, cap.width, sure, used + flying + micros - cap.cap_micros);
                return;
            end if;
        end loop;
    end if;
    insert into spend (stage, provider, model, job, reserved_micros, reserved_at, expires_at)
    select for_stage, by_provider, of_model, for_job, micros, at,
        at + make_interval(secs => least(greatest(lease_seconds, 0.1), (select min(seconds) / 10 from budget_window)))
    returning id into reservation;
end
$$;

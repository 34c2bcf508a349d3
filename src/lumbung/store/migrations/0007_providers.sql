-- Money, breakers, alarms and remembered answers. Owned by the providers' side of the runtime.
-- Spending has one way in: the functions below. No login may write these tables by hand.

create table alarm (
    id bigint generated always as identity primary key,
    kind text not null,
    subject text not null,
    detail jsonb not null default '{}',
    at timestamptz not null default clock_timestamp(),
    acknowledged_at timestamptz,
    acknowledged_by bigint references person (id)
);
create index alarm_open on alarm (id) where acknowledged_at is null;

create table budget_window (
    name text primary key check (name ~ '^[a-z]+$'),
    seconds double precision not null check (seconds > 0),
    cap_micros bigint not null check (cap_micros >= 0)
);
comment on table budget_window is 'Caps from the settings; the governed rows budget.<name>_micros and budget.share.<stage> win over them.';
insert into budget_window (name, seconds, cap_micros)
values ('hour', 3600, 500000), ('day', 86400, 2000000), ('month', 2592000, 30000000);

create table budget_clock (
    singleton boolean primary key default true check (singleton),
    reached timestamptz not null
);
comment on table budget_clock is 'The ledger never reads a time earlier than one it has used: a step back of the clock opens no window twice.';
insert into budget_clock (reached) values (lumbung_now());

create table spend (
    id bigint generated always as identity primary key,
    stage text not null references stage (name),
    provider text not null,
    model text not null,
    job text not null,
    reserved_micros bigint not null check (reserved_micros >= 0),
    state text not null default 'reserved' check (state in ('reserved', 'begun', 'settled', 'released', 'expired', 'assumed')),
    reserved_at timestamptz not null,
    expires_at timestamptz not null,
    spent_micros bigint check (spent_micros >= 0),
    spent_at timestamptz,
    input_tokens bigint not null default 0 check (input_tokens >= 0),
    output_tokens bigint not null default 0 check (output_tokens >= 0),
    constraint what_is_spent_has_a_time check ((state in ('settled', 'assumed')) = (spent_at is not null and spent_micros is not null))
);
comment on column spend.state is 'expired: never begun, given back. assumed: begun and never settled, so taken as spent in full until somebody knows better.';
create index spend_in_flight on spend (expires_at) where state in ('reserved', 'begun');
create index spend_by_time on spend (spent_at) include (stage, spent_micros) where spent_at is not null;

create table budget_tally (
    window_name text not null references budget_window (name) on delete cascade,
    stage text not null,
    spent_micros bigint not null,
    tail timestamptz not null,
    primary key (window_name, stage)
);
comment on table budget_tally is 'Running sums of what was spent after the tail, by window and stage (* for all): sliding costs only what leaves.';

create function budget_forget_tally() returns trigger language plpgsql as $$
begin
    delete from budget_tally where window_name = new.name;
    return new;
end
$$;
create trigger a_changed_window_is_summed_again after update of seconds on budget_window
    for each row execute function budget_forget_tally();

create function budget_time() returns timestamptz language plpgsql as $$
declare
    now_reached timestamptz;
begin
    perform pg_advisory_xact_lock(7231003);
    update budget_clock set reached = greatest(reached, lumbung_now()) returning reached into now_reached;
    return now_reached;
end
$$;
comment on function budget_time is 'Takes the ledger''s lock and reads its time; every change of the ledger starts here.';

create function budget_tally_add(at_stage text, since timestamptz, micros bigint) returns void language sql as $$
    update budget_tally set spent_micros = spent_micros + micros where stage in ('*', at_stage) and tail < since
$$;

create function budget_expire(at timestamptz) returns void language plpgsql as $$
declare
    orphan spend;
begin
    for orphan in select * from spend where state in ('reserved', 'begun') and expires_at <= at for update loop
        if orphan.state = 'reserved' then
            update spend set state = 'expired' where id = orphan.id;
        else
            update spend set state = 'assumed', spent_micros = reserved_micros, spent_at = at where id = orphan.id;
            perform budget_tally_add(orphan.stage, at, orphan.reserved_micros);
        end if;
    end loop;
end
$$;

create function budget_slide(name text, at_stage text, edge timestamptz) returns bigint language plpgsql as $$
declare
    known budget_tally;
    gone bigint;
begin
    select * into known from budget_tally t where t.window_name = name and t.stage = at_stage;
    if not found then
        insert into budget_tally values (name, at_stage, coalesce((select sum(s.spent_micros) from spend s
            where s.spent_at > edge and (at_stage = '*' or s.stage = at_stage)), 0), edge) returning spent_micros into gone;
        return gone;
    end if;
    if edge > known.tail then
        select coalesce(sum(s.spent_micros), 0) into gone from spend s
        where s.spent_at > known.tail and s.spent_at <= edge and (at_stage = '*' or s.stage = at_stage);
        update budget_tally t set spent_micros = t.spent_micros - gone, tail = edge
        where t.window_name = name and t.stage = at_stage returning t.spent_micros into known.spent_micros;
    end if;
    return known.spent_micros;
end
$$;

create function budget_wait(at_stage text, width interval, at timestamptz, need bigint) returns double precision language plpgsql as $$
declare
    freed bigint := 0;
    leaving record;
begin
    for leaving in select s.spent_at, s.spent_micros from spend s
        where s.spent_at > at - width and (at_stage = '*' or s.stage = at_stage) order by s.spent_at limit 1000 loop
        freed := freed + leaving.spent_micros;
        if freed >= need then
            return extract(epoch from leaving.spent_at + width - at);
        end if;
    end loop;
    return coalesce(extract(epoch from (select min(expires_at) from spend where state in ('reserved', 'begun')) - at), 60);
end
$$;
comment on function budget_wait is 'Seconds until enough leaves the window, or until what is in flight settles at the latest.';

create function budget_limits(of_stage text)
returns table (name text, width interval, scope text, cap_micros bigint) language sql stable as $$
    with cap as (
        select w.name, make_interval(secs => w.seconds) as width,
            coalesce((select (g.value #>> '{}')::numeric::bigint from governed_now g where g.name = 'budget.' || w.name || '_micros'), w.cap_micros) as micros
        from budget_window w
    ), share as (
        select (g.value #>> '{}')::numeric as part from governed_now g where g.name = 'budget.share.' || of_stage
    )
    select cap.name, cap.width, '*', cap.micros from cap
    union all
    select cap.name, cap.width, of_stage, floor(cap.micros * share.part)::bigint from cap, share
$$;

create function budget_reserve(for_stage text, by_provider text, of_model text, for_job text, micros bigint, lease_seconds double precision,
    out reservation bigint, out full_window text, out cap_micros bigint, out wait_seconds double precision)
language plpgsql security definer set search_path = public as $$
declare
    at timestamptz;
    cap record;
    used bigint;
    flying bigint;
begin
    if micros is null or micros < 0 then
        raise exception 'a reservation is not negative' using errcode = 'check_violation';
    end if;
    at := budget_time();
    perform budget_expire(at);
    if micros > 0 then
        for cap in select * from budget_limits(for_stage) loop
            used := budget_slide(cap.name, cap.scope, at - cap.width);
            select coalesce(sum(s.reserved_micros), 0) into flying from spend s
            where s.state in ('reserved', 'begun') and (cap.scope = '*' or s.stage = cap.scope);
            if used + flying + micros > cap.cap_micros then
                full_window := cap.name;
                cap_micros := cap.cap_micros;
                wait_seconds := budget_wait(cap.scope, cap.width, at, used + flying + micros - cap.cap_micros);
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
comment on function budget_reserve is 'Eq. (22) under the ledger''s lock: spent in the window, in flight and this together stay within every cap, or nothing is reserved.';

create function budget_begin(of_reservation bigint) returns boolean
language plpgsql security definer set search_path = public as $$
begin
    update spend set state = 'begun' where id = of_reservation and state = 'reserved';
    return found;
end
$$;
comment on function budget_begin is 'The call goes out now; false when the reservation has expired meanwhile and its room may be somebody else''s.';

create function budget_settle(of_reservation bigint, micros bigint, tokens_in bigint, tokens_out bigint) returns text
language plpgsql security definer set search_path = public as $$
declare
    at timestamptz := budget_time();
    known spend;
    outcome text := 'settled';
begin
    if micros is null or micros < 0 then
        raise exception 'a settlement is not negative' using errcode = 'check_violation';
    end if;
    select * into known from spend where id = of_reservation for update;
    if not found then
        raise exception 'there is no reservation %', of_reservation using errcode = 'check_violation';
    elsif known.state in ('settled', 'released') then
        return 'known';
    end if;
    if known.state = 'assumed' then
        perform budget_tally_add(known.stage, known.spent_at, micros - known.spent_micros);
    else
        perform budget_tally_add(known.stage, at, micros);
    end if;
    update spend set state = 'settled', spent_micros = micros, spent_at = coalesce(known.spent_at, at),
        input_tokens = tokens_in, output_tokens = tokens_out where id = of_reservation;
    if micros > known.reserved_micros or (known.state = 'expired' and micros > 0) then
        outcome := 'overrun';
        insert into alarm (kind, subject, detail) values ('budget.overrun', known.stage, jsonb_build_object('reservation', known.id,
            'job', known.job, 'provider', known.provider, 'model', known.model, 'reserved_micros', known.reserved_micros, 'spent_micros', micros));
        update stage set paused_reason = 'a call cost more than was reserved for it; see the alarms',
            paused_until = at + make_interval(secs => (select min(seconds) from budget_window)) where name = known.stage;
        perform pg_notify('lumbung_stage', '');
    end if;
    return outcome;
end
$$;
comment on function budget_settle is 'What a call really cost. More than was reserved is recorded, raises an alarm and pauses the stage until it has left the shortest window.';

create function budget_release(of_reservation bigint) returns boolean
language plpgsql security definer set search_path = public as $$
declare
    at timestamptz := budget_time();
    known spend;
begin
    select * into known from spend where id = of_reservation and state in ('reserved', 'begun', 'assumed') for update;
    if not found then
        return false;
    end if;
    if known.state = 'assumed' then
        perform budget_tally_add(known.stage, known.spent_at, -known.spent_micros);
    end if;
    update spend set state = 'released', spent_micros = null, spent_at = null where id = of_reservation;
    return true;
end
$$;
comment on function budget_release is 'The other side refused before any work: nothing was spent.';

create table breaker (
    capability text not null,
    provider text not null,
    state text not null default 'closed' check (state in ('closed', 'open', 'half-open')),
    failures integer not null default 0 check (failures >= 0),
    open_until timestamptz,
    rest_until timestamptz,
    probe uuid,
    reason text,
    changed_at timestamptz not null default clock_timestamp(),
    primary key (capability, provider),
    constraint open_has_an_end check (state = 'closed' or open_until is not null),
    constraint half_open_has_one_probe check ((state = 'half-open') = (probe is not null))
);
comment on column breaker.rest_until is 'A rate limit''s Retry-After, shared: no worker asks before it.';

create table inference_cache (
    key text primary key,
    model text not null,
    prompt text not null,
    subject text not null default '',
    answer jsonb not null,
    created_at timestamptz not null default clock_timestamp(),
    used_at timestamptz not null default clock_timestamp()
);
comment on table inference_cache is 'Answers by the digest of everything that made them; the subject lets an erasure find what was said about it.';
create index inference_cache_subject on inference_cache (subject) where subject <> '';

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
    t text;
begin
    foreach t in array array['alarm', 'budget_window', 'budget_clock', 'spend', 'budget_tally', 'breaker', 'inference_cache'] loop
        execute format('grant select on %I to %I, %I', t, machine, people);
    end loop;
    execute format('grant insert, update, delete on breaker, inference_cache to %I, %I', machine, people);
    execute format('grant insert on alarm to %I, %I', machine, people);
    execute format('grant update (acknowledged_at, acknowledged_by) on alarm to %I', people);
    execute format('grant update (seconds, cap_micros) on budget_window to %I', people);
    execute format('grant delete on budget_tally to %I', people);
    execute format('grant usage on all sequences in schema public to %I, %I', machine, people);
    foreach t in array array['budget_time()', 'budget_tally_add(text, timestamptz, bigint)', 'budget_expire(timestamptz)',
        'budget_slide(text, text, timestamptz)', 'budget_wait(text, interval, timestamptz, bigint)'] loop
        execute format('revoke execute on function %s from public', t);
    end loop;
end
$$;

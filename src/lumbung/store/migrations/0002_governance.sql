-- People, their grants, the chained log of actions, and the governed rows. Owned by governance.

create table person (
    id bigint generated always as identity primary key,
    login text unique,
    name text,
    password_hash text,
    totp_secret text,
    machine boolean not null default false,
    erased_at timestamptz,
    created_at timestamptz not null default clock_timestamp()
);
comment on column person.name is 'Blanked when a person asks for erasure; log and labels hold the id alone.';

create table role_grant (
    id bigint generated always as identity primary key,
    person bigint not null references person (id),
    role text not null check (role in ('operator', 'curator', 'approver', 'auditor', 'guardian', 'contributor', 'moderator')),
    scope text not null default '*',
    granted_by bigint references person (id),
    granted_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz,
    revoked_at timestamptz,
    revoked_by bigint references person (id)
);
create index role_grant_of on role_grant (person) where revoked_at is null;

create table action (
    seq bigint primary key,
    at timestamptz not null,
    person bigint references person (id),
    verb text not null,
    subject text not null,
    reason text not null,
    effect jsonb not null,
    previous_hash text not null,
    hash text not null
);
comment on table action is 'Append-only and hash-chained: every change of state that a person or the system made.';

create function action_digest(seq bigint, at timestamptz, person bigint, verb text, subject text, reason text, effect jsonb, previous_hash text)
returns text language sql immutable as $$
    select encode(sha256(convert_to(jsonb_build_array(seq, extract(epoch from at)::numeric(20, 6)::text, person, verb, subject, reason, effect, previous_hash)::text, 'UTF8')), 'hex')
$$;

create function action_append(person bigint, verb text, subject text, reason text, effect jsonb) returns bigint
language plpgsql security definer set search_path = public as $$
declare
    last_row record;
    next_seq bigint;
    stamp timestamptz := clock_timestamp();
    before text;
begin
    perform pg_advisory_xact_lock(7231001);
    select a.seq, a.hash into last_row from action a order by a.seq desc limit 1;
    next_seq := coalesce(last_row.seq, 0) + 1;
    before := coalesce(last_row.hash, repeat('0', 64));
    insert into action values (next_seq, stamp, person, verb, subject, reason, effect, before,
        action_digest(next_seq, stamp, person, verb, subject, reason, effect, before));
    return next_seq;
end
$$;

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';
end
$$;
create trigger action_is_append_only before update or delete or truncate on action
    for each statement execute function refuse_change();

create table governed (
    name text not null,
    version integer not null check (version > 0),
    value jsonb not null,
    action bigint not null references action (seq),
    since timestamptz not null default clock_timestamp(),
    primary key (name, version)
);
comment on table governed is 'Every constant of the method with its history; the highest version is in force.';
create trigger governed_is_append_only before update or delete or truncate on governed
    for each statement execute function refuse_change();

create view governed_now as
    select distinct on (name) name, version, value, action, since from governed order by name, version desc;

create table request (
    id bigint generated always as identity primary key,
    verb text not null,
    subject text not null,
    payload jsonb not null,
    reason text not null,
    asked_by bigint not null references person (id),
    asked_at timestamptz not null default clock_timestamp(),
    state text not null default 'open' check (state in ('open', 'carried out', 'declined', 'withdrawn')),
    closed_by bigint references person (id),
    closed_at timestamptz,
    constraint nobody_approves_their_own check (state <> 'carried out' or closed_by is distinct from asked_by)
);

create table sign_off (
    request bigint not null references request (id),
    risk text not null check (risk in ('culture', 'corpus', 'law')),
    person bigint not null references person (id),
    figures jsonb not null,
    note text not null,
    at timestamptz not null default clock_timestamp(),
    primary key (request, risk)
);

create table web_session (
    token_hash text primary key,
    person bigint not null references person (id),
    created_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null,
    csrf text not null
);

create table api_token (
    token_hash text primary key,
    person bigint not null references person (id),
    name text not null,
    scopes text[] not null,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz,
    revoked_at timestamptz
);

create table one_time_link (
    token_hash text primary key,
    purpose text not null,
    person bigint references person (id),
    expires_at timestamptz not null,
    used_at timestamptz
);

-- The crawl as a guest: leases that a living crawler renews, what hosts asked for, traps, mirrors, what was learned.

alter table host
    drop column robots_status,
    drop column robots,
    drop column robots_until,
    add column leased_by uuid,
    add column ended_at timestamptz,
    add column service_seconds double precision not null default 0,
    add column blocks integer not null default 0,
    add column mirror_of text;
comment on column host.ended_at is 'End of the last request by the wall clock: a slot needs the consent of both clocks, so that neither a jump of one nor the lag of the other brings a request too early.';
comment on column host.service_seconds is 'How long the host took to answer lately: a host that slows is asked less often.';
create index host_leased on host (leased_until) where leased_by is not null;

create function host_delay(own double precision, asked double precision, service double precision, fallback double precision)
returns double precision language sql immutable as $$
    select coalesce(own, greatest(fallback, asked, least(service, 60.0)))
$$;
comment on function host_delay is 'delta of Eq. (6): the operator''s word, or the longest of the default, Crawl-delay and the time the host itself needs.';

drop index frontier_leased;
alter table frontier
    add column begun smallint not null default 0,
    drop column leased_until,
    add column redirects smallint not null default 0,
    add column yielded real;
comment on column frontier.yielded is 'What the page gave downstream, once that is known: the teacher of the learned priority.';
create index frontier_leased on frontier (host) where state = 'leased';
create index frontier_to_learn on frontier (id) where state = 'fetched' and features is not null and yielded is null;

create table host_policy (
    origin text not null,
    name text not null check (name in ('robots', 'tdm', 'ai')),
    host text not null references host (name),
    status integer not null,
    body bytea,
    until timestamptz not null,
    primary key (origin, name)
);
comment on table host_policy is 'What an origin says to crawlers: robots.txt, tdmrep.json and ai.txt, each kept for a day; status 0 is a server that could not be reached.';
create index host_policy_of on host_policy (host);

create table host_shape (
    host text not null references host (name),
    shape text not null,
    pages integer not null default 0,
    yielding integer not null default 0,
    primary key (host, shape)
);
comment on table host_shape is 'Pages asked and pages that gave something, by the pattern of their address: a fruitless pattern is left after a fair trial.';

create table crawl_notice (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('blocked', 'robots', 'slow', 'mirror', 'budget', 'trap')),
    host text not null references host (name),
    text text not null,
    times integer not null default 1,
    at timestamptz not null default clock_timestamp(),
    closed_at timestamptz,
    constraint an_open_notice_stands_once unique nulls not distinct (kind, host, closed_at)
);
comment on table crawl_notice is 'What the curator should know of a host; a repeated event counts up the open notice.';

create table cited_host (
    host text primary key,
    domain text not null,
    links integer not null default 0,
    first_page text not null,
    dismissed boolean not null default false
);
comment on table cited_host is 'Hosts that pages of other domains point to: suggestions to the curator while nobody has seeded them.';

create table priority_model (
    singleton boolean primary key default true check (singleton),
    weights jsonb not null,
    updates bigint not null default 0,
    error double precision not null default 0,
    since timestamptz not null default clock_timestamp()
);
comment on table priority_model is 'The learned weights of Eq. (5); without a row the governed weights are in force.';

create table gate_figure (
    filter text primary key,
    runs bigint not null default 0,
    seconds double precision not null default 0,
    trials bigint not null default 0,
    passes bigint not null default 0
);
create table gate_pattern (
    verdicts jsonb primary key,
    pages bigint not null default 0
);
comment on table gate_pattern is 'Verdicts of all filters on the pages of the random-order sample: conditional pass rates of Eq. (4).';

alter table document add column wire bytea, add column payload_digest text;
comment on column document.wire is 'The body as it came over the wire, where it came encoded; archived in place of the decoded one.';
alter table document alter column body set storage external, alter column wire set storage external;
create index document_digest on document (digest);
create index document_frontier on document (frontier);
alter table robots_archive
    add column request_headers jsonb not null default '[]',
    add column address text;

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
    t text;
begin
    foreach t in array array['host_policy', 'host_shape', 'crawl_notice', 'cited_host', 'priority_model', 'gate_figure', 'gate_pattern'] loop
        execute format('grant select, insert, update, delete on %I to %I, %I', t, machine, people);
    end loop;
    execute format('grant usage on all sequences in schema public to %I, %I', machine, people);
    execute format('grant execute on function host_delay to %I, %I', machine, people);
end
$$;

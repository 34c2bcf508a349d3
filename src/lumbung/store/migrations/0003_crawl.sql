-- The frontier, its hosts, and the evidence. Owned by the crawl stage.

create table host (
    name text primary key,
    domain text not null,
    delay_seconds double precision check (delay_seconds >= 0),
    next_slot timestamptz not null default '-infinity',
    leased_until timestamptz,
    stopped text,
    cooldown_until timestamptz,
    waiting integer not null default 0,
    best double precision not null default 0,
    pages integer not null default 0,
    page_budget integer,
    yield_sum double precision not null default 0,
    opted_out boolean not null default false,
    robots_status integer,
    robots bytea,
    robots_until timestamptz,
    robots_delay_seconds double precision,
    failures integer not null default 0,
    note text
);
create index host_askable on host (best desc, name) where waiting > 0 and stopped is null;

create table frontier (
    id bigint generated always as identity primary key,
    url text not null,
    url_key uuid not null,
    host text not null references host (name),
    priority double precision not null,
    depth smallint not null check (depth >= 0),
    state text not null default 'waiting' check (state in ('waiting', 'leased', 'fetched', 'refused', 'failed')),
    attempts smallint not null default 0,
    due timestamptz,
    leased_until timestamptz,
    lease uuid,
    reason text,
    tranche text,
    parent bigint,
    features real[],
    constraint a_url_is_known_once unique (url_key),
    constraint an_ended_url_says_why check (state not in ('refused', 'failed') or reason is not null)
);
create index frontier_waiting on frontier (host, priority desc, id) where state = 'waiting';
create index frontier_leased on frontier (leased_until) where state = 'leased';

create table document (
    id bigint generated always as identity primary key,
    url text not null,
    final_url text not null,
    host text not null,
    domain text not null,
    digest text not null,
    status integer not null,
    content_type text not null,
    request_headers jsonb not null default '[]',
    headers jsonb not null default '[]',
    body bytea,
    truncated text,
    address text,
    archive text,
    archive_offset bigint,
    kind text not null check (kind in ('item', 'index', 'encyclopaedia', 'noise', 'unread')),
    gate jsonb,
    frontier bigint references frontier (id),
    tranche text,
    fetched_at timestamptz not null default clock_timestamp(),
    published text,
    sketch bigint[],
    witness boolean not null default true,
    witness_reason text,
    erased_at timestamptz,
    constraint a_page_is_kept_once unique (url, digest),
    constraint encyclopaedia_text_is_never_stored check (kind <> 'encyclopaedia' or (body is null and archive is null)),
    constraint a_zero_witness_says_why check (witness or witness_reason is not null),
    constraint archived_or_here check (archive is null or archive_offset is not null)
);
create index document_unarchived on document (id) where body is not null and archive is null;
create index document_host on document (host);

create table page_text (
    document bigint not null references document (id),
    cleaner text not null,
    title text not null,
    text text not null check (text is nfc normalized),
    language text not null,
    script text not null,
    structure jsonb not null default '[]',
    primary key (document, cleaner)
);

create function encyclopaedia_has_no_text() returns trigger language plpgsql as $$
begin
    if (select kind from document where id = new.document) = 'encyclopaedia' then
        raise exception 'encyclopaedia text is never stored' using errcode = 'check_violation';
    end if;
    return new;
end
$$;
create trigger page_text_is_no_encyclopaedia before insert or update on page_text
    for each row execute function encyclopaedia_has_no_text();

create table encyclopaedia_sketch (
    document bigint primary key references document (id),
    sketch bigint[] not null
);

create table robots_archive (
    id bigint generated always as identity primary key,
    host text not null,
    url text not null,
    status integer not null,
    headers jsonb not null,
    body bytea,
    archive text,
    archive_offset bigint,
    fetched_at timestamptz not null default clock_timestamp()
);

create table fetch_figure (
    tranche text not null default '',
    hour timestamptz not null,
    outcome text not null,
    pages bigint not null default 0,
    new_links bigint not null default 0,
    primary key (tranche, hour, outcome)
);

create table offspring (
    document bigint primary key references document (id),
    new_links integer not null,
    at timestamptz not null default clock_timestamp()
);
comment on table offspring is 'New, unique, filter-passing links of each fetched page: the sample of Eq. (7).';

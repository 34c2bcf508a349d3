-- Search over the library, and what readers and institutions ask of it. Owned by the library.

create table entry_search (
    entry text primary key references entry (identity) on delete cascade,
    names tsvector not null,
    words tsvector not null
);
create index entry_search_names on entry_search using gin (names);
create index entry_search_words on entry_search using gin (words);

create table takedown (
    id bigint generated always as identity primary key,
    entry text not null references entry (identity),
    requester text not null,
    contact text not null,
    reason text not null,
    asked_at timestamptz not null default clock_timestamp(),
    deadline timestamptz not null default clock_timestamp() + interval '14 days',
    state text not null default 'open' check (state in ('open', 'granted', 'declined')),
    decided_by bigint references person (id),
    decided_at timestamptz,
    notice text
);

create table correction (
    id bigint generated always as identity primary key,
    entry text not null references entry (identity),
    text text not null,
    contact text,
    asked_at timestamptz not null default clock_timestamp(),
    state text not null default 'open' check (state in ('open', 'taken up', 'declined'))
);

create table idempotent_request (
    person bigint not null references person (id),
    key text not null,
    digest text not null,
    status integer not null,
    answer jsonb not null,
    at timestamptz not null default clock_timestamp(),
    primary key (person, key)
);

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant select, insert, update, delete on entry_search to %I, %I', machine, people);
    execute format('grant select, insert, update, delete on takedown, correction, idempotent_request to %I', people);
    execute format('grant usage on all sequences in schema public to %I, %I', machine, people);
    alter table entry_search enable row level security;
    alter table entry_search force row level security;
    execute format('create policy people_do_all on entry_search to %I using (true) with check (true)', people);
    execute format('create policy owner_does_all on entry_search to %I using (true) with check (true)', current_user);
    execute format('create policy machine_reads on entry_search for select to %I using (true)', machine);
    execute format($p$create policy machine_indexes_its_own on entry_search to %I
        using (exists (select 1 from entry e where e.identity = entry_search.entry and e.owner = 'machine'))
        with check (exists (select 1 from entry e where e.identity = entry_search.entry and e.owner = 'machine'))$p$, machine);
end
$$;

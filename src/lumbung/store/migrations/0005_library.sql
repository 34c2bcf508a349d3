-- The reference library and what the machine decided about it. Entries are owned by the library, items and decisions by decide.

create table batch (
    id bigint generated always as identity primary key,
    run text not null,
    category text not null,
    opened_at timestamptz not null default clock_timestamp(),
    undone_at timestamptz,
    constraint a_run_has_one_batch_a_category unique (run, category)
);
alter table candidate add foreign key (batch) references batch (id);

create table entry (
    identity text primary key,
    owner text not null check (owner in ('human', 'machine')),
    status text not null check (status in ('shadow', 'held', 'review', 'published', 'withdrawn', 'tombstone')),
    status_reason text,
    supplement_of text references entry (identity),
    category text,
    title text not null check (length(title) between 1 and 500),
    name_key text not null,
    aliases text[] not null default '{}',
    alias_keys text[] not null default '{}',
    regions text[] not null default '{}',
    primary_region text not null default '-',
    body text not null default '',
    files jsonb not null default '[]',
    media jsonb not null default '[]',
    labels jsonb not null default '[]',
    hidden boolean not null default false,
    contributor text,
    licence text,
    library text not null default 'reference',
    remote_id text,
    remote_revision text,
    revision integer not null default 1 check (revision > 0),
    digest text not null default '',
    sensitive boolean not null default false,
    batch bigint references batch (id),
    updated_at timestamptz not null default clock_timestamp(),
    published_at timestamptz,
    constraint only_people_make_tombstones check (status <> 'tombstone' or owner = 'human'),
    constraint a_remote_entry_is_known_once unique (library, remote_id),
    constraint machine_entries_have_a_category check (owner = 'human' or category is not null),
    constraint a_supplement_is_the_machines_own check (supplement_of is null or supplement_of <> identity)
);
create index entry_names on entry (name_key);
create index entry_listing on entry (status, category, title, identity);
create index entry_supplements on entry (supplement_of) where supplement_of is not null;

create table redirect (
    identity text primary key,
    target text not null references entry (identity),
    reason text not null,
    at timestamptz not null default clock_timestamp(),
    check (identity <> target)
);

create table fact (
    id bigint generated always as identity primary key,
    entry text not null references entry (identity),
    attribute text not null,
    value text not null,
    value_key text not null,
    log_odds double precision not null,
    probability double precision not null check (probability between 0 and 1),
    independent integer not null check (independent >= 0),
    state text not null check (state in ('published', 'waiting')),
    flagged boolean not null default false,
    reason text not null default '',
    rank smallint not null default 1,
    approved_by bigint references person (id),
    constraint a_value_stands_once unique (entry, attribute, value_key)
);

create table fact_claim (
    fact bigint not null references fact (id) on delete cascade,
    claim bigint not null references claim (id),
    primary key (fact, claim)
);
create index fact_claim_of on fact_claim (claim);

create function fact_has_a_source() returns trigger language plpgsql as $$
declare
    subject bigint;
begin
    if tg_table_name = 'fact' then
        subject := new.id;
    else
        subject := old.fact;
    end if;
    if exists (select 1 from fact where id = subject) and not exists (select 1 from fact_claim where fact = subject) then
        raise exception 'a fact without a source cannot be stored' using errcode = 'check_violation';
    end if;
    return null;
end
$$;
create constraint trigger fact_needs_a_claim after insert on fact
    deferrable initially deferred for each row execute function fact_has_a_source();
create constraint trigger fact_keeps_a_claim after delete or update on fact_claim
    deferrable initially deferred for each row execute function fact_has_a_source();

create table revision (
    entry text not null references entry (identity),
    number integer not null,
    owner text not null check (owner in ('human', 'machine')),
    person bigint references person (id),
    content jsonb not null,
    note text not null default '',
    batch bigint references batch (id),
    at timestamptz not null default clock_timestamp(),
    primary key (entry, number)
);
create trigger revision_is_append_only before update on revision for each statement execute function refuse_change();

create table index_fact (
    entry text not null references entry (identity),
    revision integer not null,
    attribute text not null,
    value text not null,
    value_key text not null,
    span int4range,
    primary key (entry, attribute, value_key)
);
comment on table index_fact is 'What a human text says, for matching and containment alone: never shown, never a witness.';

create table pair_verdict (
    a text not null,
    b text not null,
    score double precision not null,
    verdict text not null check (verdict in ('same', 'variant', 'different', 'unsure', 'unrelated')),
    decided_by text not null check (decided_by in ('rule', 'agent', 'person')),
    evidence jsonb not null,
    versions jsonb not null,
    at timestamptz not null default clock_timestamp(),
    primary key (a, b),
    check (a < b)
);
create index pair_verdict_b on pair_verdict (b);

create table human_act (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('same', 'different', 'approve', 'reject', 'category', 'retract')),
    a text not null,
    b text not null default '',
    value text not null default '',
    action bigint not null references action (seq),
    revoked_by bigint references action (seq)
);
create index human_act_a on human_act (a) where revoked_by is null;
create index human_act_b on human_act (b) where revoked_by is null and b <> '';
comment on table human_act is 'What people decided about pairs, facts and candidates: it wins over every later machine decision.';

create table item (
    id bigint generated always as identity primary key,
    identity text not null unique,
    category text not null,
    content jsonb not null,
    digest text not null,
    revision integer not null default 1,
    alive boolean not null default true,
    decided_at timestamptz not null default clock_timestamp()
);

create table item_member (
    candidate text primary key references candidate (digest),
    item bigint not null references item (id)
);
create index item_members on item_member (item);

create table decision (
    id bigint generated always as identity primary key,
    subject text not null,
    item bigint references item (id),
    node text not null check (node in ('scope', 'same-item', 'novelty', 'validation', 'publication', 'review')),
    verdict text not null,
    evidence jsonb not null check (evidence <> '{}'::jsonb and evidence <> 'null'::jsonb),
    versions jsonb not null check (versions <> '{}'::jsonb),
    facts jsonb not null default '[]',
    at timestamptz not null default clock_timestamp()
);
create index decision_subject on decision (subject);
create index decision_item on decision (item);
create trigger decision_is_append_only before update or delete or truncate on decision
    for each statement execute function refuse_change();

create table publication (
    id bigint generated always as identity primary key,
    entry text not null references entry (identity),
    batch bigint not null references batch (id),
    revision integer not null,
    digest text not null,
    library text not null,
    remote_id text,
    remote_revision text,
    state text not null default 'written' check (state in ('written', 'unknown', 'undone')),
    at timestamptz not null default clock_timestamp()
);
create index publication_batch on publication (batch);
create index publication_entry on publication (entry);

create table entry_sketch (
    entry text primary key references entry (identity),
    sketch bigint[] not null
);
comment on table entry_sketch is 'Signatures of the library''s own texts, by which a copy that comes back is recognised.';
create index entry_sketch_hashes on entry_sketch using gin (sketch);
create index document_sketch_hashes on document using gin (sketch) where sketch is not null;
create index encyclopaedia_sketch_hashes on encyclopaedia_sketch using gin (sketch);

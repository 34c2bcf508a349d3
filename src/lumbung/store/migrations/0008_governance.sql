-- The sealed log, sign-in, requests, audit samples and labels, releases, tranches and notices. Owned by governance.

create table action_head (
    singleton boolean primary key default true check (singleton),
    seq bigint not null,
    hash text not null
);
comment on table action_head is 'The last line of the log, so that cutting off its end shows.';
insert into action_head (seq, hash)
select coalesce(max(seq), 0), coalesce((select hash from action order by seq desc limit 1), repeat('0', 64)) from action;

-- The machine's login signs for nobody: its lines carry no person.
do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format($f$
        create or replace function action_append(person bigint, verb text, subject text, reason text, effect jsonb) returns bigint
        language plpgsql security definer set search_path = public as $b$
        declare
            last_row record;
            next_seq bigint;
            stamp timestamptz;
            digest text;
        begin
            if person is not null and session_user = %L and %L <> %L then
                raise exception 'the machine signs for nobody' using errcode = 'insufficient_privilege';
            end if;
            perform pg_advisory_xact_lock(7231001);
            stamp := clock_timestamp();
            select h.seq, h.hash into last_row from action_head h for update;
            next_seq := last_row.seq + 1;
            digest := action_digest(next_seq, stamp, person, verb, subject, reason, effect, last_row.hash);
            insert into action values (next_seq, stamp, person, verb, subject, reason, effect, last_row.hash, digest);
            update action_head set seq = next_seq, hash = digest;
            return next_seq;
        end
        $b$
    $f$, machine, machine, people);
end
$$;

-- Rows that bind the machine are written into the log word for word, so that no later change of them goes unseen.
create function seal_row() returns trigger language plpgsql security definer set search_path = public set timezone = 'UTC' as $$
declare
    content jsonb := to_jsonb(new);
    subject text := tg_table_name;
    i integer;
begin
    for i in 0 .. tg_nargs - 1 loop
        subject := subject || ':' || (content ->> tg_argv[i]);
    end loop;
    perform action_append(null, 'row', subject, '', content);
    return null;
end
$$;

create table sample (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('publication', 'rejection', 'skip', 'gold')),
    stage text not null,
    subject text not null,
    attribute text not null default '',
    value_key text not null default '',
    category text not null default '',
    stratum text not null,
    inclusion double precision not null check (inclusion > 0 and inclusion <= 1),
    confidence double precision check (confidence between 0 and 1),
    sensitive boolean not null default false,
    flagged boolean not null default false,
    second_reading boolean not null default false,
    place double precision not null,
    shown jsonb not null,
    gold text check (gold in ('correct', 'incorrect')),
    sampled_at timestamptz not null default lumbung_now(),
    constraint a_decision_is_sampled_once unique (kind, stage, subject, attribute, value_key),
    constraint gold_has_an_answer check ((kind = 'gold') = (gold is not null))
);
comment on table sample is 'Drawn decisions with the probability of having been drawn; an empty attribute stands for the entry itself.';
comment on column sample.place is 'A random number that orders the queue inside a stratum, so that what was labelled first is no choice of its own.';
create index sample_category on sample (category, kind);
create trigger sample_is_append_only before update or delete or truncate on sample
    for each statement execute function refuse_change();

create table label (
    id bigint generated always as identity primary key,
    sample bigint not null references sample (id),
    person bigint not null references person (id),
    reading smallint not null check (reading in (1, 2, 3)),
    verdict text not null check (verdict in ('correct', 'incorrect', 'unclear')),
    novelty text check (novelty in ('novel', 'duplicate')),
    error_kind text check (error_kind in ('wrong fact', 'wrong quote', 'wrong place', 'not cultural', 'sensitive', 'copy', 'licence', 'wrongly refused')),
    note text not null default '',
    changed boolean not null default false,
    action bigint not null references action (seq),
    at timestamptz not null default lumbung_now(),
    constraint a_reading_is_given_once unique (sample, reading),
    constraint nobody_reads_a_sample_twice unique (sample, person),
    constraint an_error_has_a_kind check ((verdict = 'incorrect') = (error_kind is not null))
);
comment on column label.reading is '1 first, 2 the blind second, 3 the adjudication of two that differ.';
comment on column label.changed is 'The label led to a change of the library: the loop is closed.';
create index label_person on label (person);
create trigger label_is_append_only before update or delete or truncate on label
    for each statement execute function refuse_change();

create table considered_decision (
    decision bigint primary key references decision (id),
    inclusion double precision not null check (inclusion > 0 and inclusion <= 1)
);
comment on table considered_decision is 'Skips that had their chance to be sampled, with the probability they had.';

alter table publication add column considered boolean not null default false;
create index publication_unconsidered on publication (id) where not considered;
create index refusal_unconsidered on refusal (id) where inclusion is null;

create table trickle_release (
    id bigint generated always as identity primary key,
    entry text not null,
    category text not null,
    at timestamptz not null default lumbung_now()
);
create index trickle_release_at on trickle_release (at);

create table human_corpus_digest (
    id bigint generated always as identity primary key,
    as_of timestamptz not null,
    entries bigint not null,
    revisions bigint not null,
    digest text not null,
    at timestamptz not null default clock_timestamp()
);
create trigger human_corpus_digest_is_append_only before update or delete or truncate on human_corpus_digest
    for each statement execute function refuse_change();

-- One digest over every human revision up to a time: made again later, it must be the same.
create function human_corpus(until timestamptz, out entries bigint, out revisions bigint, out digest text)
language sql stable set timezone = 'UTC' as $$
    select count(distinct r.entry), count(*),
        encode(sha256(convert_to(coalesce(string_agg(r.entry || ':' || r.number || ':' || md5(r.content::text), ',' order by r.entry, r.number), ''), 'UTF8')), 'hex')
    from revision r where r.owner = 'human' and r.at <= until
$$;

create table notice (
    id bigint generated always as identity primary key,
    kind text not null,
    subject text not null default '',
    detail jsonb not null default '{}',
    key text unique,
    at timestamptz not null default clock_timestamp(),
    mailed_at timestamptz,
    closed_at timestamptz,
    closed_by bigint references person (id)
);
comment on table notice is 'What needs a person; one open notice a key.';
create index notice_open on notice (id) where closed_at is null;

create table tranche (
    name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,60}$'),
    state text not null default 'proposed' check (state in ('proposed', 'injected', 'done', 'stopped')),
    note text not null default '',
    forecast jsonb not null default '{}',
    outcome jsonb not null default '{}',
    created_at timestamptz not null default clock_timestamp(),
    injected_at timestamptz,
    ended_at timestamptz,
    ended_reason text
);

create table tranche_seed (
    tranche text not null references tranche (name),
    url text not null,
    category text not null default '',
    region text not null default '-',
    cost double precision not null default 1 check (cost > 0),
    note text not null default '',
    verified boolean not null default false,
    primary key (tranche, url)
);
create index tranche_seed_url on tranche_seed (url);

create table yield_posterior (
    tranche text not null references tranche (name),
    category text not null,
    region text not null,
    shape double precision not null check (shape > 0),
    rate double precision not null check (rate > 0),
    seeds double precision not null check (seeds >= 0),
    updated_at timestamptz not null default clock_timestamp(),
    primary key (tranche, category, region)
);
comment on table yield_posterior is 'Gamma belief about entries a seed gives in a cell, updated by what tranches really gave.';

alter table person add column failures integer not null default 0, add column blocked_until timestamptz;
alter table request add column single_handed boolean not null default false;
alter table request add column answer text;
alter table request drop constraint nobody_approves_their_own;
alter table request add constraint nobody_approves_their_own check (
    state <> 'carried out' or closed_by is distinct from asked_by
    or (single_handed and verb = 'set-mode' and payload ->> 'mode' = 'trickle'));
alter table human_act drop constraint human_act_kind_check;
alter table human_act add constraint human_act_kind_check check (kind in ('same', 'different', 'approve', 'reject', 'category', 'retract', 'sensitive'));

-- The machine may lower a category, never raise one.
create function demote_category(of_category text, target text, cause text, evidence jsonb) returns bigint
language plpgsql security definer set search_path = public as $$
declare
    ranks constant jsonb := '{"shadow": 0, "trickle": 1, "full": 2}';
    present text;
    line bigint;
begin
    perform pg_advisory_xact_lock(7231001);
    select g.value #>> '{}' into present from governed_now g where g.name = 'mode.' || of_category;
    if present is null or not ranks ? target or (ranks ->> target)::integer >= (ranks ->> present)::integer then
        return null;
    end if;
    line := action_append(null, 'demote', of_category, cause, evidence || jsonb_build_object('from', present, 'to', target));
    insert into governed (name, version, value, action)
    select 'mode.' || of_category, max(version) + 1, to_jsonb(target), line from governed where name = 'mode.' || of_category;
    return line;
end
$$;

-- Every sealed row as it stands, under the subject of its line in the log.
create function sealed_rows() returns table (subject text, content jsonb)
language sql stable security definer set search_path = public set timezone = 'UTC' as $$
    select 'governed:' || name || ':' || version, to_jsonb(g) from governed g
    union all select 'human_act:' || id, to_jsonb(h) from human_act h
    union all select 'label:' || id, to_jsonb(l) from label l
    union all select 'sign_off:' || request || ':' || risk, to_jsonb(s) from sign_off s
    union all select 'role_grant:' || id, to_jsonb(r) from role_grant r
$$;

-- Rows of an older installation are sealed as they are found.
select action_append(null, 'row', s.subject, 'sealed when the schema was brought up to date', s.content) from sealed_rows() s;
create trigger governed_is_sealed after insert on governed for each row execute function seal_row('name', 'version');
create trigger human_act_is_sealed after insert on human_act for each row execute function seal_row('id');
create trigger label_is_sealed after insert on label for each row execute function seal_row('id');
create trigger sign_off_is_sealed after insert on sign_off for each row execute function seal_row('request', 'risk');
create trigger role_grant_is_sealed after insert on role_grant for each row execute function seal_row('id');

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
    t text;
begin
    foreach t in array array['action_head', 'sample', 'label', 'considered_decision', 'trickle_release', 'human_corpus_digest', 'notice',
        'tranche', 'tranche_seed', 'yield_posterior'] loop
        execute format('grant select on %I to %I, %I', t, machine, people);
    end loop;
    foreach t in array array['sample', 'considered_decision', 'trickle_release', 'human_corpus_digest', 'notice', 'yield_posterior'] loop
        execute format('grant insert, update on %I to %I, %I', t, machine, people);
    end loop;
    execute format('grant update on tranche to %I', machine);
    foreach t in array array['label', 'tranche', 'tranche_seed'] loop
        execute format('grant insert, update on %I to %I', t, people);
    end loop;
    execute format('grant delete on tranche_seed to %I', people);
    execute format('grant execute on function human_corpus(timestamptz), sealed_rows(), demote_category(text, text, text, jsonb) to %I, %I', machine, people);
end
$$;

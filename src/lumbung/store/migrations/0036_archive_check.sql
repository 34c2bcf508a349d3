-- Verifications of the archive that people ask for, and verdicts on pairs by their age. Owned by the archiver and by governance.

create table archive_check (
    id bigint generated always as identity primary key,
    action bigint not null references action (seq),
    asked_at timestamptz not null default clock_timestamp(),
    after_document bigint not null default 0,
    records bigint not null default 0,
    damaged bigint not null default 0,
    faults jsonb not null default '[]',
    ended_at timestamptz
);
comment on table archive_check is 'Every archived page is read back and compared with its digest, a batch at a time; where a check stands outlives the process that makes it.';
create unique index archive_check_open on archive_check ((true)) where ended_at is null;

create index human_act_pair on human_act (id) where kind in ('same', 'different') and revoked_by is null;

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant select, update on archive_check to %I', machine);
    execute format('grant select, insert on archive_check to %I', people);
    execute format('grant usage on all sequences in schema public to %I', people);
    execute format('grant select on archive_leftover to %I', people);
end
$$;

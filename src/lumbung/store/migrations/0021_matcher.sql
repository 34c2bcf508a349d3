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

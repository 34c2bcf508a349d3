-- A label just sent can be taken back by its author; both stay, and the estimates count neither. Owned by governance.

create table label_withdrawal (
    label bigint primary key references label (id),
    action bigint not null references action (seq),
    at timestamptz not null default lumbung_now()
);
comment on table label_withdrawal is 'Labels that their authors took back before anybody else had read the sample.';
create trigger label_withdrawal_is_append_only before update or delete or truncate on label_withdrawal
    for each statement execute function refuse_change();

create view label_now as
select l.* from label l where not exists (select 1 from label_withdrawal w where w.label = l.id);
comment on view label_now is 'Labels that count.';

-- One label of a reading and of a person, among those that count: a constraint cannot look into another table.
alter table label drop constraint a_reading_is_given_once, drop constraint nobody_reads_a_sample_twice;
create index label_sample on label (sample);
create function label_is_the_only_one() returns trigger language plpgsql security definer set search_path = public as $$
begin
    perform pg_advisory_xact_lock(7231027, (new.sample % 2147483647)::integer);
    if exists (select 1 from label_now l where l.sample = new.sample and l.reading = new.reading) then
        raise unique_violation using message = 'a reading is given once', constraint = 'a_reading_is_given_once';
    end if;
    if exists (select 1 from label_now l where l.sample = new.sample and l.person = new.person) then
        raise unique_violation using message = 'nobody reads a sample twice', constraint = 'nobody_reads_a_sample_twice';
    end if;
    return new;
end
$$;
create trigger label_is_the_only_one before insert on label for each row execute function label_is_the_only_one();

create or replace function sealed_rows() returns table (subject text, content jsonb)
language sql stable security definer set search_path = public set timezone = 'UTC' as $$
    select 'governed:' || name || ':' || version, to_jsonb(g) from governed g
    union all select 'human_act:' || id, to_jsonb(h) from human_act h
    union all select 'label:' || id, to_jsonb(l) from label l
    union all select 'label_withdrawal:' || label, to_jsonb(w) from label_withdrawal w
    union all select 'sign_off:' || request || ':' || risk, to_jsonb(s) from sign_off s
    union all select 'role_grant:' || id, to_jsonb(r) from role_grant r
$$;
create trigger label_withdrawal_is_sealed after insert on label_withdrawal for each row execute function seal_row('label');

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant select on label_withdrawal, label_now to %I, %I', machine, people);
    execute format('grant insert on label_withdrawal to %I', people);
end
$$;

-- What people say to each other about an entry. Owned by the library.

create table remark (
    id bigint generated always as identity primary key,
    entry text not null references entry (identity),
    person bigint references person (id),
    text text not null check (length(text) between 1 and 4000),
    at timestamptz not null default clock_timestamp(),
    withheld text
);
create index remark_discussion on remark (entry, id);
create index if not exists redirect_by_target on redirect (target);
comment on table remark is 'The discussion of an entry; the machine has no part in it.';
comment on column remark.person is 'Null where the operator spoke at the machine itself.';
comment on column remark.withheld is 'Why readers no longer see it; null where they do.';

do $$
declare
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant select, insert on remark to %I', people);
    execute format('grant update (withheld) on remark to %I', people);
    execute format('grant usage on all sequences in schema public to %I', people);
end
$$;

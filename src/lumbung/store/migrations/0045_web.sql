-- What all web processes of an installation share, and keep over a restart. Owned by the web.

create table signing_key (
    period integer primary key,
    key text not null check (length(key) >= 32)
);
comment on table signing_key is 'Signs open forms and resumption tokens: one key for each 30 days; those of the present and the last period are believed.';

create unlogged table request_rate (
    caller text primary key,
    due timestamptz not null
) with (fillfactor = 50);
comment on table request_rate is 'Who asked lately, and the moment at which all that was asked for would have been due. Worth a minute: no log, no backup.';

do $$
declare
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant select, insert, update, delete on signing_key, request_rate to %I', people);
end
$$;

-- Archives that may be left over. Owned by the archiver.

create table archive_leftover (
    archive text primary key,
    noted_at timestamptz not null default clock_timestamp()
);
comment on table archive_leftover is 'Archives that are being written, or were written anew under another name: removed, unless the transaction that cites them has struck them out.';

do $$
declare
    machine text := current_setting('lumbung.machine_role');
begin
    execute format('grant select, insert, update, delete on archive_leftover to %I', machine);
end
$$;

-- Quiet hours and addresses of hosts, pages asked for once more, and records that leave the archive. Owned by the crawl.

alter table host
    add column quiet_from time,
    add column quiet_until time,
    add column quiet_zone text,
    add column address inet,
    add constraint quiet_hours_are_whole check (num_nulls(quiet_from, quiet_until, quiet_zone) in (0, 3) and quiet_from <> quiet_until);
comment on column host.quiet_from is 'From then until quiet_until, by the clocks of quiet_zone, the host is not asked.';
comment on column host.address is 'The public address that answered last: many hosts of one address are not asked all at once.';
create index host_address on host (address) where address is not null;

create function host_is_quiet(begins time, ends time, zone text, first timestamptz, second timestamptz)
returns boolean language sql stable as $$
    select begins is not null and exists (
        select 1 from (values ((first at time zone zone)::time), ((second at time zone zone)::time)) as clock (reads)
        where case when begins < ends then reads >= begins and reads < ends else reads >= begins or reads < ends end)
$$;
comment on function host_is_quiet is 'Whether either of two clocks stands in the quiet hours of a host; they may go over midnight.';

alter table frontier add column refetch text;
comment on column frontier.refetch is 'The act by which somebody asked for this page once more, and what for; null for all that was found and asked once.';

create table archive_erasure (
    id bigint generated always as identity primary key,
    archive text not null,
    archive_offset bigint not null,
    url text not null,
    asked_at timestamptz not null default clock_timestamp(),
    done_at timestamptz
);
comment on table archive_erasure is 'Records that must leave the archive: the archiver rewrites their file without them and leaves a tombstone.';
create index archive_erasure_open on archive_erasure (archive) where done_at is null;
create index document_place on document (archive, archive_offset) where archive is not null;

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant select, insert, update, delete on archive_erasure to %I, %I', machine, people);
    execute format('grant usage on all sequences in schema public to %I, %I', machine, people);
    execute format('grant execute on function host_is_quiet to %I, %I', machine, people);
end
$$;

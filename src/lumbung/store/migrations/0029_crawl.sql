-- The status line as it came, for the archive; and one expression for the delay of a host. Owned by the crawl stage.

alter table document add column status_line text;
alter table robots_archive add column status_line text;
comment on column document.status_line is 'The first line of the answer, as the archive will write it; null for pages of other sources.';

create function host_delay_now(asked host, run_hosts text[], run_delay double precision, fallback double precision)
returns double precision language sql immutable as $$
    select host_delay(
        case when asked.name = any (run_hosts) then run_delay else asked.delay_seconds end,
        asked.robots_delay_seconds, asked.service_seconds, fallback)
$$;
comment on function host_delay_now is 'delta of Eq. (6) for a host: by host_delay, or as a run says that names the host itself.';

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant execute on function host_delay_now to %I, %I', machine, people);
end
$$;

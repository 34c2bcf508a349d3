-- By how promptly a host answers it is told which places of a crawler it may take. Owned by the crawl stage.

create function host_lane(asked host, prompt_seconds double precision)
returns integer language sql immutable as $$
    select case when asked.pages = 0 then 2 when asked.service_seconds > prompt_seconds then 3 else 1 end
$$;
comment on function host_lane is '1 a host that answers promptly, 2 one that gave no page yet, 3 one that lets us wait.';

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant execute on function host_lane to %I, %I', machine, people);
end
$$;

-- Every login may see which schema this is, so that a worker with the machine's login alone can tell that it is too old. Owned by the runtime.

do $$
begin
    execute format('grant select on schema_migration to %I, %I', current_setting('lumbung.machine_role'), current_setting('lumbung.people_role'));
end
$$;

-- Which version of the features the index is searched in, and which one it is being brought to. Owned by encode.

create table features_version (
    version integer primary key,
    state text not null check (state in ('filling', 'in force', 'past', 'gone')),
    since timestamptz not null default clock_timestamp()
);
comment on table features_version is 'One version is in force and searched; a newer one fills beside it until every node is encoded in it.';
create unique index one_features_version_in_force on features_version ((true)) where state = 'in force';

insert into features_version (version, state)
select max(version), 'in force' from feature having max(version) is not null;

-- The graphs of a version that nobody searches any more go. The machine's login owns nothing, so this function of the owner's does it;
-- it does only this.
create function drop_graphs(of_version integer) returns void
language plpgsql security definer set search_path = public as $$
declare
    block record;
begin
    if exists (select 1 from features_version v where v.version = of_version and v.state in ('filling', 'in force')) then
        raise exception 'the features version % is in use', of_version using errcode = 'check_violation';
    end if;
    for block in select b.graph from index_block b where b.version = of_version and b.graph is not null order by b.graph loop
        execute format('drop table if exists %I', block.graph);
    end loop;
    update index_block b set graph = null, graphed = 0 where b.version = of_version;
end
$$;

revoke execute on function drop_graphs(integer) from public;
do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant select, insert, update on features_version to %I', machine);
    execute format('grant select on features_version to %I', people);
    execute format('grant execute on function drop_graphs(integer) to %I', machine);
end
$$;

-- The feature index and the public pages at a million entries. Owned by encode and the library.

-- Moves up to `most` waiting nodes into the block's graph and tells how many. The machine's login owns nothing, so this function of
-- the owner's does it; it does only this. Nodes that somebody is replacing just now are left for the next time. They go in by the order of
-- their sketches, so that nodes with much in common stand near one another: a walk then meets fewer pages.
create or replace function settle_block(of_version integer, of_category text, of_province text, most integer) returns bigint
language plpgsql security definer set search_path = public as $$
declare
    graph_table text := 'feature_graph_' || md5(of_version || '/' || of_category || '/' || of_province);
    is_new boolean;
    chosen text[];
begin
    perform pg_advisory_xact_lock(hashtextextended(graph_table, 0));
    select b.graph is null into strict is_new from index_block b where (b.version, b.category, b.province) = (of_version, of_category, of_province);
    chosen := array(select f.node from feature f
        where f.version = of_version and f.category = of_category and f.province = of_province and f.content is not null
        order by f.node limit case when is_new then null else most end for update skip locked);
    if is_new then
        execute format('drop table if exists %I', graph_table);
        execute format('create table %I (node text primary key, human boolean not null, content halfvec(512) not null, sketch bit(1024) not null)', graph_table);
        execute format('grant select, delete on %I to %I', graph_table, session_user);
    end if;
    execute format('insert into %I select f.node, f.human, f.content, sketch_of(f.content) from unnest($1) n join feature f on f.node = n
        where f.version = $2 and f.category = $3 and f.province = $4 order by sketch_of(f.content) desc', graph_table) using chosen, of_version, of_category, of_province;
    if is_new then
        -- Built in memory, or it takes ten times as long.
        perform set_config('maintenance_work_mem', greatest(64, least(1000, cardinality(chosen) / 500))::text || 'MB', true);
        execute format('create index on %I using hnsw (sketch bit_jaccard_ops) with (m = 24, ef_construction = 128)', graph_table);
        execute format('analyze %I', graph_table);
    end if;
    update feature f set content = null where f.node = any (chosen) and f.version = of_version and f.category = of_category and f.province = of_province;
    update index_block b set graph = graph_table, graphed = b.graphed + cardinality(chosen), round = b.round + 1
    where (b.version, b.category, b.province) = (of_version, of_category, of_province);
    return cardinality(chosen);
end
$$;

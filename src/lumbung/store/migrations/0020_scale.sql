-- The feature index and the public search at a million entries. Owned by encode and the library.

-- A new node waits in `feature`, where an exact scan finds it, and costs no walk through a graph; from there the steward moves the
-- nodes of a large block into a table of their own with its graph. One table a block: whoever plans a search or vacuums
-- meets the graph of that block alone.
drop function build_block_graph(integer, text, text);
do $$
declare
    graph text;
begin
    for graph in select indexrelid::regclass::text from pg_index where indrelid = 'feature'::regclass and indexrelid::regclass::text like 'feature_graph_%' loop
        execute 'drop index ' || graph;
    end loop;
end
$$;
alter table feature alter column content drop not null;
comment on column feature.content is 'Empty once the vector stands in the table of its block''s graph.';
drop index feature_block;
create index feature_waiting on feature (version, category, province) where content is not null;

alter table index_block drop column indexed;
alter table index_block add column graph text;
alter table index_block add column graphed bigint not null default 0;
alter table index_block add column round integer not null default 0;
comment on column index_block.graph is 'The table with this block''s graph; none while the block is small enough to be scanned.';
comment on column index_block.graphed is 'How many of its nodes stand in the graph; the others wait in feature.';
comment on column index_block.round is 'How often nodes were moved into the graph: it tells one job of moving from the next.';

-- What a graph is built of: which numbers of a vector are above and which below zero. Content vectors are sparse and of nearly equal
-- numbers, so the share that two sketches have in common orders almost as the cosine does, in an eighth of the space; the nearest
-- by it are then ordered by the cosine itself.
create function sketch_of(content halfvec) returns bit language sql immutable strict parallel safe as $$
    select binary_quantize(content) || binary_quantize(array_fill(0, array[512])::halfvec(512) - content)
$$;

-- Moves up to `most` waiting nodes into the block's graph and tells how many. The machine's login owns nothing, so this function of
-- the owner's does it; it does only this. Nodes that somebody is replacing just now are left for the next time.
create function settle_block(of_version integer, of_category text, of_province text, most integer) returns bigint
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
        where f.version = $2 and f.category = $3 and f.province = $4', graph_table) using chosen, of_version, of_category, of_province;
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

revoke execute on function settle_block(integer, text, text, integer) from public;
do $$
begin
    execute format('grant execute on function settle_block(integer, text, text, integer) to %I', current_setting('lumbung.machine_role'));
end
$$;

-- Search by words, category and region in one question. `#` and `@` begin no word.
create function facets_of(category text, regions text[]) returns tsvector language sql immutable as $$
    select array_to_tsvector(array_remove(array['#' || category], null) || array(select distinct '@' || r from unnest(regions) r))
$$;
update entry_search s set names = s.names || facets_of(e.category, e.regions), words = s.words || facets_of(e.category, e.regions)
from entry e where e.identity = s.entry;
-- Whatever waits to be sorted in is read by every search: little may wait.
alter index entry_search_names set (gin_pending_list_limit = 256);
alter index entry_search_words set (gin_pending_list_limit = 256);

-- Published entries by region in the order of their titles: a list of a region reads its page and no more.
create table entry_place (
    region text not null,
    category text,
    title text not null,
    identity text not null references entry (identity) on delete cascade,
    primary key (region, title, identity)
);
comment on table entry_place is 'Each published entry under each of its regions; follows entry by trigger.';
create index entry_place_category on entry_place (region, category, title, identity);
create index entry_place_region on entry_place (region);
insert into entry_place (region, category, title, identity)
select distinct r, e.category, e.title, e.identity from entry e, unnest(e.regions) r where e.status = 'published';
-- Small, so that counting reads little.
create index entry_holdings on entry (status, owner, category);

create function place_entry() returns trigger language plpgsql security definer set search_path = public as $$
begin
    if tg_op = 'UPDATE' then
        delete from entry_place where region = any (old.regions) and title = old.title and identity = old.identity;
    end if;
    insert into entry_place (region, category, title, identity)
    select distinct r, new.category, new.title, new.identity from unnest(new.regions) r where new.status = 'published';
    return null;
end
$$;
create trigger entry_is_placed after insert on entry for each row when (new.status = 'published') execute function place_entry();
create trigger entry_is_placed_anew after update on entry for each row
    when ((old.status, old.category, old.title, old.regions) is distinct from (new.status, new.category, new.title, new.regions)) execute function place_entry();

do $$
begin
    execute format('grant select on entry_place to %I, %I', current_setting('lumbung.machine_role'), current_setting('lumbung.people_role'));
    execute format('grant execute on function facets_of(text, text[]) to %I, %I', current_setting('lumbung.machine_role'), current_setting('lumbung.people_role'));
end
$$;

-- Whether the search in related blocks misses what a search everywhere finds; a sample of the nodes, continuously.
create table blocking_check (
    node text primary key,
    missed text,
    evidence jsonb not null default '{}',
    at timestamptz not null default clock_timestamp()
);
comment on column blocking_check.missed is 'The node that name and facts say is the same and that no related block held; none where nothing was missed.';

do $$
begin
    execute format('grant select, insert, update on blocking_check to %I', current_setting('lumbung.machine_role'));
    execute format('grant select on blocking_check to %I', current_setting('lumbung.people_role'));
end
$$;

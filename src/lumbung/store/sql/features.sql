-- The index of features and its blocks. Owned by encode.

-- keep --
insert into feature (node, human, version, category, province, content)
select %(node)s, %(human)s, %(version)s, %(category)s, unnest(%(provinces)s::text[]), %(content)s::halfvec
on conflict (node, version, category, province) do update set content = excluded.content

-- drop --
delete from feature where node = %(node)s returning version, category, province

-- count --
-- The sizes of blocks follow what was added and dropped.
insert into index_block (version, category, province, nodes)
select b.version, b.category, b.province, sum(b.change) from unnest(%(versions)s::int[], %(categories)s::text[], %(provinces)s::text[], %(changes)s::bigint[])
    as b (version, category, province, change) group by 1, 2, 3 order by 1, 2, 3
on conflict (version, category, province) do update set nodes = greatest(0, index_block.nodes + excluded.nodes)

-- blocks --
-- The blocks of Eq. (12): same or confusable category, related province, unknown with all.
select category, province, nodes, indexed from index_block
where version = %(version)s and category = any (%(categories)s) and (%(provinces)s::text[] is null or province = any (%(provinces)s)) and nodes > 0
order by category, province

-- large --
-- Blocks that have outgrown exact search and have no graph yet.
select version, category, province from index_block where version = %(version)s and nodes >= %(nodes)s and not indexed order by nodes desc

-- build --
select build_block_graph(%(version)s, %(category)s, %(province)s)

-- search_widely --
select set_config('hnsw.ef_search', %(width)s, true)

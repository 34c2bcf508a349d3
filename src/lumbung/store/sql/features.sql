-- The index of features and its blocks. Owned by encode.

-- keep --
insert into feature (node, human, version, category, province, content, words, rests)
select f.node, f.human, f.version, f.category, f.province, f.content::halfvec, string_to_array(f.words, ' '), string_to_array(f.rests, ' ')::smallint[]
from unnest(%(nodes)s::text[], %(humans)s::boolean[], %(versions)s::int[], %(categories)s::text[], %(provinces)s::text[], %(contents)s::text[], %(words)s::text[], %(rests)s::text[])
    as f (node, human, version, category, province, content, words, rests)

-- drop --
delete from feature where node = any (%(nodes)s) and not (version = any (%(beside)s::int[]) and node = any (%(kept)s::text[]))
returning node, version, category, province, content is null as settled

-- graphs --
select version, category, province, graph from index_block where graph is not null and category = any (%(categories)s)

-- count --
-- The sizes of blocks follow what was added and dropped.
insert into index_block (version, category, province, nodes, graphed)
select b.version, b.category, b.province, sum(b.change), sum(b.settled)
from unnest(%(versions)s::int[], %(categories)s::text[], %(provinces)s::text[], %(changes)s::bigint[], %(settled)s::bigint[])
    as b (version, category, province, change, settled) group by 1, 2, 3 order by 1, 2, 3
on conflict (version, category, province) do update
set nodes = greatest(0, index_block.nodes + excluded.nodes), graphed = greatest(0, index_block.graphed + excluded.graphed)

-- blocks --
-- The blocks of Eq. (12): same or confusable category, related province, unknown with all; in the version in force, whose graphs stay until
-- the transaction ends.
with held as materialized (select pg_advisory_xact_lock_shared(7231029) is null as yes)
select version, category, province, graph, graphed from held, index_block
where version = coalesce((select v.version from features_version v where v.state = 'in force'), %(version)s) and category = any (%(categories)s) and (%(provinces)s::text[] is null or province = any (%(provinces)s)) and nodes > 0
order by category, province

-- scan --
-- The nearest of the nodes that wait in these blocks, and how many graphs the same snapshot knows. Beside them, for the walks through graphs,
-- who shares a rare word with the one who asks: of a word that many names have, none.
with akin as materialized (
    select r.category, r.province, r.node
    from unnest(coalesce(%(words)s::text[], (select words from feature where node = %(node)s and version = %(version)s limit 1))) as asked (word),
        lateral (select array_agg(n.category) as categories, array_agg(n.province) as provinces, array_agg(n.node) as nodes from (
            select category, province, node from feature_word
            where version = %(version)s and category = any (%(in_categories)s) and word = asked.word and province = any (%(in_provinces)s) limit %(rare)s) n) found,
        unnest(found.categories, found.provinces, found.nodes) as r (category, province, node)
    where cardinality(found.nodes) < %(rare)s
)
(select null::text as node, false as human,
    case when %(version)s = coalesce((select v.version from features_version v where v.state = 'in force'), %(version)s) then count(*)::float8 else -1 end as cosine
from index_block
where version = %(version)s and category = any (%(categories)s) and (%(provinces)s::text[] is null or province = any (%(provinces)s)) and graph is not null)
union all
(select f.node, f.human, f.cosine
from unnest(%(in_categories)s::text[], %(in_provinces)s::text[]) as b (category, province), lateral (
    select w.node, w.human, 1 - (w.content <=> %(content)s::halfvec) as cosine from feature w
    where w.version = %(version)s and w.category = b.category and w.province = b.province and w.content is not null and w.node <> %(node)s
    order by w.content <=> %(content)s::halfvec limit %(limit)s) f
order by f.cosine desc limit %(limit)s)

-- grown --
-- Blocks that have outgrown exact search and have no graph yet, and those where many nodes wait beside their graph.
select version, category, province, round from index_block
where version = %(version)s and nodes - graphed >= case when graph is null then %(graph_from)s::bigint else %(tail)s::bigint end order by nodes desc

-- settle --
select settle_block(%(version)s, %(category)s, %(province)s, %(most)s)

-- held_categories --
select distinct category from index_block
where version = coalesce((select v.version from features_version v where v.state = 'in force'), %(version)s) and nodes > 0

-- stands_in --
-- Where a node stands in a version, and its vector if it still waits there.
select f.content::text as content, b.graph from feature f
left join index_block b on (b.version, b.category, b.province) = (f.version, f.category, f.province)
where f.node = %(node)s and f.version = %(version)s order by f.content is null limit 1

-- keep_check --
insert into blocking_check (node, missed, evidence) values (%(node)s, %(missed)s, %(evidence)s)
on conflict (node) do update set missed = excluded.missed, evidence = excluded.evidence, at = clock_timestamp()

-- checks --
select count(*) as checked, count(missed) as missed from blocking_check

-- Versions of the features that the index holds side by side. Owned by encode.

-- hold --
-- Until the transaction ends no version is put in force and nobody re-encodes; others may write meanwhile.
select pg_advisory_xact_lock_shared(7231028)

-- begin_alone --
-- Whoever changes which version is in force waits for those who write, and they for it.
select pg_advisory_xact_lock(7231028)

-- begin_unread --
-- Nobody is between finding a graph and walking it.
select pg_advisory_xact_lock(7231029)

-- found --
-- The version of the first node is in force from then on.
insert into features_version (version, state) select %(version)s, 'in force'
where not exists (select 1 from features_version where state = 'in force') on conflict do nothing

-- in_force --
select version from features_version where state = 'in force'

-- states --
select version, state from features_version order by version

-- set_state --
insert into features_version (version, state) values (%(version)s, %(state)s)
on conflict (version) do update set state = excluded.state, since = clock_timestamp()

-- progress --
-- How many vectors each version has, by the sizes of its blocks.
select v.version, v.state, coalesce((select sum(b.nodes) from index_block b where b.version = v.version), 0)::bigint as vectors
from features_version v where v.state <> 'gone' order by v.version

-- lacking --
-- Nodes after this one that stand in the index in one version and not in the other. One whose encoding is a dead letter holds up nobody.
select f.node from feature f
where f.version = %(held)s and f.node > %(after)s
    and not exists (select 1 from feature n where n.node = f.node and n.version = %(wanted)s)
    and not exists (select 1 from job j where j.stage = 'encode' and j.state = 'dead' and j.payload ->> 'node' = f.node)
group by f.node order by f.node limit %(limit)s

-- strays --
-- Nodes that somebody encoded in another version only, after the switch.
select f.node from feature f
where f.content is not null and f.version <> %(wanted)s
    and not exists (select 1 from feature n where n.node = f.node and n.version = %(wanted)s)
group by f.node order by f.node limit %(limit)s

-- nodes_after --
-- Candidates of the index after this one, and the entry of each that is published.
select f.node, e.identity as published from (
    select node from feature where version = %(version)s and not human and node > %(after)s group by node order by node limit %(limit)s) f
left join item_member m on m.candidate = f.node
left join item i on i.id = m.item and i.alive
left join entry e on e.identity = i.identity and e.status = 'published'
order by f.node

-- block_of --
select min(category) as category, array_agg(distinct province order by province) as provinces from feature
where node = %(node)s and version = %(version)s

-- entries_of --
-- The published entry that rests on each of these nodes, or the human record that it is.
select m.candidate as node, e.identity from item_member m join item i on i.id = m.item and i.alive join entry e on e.identity = i.identity and e.status = 'published'
where m.candidate = any (%(nodes)s)
union all
select 'h:' || e.identity, e.identity from entry e where 'h:' || e.identity = any (%(nodes)s) and e.status = 'published'

-- drop_graphs --
select drop_graphs(%(version)s)

-- let_go --
-- The next nodes of a version that nobody searches, in their order; the last of them.
with leaving as (
    select node from feature where version = %(version)s and node > %(after)s group by node order by node limit %(limit)s
), gone as (
    delete from feature f using leaving l where f.version = %(version)s and f.node = l.node
)
select max(node) as last from leaving

-- any_left --
select exists (select 1 from feature where version = %(version)s) as are

-- forget_blocks --
update index_block set nodes = 0 where version = %(version)s

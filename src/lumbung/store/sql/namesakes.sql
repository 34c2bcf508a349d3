-- The words of names and who stands under them. Owned by encode.

-- keep --
-- In the order of the key, so that two who add the same words wait for each other and never in a ring.
insert into name_spelling (piece, word) select p.piece, p.word from unnest(%(pieces)s::text[], %(words)s::text[]) as p (piece, word) order by 1, 2
on conflict do nothing

-- spellings --
-- Words that may be one of those asked for, by their pieces.
select distinct word from name_spelling where piece = any (%(pieces)s)

-- namesakes --
-- Who stands in these blocks under a spelling of each word that is asked for: read from the rarest word, the others looked up.
with asked as materialized (
    select * from unnest(%(asked)s::int[], %(turns)s::int[], %(words)s::text[], %(rests)s::int[]) as a (asked, turn, word, rest)
), held as materialized (
    select coalesce((select v.version from features_version v where v.state = 'in force'), %(version)s) as version
), counted as materialized (
    select a.asked, a.turn, sum(n.nodes) as nodes from asked a, held h, lateral (
        select count(*) as nodes from (
            select 1 from feature_word f where f.version = h.version and f.category = any (%(categories)s) and f.word = a.word
                and (%(provinces)s::text[] is null or f.province = any (%(provinces)s)) and f.rest <= a.rest limit %(most)s) few) n
    group by 1, 2
), rarest as materialized (
    select distinct on (asked) asked, turn from counted order by asked, nodes, turn
)
select distinct f.node from rarest r join asked a using (asked, turn), held h, lateral (
    select w.node, w.category, w.province from feature_word w where w.version = h.version and w.category = any (%(categories)s) and w.word = a.word
        and (%(provinces)s::text[] is null or w.province = any (%(provinces)s)) and w.rest <= a.rest) f
where f.node <> %(node)s and not exists (
    select 1 from counted c where c.asked = r.asked and c.turn <> r.turn and not exists (
        select 1 from asked o join feature_word w on w.version = h.version and w.category = f.category and w.word = o.word
            and w.province = f.province and w.node = f.node
        where o.asked = c.asked and o.turn = c.turn))

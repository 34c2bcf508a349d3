-- Items: groups of candidates, the verdicts about their pairs, and the decisions. Owned by decide.

-- lock --
-- Held for the set-wise commit only, always in the same order.
select pg_advisory_xact_lock(7231002, hashtext(name)) from (select unnest(%(names)s::text[]) as name order by 1) names

-- verdicts --
-- Every stored verdict that touches these nodes.
select a, b, score, verdict, decided_by from pair_verdict where a = any (%(nodes)s) or b = any (%(nodes)s)

-- open_pairs --
-- What the rule saw of pairs that it left open.
select a, b, evidence from pair_verdict
where verdict = 'unsure' and decided_by = 'rule' and (a = any (%(nodes)s) or b = any (%(nodes)s))

-- pairs_left_open --
-- Of live candidates and human records that are not one item already.
select v.a, v.b from pair_verdict v left join item_member ma on ma.candidate = v.a left join item_member mb on mb.candidate = v.b
where v.verdict = 'unsure' and v.decided_by = 'rule' and ma.item is distinct from mb.item
  and (v.a like 'h:%%' or ma.item is not null) and (v.b like 'h:%%' or mb.item is not null)
  and not exists (select 1 from human_act h where h.revoked_by is null and h.kind in ('same', 'different') and h.a = v.a and h.b = v.b)
order by v.a, v.b

-- keep_verdict --
-- An agent's word is not overwritten by a rule; what people say is no verdict but an act.
insert into pair_verdict (a, b, score, verdict, decided_by, evidence, versions)
values (%(a)s, %(b)s, %(score)s, %(verdict)s, %(decided_by)s, %(evidence)s, %(versions)s)
on conflict (a, b) do update set score = excluded.score, verdict = excluded.verdict, decided_by = excluded.decided_by,
    evidence = excluded.evidence, versions = excluded.versions, at = clock_timestamp()
where not (pair_verdict.decided_by = 'agent' and excluded.decided_by = 'rule')

-- drop_verdicts --
-- A human record was revised: rules and agents look at its pairs again.
delete from pair_verdict where a = %(node)s or b = %(node)s

-- human_pairs --
-- What people said about pairs of these nodes: it wins.
select kind, a, b from human_act where kind in ('same', 'different') and revoked_by is null and (a = any (%(nodes)s) or b = any (%(nodes)s)) order by id

-- judgements --
select kind, a, value from human_act where kind in ('approve', 'reject') and revoked_by is null and a = any (%(nodes)s) order by id

-- links --
-- What was found or said about pairs, as far as it leads on from these nodes; a node without any stands alone.
with recursive reached (node) as (
    select unnest(%(nodes)s::text[])
    union
    select n.other from reached r cross join lateral (
        select v.b as other from pair_verdict v where v.a = r.node and v.verdict in ('same', 'unsure')
        union all
        select v.a from pair_verdict v where v.b = r.node and v.verdict in ('same', 'unsure')
        union all
        select h.b from human_act h where h.a = r.node and h.kind in ('same', 'different') and h.revoked_by is null
        union all
        select h.a from human_act h
        where h.b = r.node and h.b <> '' and h.kind in ('same', 'different') and h.revoked_by is null
    ) n
)
select r.node, r.node as other from reached r
union all
select n.a, n.b from reached r cross join lateral (
    select v.a, v.b from pair_verdict v where v.a = r.node and v.verdict in ('same', 'unsure')
    union all
    select h.a, h.b from human_act h where h.a = r.node and h.kind in ('same', 'different') and h.revoked_by is null
) n

-- same_names --
-- Live candidates and human records that bear one of these keys, whatever the vectors say.
select c.digest as node from candidate c
where c.name_key = any (%(keys)s) and c.state = 'live' and c.category = any (%(categories)s)
union
select c.digest from candidate c
where c.alias_keys && %(keys)s::text[] and c.alias_keys <> '{}' and c.state = 'live' and c.category = any (%(categories)s)
union
select 'h:' || e.identity from entry e
where e.name_key = any (%(keys)s) and e.owner = 'human' and (e.category is null or e.category = any (%(categories)s))
union
select 'h:' || e.identity from entry e
where e.alias_keys && %(keys)s::text[] and e.alias_keys <> '{}' and e.owner = 'human'
  and (e.category is null or e.category = any (%(categories)s))

-- humans --
select e.identity, e.title, e.aliases, e.category, e.regions, e.status, e.body,
    coalesce((select jsonb_agg(jsonb_build_array(f.attribute, f.value_key)) from index_fact f where f.entry = e.identity), '[]') as facts
from entry e where e.identity = any (%(identities)s) and e.owner = 'human'

-- members --
select candidate, item from item_member where candidate = any (%(digests)s)

-- load --
select id, identity, category, content, digest, revision, alive from item where id = any (%(ids)s) for update

-- get --
select id, identity, category, content, digest, revision, alive from item where id = any (%(ids)s)

-- create --
insert into item (identity, category, content, digest, alive) values (%(identity)s, %(category)s, %(content)s, %(digest)s, %(alive)s)
on conflict (identity) do nothing returning id

-- change --
update item set category = %(category)s, content = %(content)s, digest = %(digest)s, alive = %(alive)s, revision = revision + 1,
    decided_at = clock_timestamp()
where id = %(id)s returning revision

-- join_item --
insert into item_member (candidate, item) select unnest(%(digests)s::text[]), %(item)s
on conflict (candidate) do update set item = excluded.item where item_member.item <> excluded.item

-- leave --
delete from item_member where candidate = any (%(digests)s)

-- of_item --
select candidate from item_member where item = any (%(items)s)

-- decide --
insert into decision (subject, item, node, verdict, evidence, versions, facts)
values (%(subject)s, %(item)s, %(node)s, %(verdict)s, %(evidence)s, %(versions)s, %(facts)s)

-- decisions_of --
select id, subject, item, node, verdict, evidence, versions, facts, at from decision
where subject = %(subject)s or item = %(item)s order by id desc limit %(limit)s

-- decision --
select id, subject, item, node, verdict, evidence, versions, facts, at from decision where id = %(id)s

-- of_category --
select id from item where category = any (%(categories)s) and alive

-- outcomes --
select node, verdict, count(*) as decisions from decision group by node, verdict order by node, verdict

-- rules --
select name, version, value from governed_now

-- pair_evidence --
select score, evidence from pair_verdict where a = %(a)s and b = %(b)s

-- retracted_source --
-- A retraction binds: newer extractors of the same page inherit it.
select exists (select 1 from human_act where kind = 'retract' and revoked_by is null and a in ('u:' || %(url)s, 's:' || %(host)s)) as retracted

-- grey_left_open --
select d.id, d.subject from decision d where d.node = 'novelty' and d.evidence ? 'grey'
  and not exists (select 1 from decision n where n.subject = d.subject and n.node = 'novelty' and n.id > d.id)
order by d.id

-- validations --
select question, verdict, coalesce(evidence -> 'denying', '[]') as denying from validation where question = any (%(questions)s)

-- keep_validation --
insert into validation (question, verdict, evidence, versions) values (%(question)s, %(verdict)s, %(evidence)s, %(versions)s)
on conflict (question) do update set verdict = excluded.verdict, evidence = excluded.evidence, versions = excluded.versions, at = clock_timestamp()

-- quotes --
select id, quote from claim where id = any (%(claims)s) and retracted is null order by id

-- asked_agents --
-- Of the newest decisions: how many subjects they are about, how many of these an agent was asked about, and how often which agent.
with newest as materialized (
    select subject, node, evidence ? 'agent' as asked from decision order by id desc limit %(most)s
)
select count(distinct subject) as subjects, count(distinct subject) filter (where asked) as asked_subjects,
    count(*) filter (where asked and node = 'scope') as scope, count(*) filter (where asked and node = 'same-item') as same_item,
    count(*) filter (where asked and node = 'validation') as validation
from newest

-- People's verdicts about pairs, and the trials of the matcher that learns from them. Owned by governance.

-- labelled --
-- The word that counts for each pair, who said it, and what the rule saw. An agent is asked only where the rule was unsure.
select h.a, h.b, h.kind = 'same' as same, l.person,
    case v.decided_by when 'rule' then v.verdict else 'unsure' end as by_rule, v.evidence
from human_act h join action l on l.seq = h.action join pair_verdict v on v.a = h.a and v.b = h.b
where h.kind in ('same', 'different') and h.revoked_by is null order by h.a, h.b

-- word_on --
-- What people say of one pair, as far as it still holds.
select kind from human_act where kind in ('same', 'different') and revoked_by is null and a = %(a)s and b = %(b)s order by id desc limit 1

-- latest --
-- The verdicts that hold, the newest first, with the names of both sides.
with chosen as (
    select id, kind, a, b, action from human_act where kind in ('same', 'different') and revoked_by is null order by id desc limit %(limit)s
)
select c.kind, c.a, c.b, l.person, l.at, l.reason, coalesce(ca.name, ea.title) as name_a, coalesce(cb.name, eb.title) as name_b
from chosen c join action l on l.seq = c.action left join candidate ca on ca.digest = c.a left join candidate cb on cb.digest = c.b
left join entry ea on ea.identity = substr(c.a, 3) and c.a like 'h:%%' left join entry eb on eb.identity = substr(c.b, 3) and c.b like 'h:%%'
order by c.id desc

-- seen --
select count(*) || ':' || coalesce(max(id), 0) || ':' || coalesce(max(revoked_by), 0) as seen
from human_act where kind in ('same', 'different')

-- was_tried --
select exists (select 1 from matcher_trial where seen = %(seen)s) as tried

-- add --
insert into matcher_trial (seen, verdict, figures, model) values (%(seen)s, %(verdict)s, %(figures)s, %(model)s)
on conflict (seen) do nothing

-- trials --
select id, seen, verdict, figures, at from matcher_trial order by id desc limit %(limit)s

-- People's verdicts about pairs, and the trials of the matcher that learns from them. Owned by governance.

-- labelled --
-- The word that counts for each pair, who said it, and what the rule saw. An agent is asked only where the rule was unsure.
select h.a, h.b, h.kind = 'same' as same, l.person,
    case v.decided_by when 'rule' then v.verdict else 'unsure' end as by_rule, v.evidence
from human_act h join action l on l.seq = h.action join pair_verdict v on v.a = h.a and v.b = h.b
where h.kind in ('same', 'different') and h.revoked_by is null order by h.a, h.b

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

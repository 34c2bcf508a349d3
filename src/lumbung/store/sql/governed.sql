-- Governed rows, people and the log of actions. Owned by governance.

-- now --
select name, version, value from governed_now

-- set --
insert into governed (name, version, value, action)
select %(name)s, coalesce(max(version), 0) + 1, %(value)s, %(action)s from governed where name = %(name)s
returning version

-- history --
select name, version, value, action, since from governed where name = %(name)s order by version

-- append --
select action_append(%(person)s, %(verb)s, %(subject)s, %(reason)s, %(effect)s) as seq

-- broken --
-- The first places where the chain does not hold.
with chained as (
    select seq, hash, previous_hash, lag(hash, 1, repeat('0', 64)) over (order by seq) as before, row_number() over (order by seq) as place,
        action_digest(seq, at, person, verb, subject, reason, effect, previous_hash) as expected
    from action
)
select seq, case when hash <> expected then 'edited' when previous_hash <> before or seq <> place then 'a row before it is missing or moved' end as fault
from chained where hash <> expected or previous_hash <> before or seq <> place order by seq limit 20

-- tail --
select seq, at, person, verb, subject, reason, effect, hash from action where seq < %(before)s order by seq desc limit %(limit)s

-- add_human_act --
insert into human_act (kind, a, b, value, action) values (%(kind)s, %(a)s, %(b)s, %(value)s, %(action)s)

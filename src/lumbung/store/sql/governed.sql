-- Governed rows, people and the log of actions. Owned by governance.

-- now --
select name, version, value from governed_now

-- first --
select name, value from governed where version = 1

-- set --
insert into governed (name, version, value, action)
select %(name)s, coalesce(max(version), 0) + 1, %(value)s, %(action)s from governed where name = %(name)s
returning version

-- history --
select name, version, value, action, since from governed where name = %(name)s order by version

-- append --
select action_append(%(person)s, %(verb)s, %(subject)s, %(reason)s, %(effect)s) as seq

-- all_in_force --
-- What every row said at a moment.
select distinct on (name) name, version, value, action, since from governed where since <= %(at)s order by name, version desc

-- published_at --
select max(at) as at from publication where entry = %(entry)s and state <> 'undone'

-- broken --
-- The first places where the chain does not hold, and a cut end.
with chained as (
    select seq, hash, previous_hash, lag(hash, 1, repeat('0', 64)) over (order by seq) as before, lag(seq, 1, 0::bigint) over (order by seq) + 1 as place,
        action_digest(seq, at, person, verb, subject, reason, effect, previous_hash) as expected
    from action
), faults as (
    select seq, case when hash <> expected then 'this line was edited' when seq <> place then 'a line before this one is missing or was moved'
        else 'this line does not follow the one before it' end as fault
    from chained where hash <> expected or previous_hash <> before or seq <> place
    union all
    select h.seq, 'the end of the log is not the line last written' from action_head h
    where not exists (select 1 from action a where a.seq = h.seq and a.hash = h.hash and not exists (select 1 from action b where b.seq > a.seq))
      and (h.seq > 0 or exists (select 1 from action))
)
select seq, fault from faults order by seq limit %(limit)s

-- unsealed --
-- Rows that are not what the log says they were. A revocation is the one change that may come later, with a line of its own.
with line as (
    select seq, subject, effect as content, row_number() over (partition by subject order by seq desc) as nth from action where verb = 'row'
), found as (
    select subject, content from sealed_rows()
), faults as (
    select l.seq, coalesce(l.subject, f.subject) as subject,
        case when f.subject is null then 'this row was deleted' when l.subject is null then 'this row was put in past the log'
             else 'this row was changed' end as fault
    from line l full join found f on f.subject = l.subject
    where l.subject is null or f.subject is null or (l.nth = 1 and l.content <> f.content)
       or l.content - array['revoked_by', 'revoked_at'] <> f.content - array['revoked_by', 'revoked_at']
)
select min(seq) as seq, subject, fault from faults group by subject, fault order by min(seq) nulls last, subject limit %(limit)s

-- head --
select seq, hash from action_head

-- line --
select seq, at, person, verb, subject, reason, effect, previous_hash, hash from action where seq = %(seq)s

-- tail --
-- What people did; rows that are sealed with it are left out. What a first reader said waits until the blind second one has read.
select a.seq, a.at, a.person, a.verb, a.subject, case when blind.sample is null then a.reason else '' end as reason,
    case when blind.sample is null then a.effect else jsonb_build_object('sample', blind.sample) end as effect, a.hash
from action a left join lateral (
    select s.id as sample from sample s where a.verb = 'label-sample' and s.id = (a.effect ->> 'sample')::bigint and s.second_reading
      and (select count(*) from label_now l where l.sample = s.id) < 2) blind on true
where a.seq < %(before)s and a.verb <> 'row' and (%(verb)s::text is null or a.verb = %(verb)s) and (%(subject)s::text is null or a.subject = %(subject)s)
order by a.seq desc limit %(limit)s

-- export --
select seq, at, person, verb, subject, reason, effect, previous_hash, hash from action order by seq

-- add_human_act --
insert into human_act (kind, a, b, value, action) values (%(kind)s, %(a)s, %(b)s, %(value)s, %(action)s)

-- revoke_human_acts --
update human_act set revoked_by = %(action)s
where kind = any (%(kinds)s) and a = any (%(nodes)s) and b = %(b)s and value = %(value)s and revoked_by is null

-- revoke_acts_of --
-- All that one action said.
update human_act set revoked_by = %(action)s where action = %(of)s and revoked_by is null

-- demote --
select demote_category(%(category)s, %(target)s, %(cause)s, %(evidence)s) as line

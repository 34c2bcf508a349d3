-- Requests that need a second person, and their sign-offs. Owned by governance.

-- add --
insert into request (verb, subject, payload, reason, asked_by) values (%(verb)s, %(subject)s, %(payload)s, %(reason)s, %(asked_by)s) returning id

-- get --
select id, verb, subject, payload, reason, asked_by, asked_at, state, closed_by, closed_at, answer, single_handed from request where id = %(id)s for update

-- listed --
select r.id, r.verb, r.subject, r.payload, r.reason, r.asked_by, r.asked_at, r.state, r.closed_by, r.closed_at, r.answer, r.single_handed,
    coalesce((select jsonb_agg(jsonb_build_object('risk', s.risk, 'person', s.person, 'figures', s.figures, 'note', s.note, 'at', s.at) order by s.risk)
              from sign_off s where s.request = r.id), '[]') as sign_offs
from request r where (%(state)s::text is null or r.state = %(state)s) and (%(subject)s::text is null or r.subject = %(subject)s) order by r.id desc limit %(limit)s

-- raised --
-- By category, the last carried out request for a mode: what a category rests on that has not been lowered since.
select distinct on (r.subject) r.id, r.subject, r.payload, r.closed_by, r.closed_at, r.single_handed,
    coalesce((select jsonb_agg(jsonb_build_object('risk', s.risk, 'person', s.person, 'figures', s.figures, 'note', s.note, 'at', s.at) order by s.risk)
              from sign_off s where s.request = r.id), '[]') as sign_offs
from request r where r.verb = 'set-mode' and r.state = 'carried out' order by r.subject, r.id desc

-- same_open --
select id from request where verb = %(verb)s and subject = %(subject)s and state = 'open' and payload = %(payload)s

-- close --
update request set state = %(state)s, closed_by = %(by)s, closed_at = clock_timestamp(), answer = %(answer)s, single_handed = %(single_handed)s
where id = %(id)s and state = 'open' returning id

-- sign --
insert into sign_off (request, risk, person, figures, note) values (%(request)s, %(risk)s, %(person)s, %(figures)s, %(note)s)
on conflict (request, risk) do nothing returning risk

-- signed --
select risk, person, figures, note, at from sign_off where request = %(request)s order by risk

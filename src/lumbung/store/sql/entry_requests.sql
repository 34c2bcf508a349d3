-- Corrections and removals that readers ask for. Owned by the library.

-- add_correction --
insert into correction (entry, text, contact) values (%(entry)s, %(text)s, %(contact)s) returning id

-- add_takedown --
insert into takedown (entry, requester, contact, reason) values (%(entry)s, %(requester)s, %(contact)s, %(reason)s) returning id

-- open_takedowns --
select id, entry, requester, contact, reason, asked_at, deadline from takedown where state = 'open' order by deadline limit %(limit)s

-- decide_takedown --
update takedown set state = %(state)s, decided_by = %(person)s, decided_at = clock_timestamp(), notice = %(notice)s
where id = %(id)s and state = 'open' returning entry

-- open_corrections --
select id, entry, text, contact, asked_at from correction where state = 'open' order by asked_at limit %(limit)s

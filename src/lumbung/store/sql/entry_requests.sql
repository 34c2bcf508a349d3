-- Corrections and removals that readers ask for. Owned by the library.

-- add_correction --
insert into correction (entry, text, contact) values (%(entry)s, %(text)s, %(contact)s) returning id

-- add_takedown --
insert into takedown (entry, requester, contact, reason) values (%(entry)s, %(requester)s, %(contact)s, %(reason)s) returning id

-- open_takedowns --
select t.id, t.entry, e.title, t.requester, t.contact, t.reason, t.asked_at, t.deadline from takedown t left join entry e on e.identity = t.entry
where t.state = 'open' order by t.deadline limit %(limit)s

-- decide_takedown --
update takedown set state = %(state)s, decided_by = %(person)s, decided_at = clock_timestamp(), notice = %(notice)s
where id = %(id)s and state = 'open' returning entry

-- takedown_entry --
select e.category, e.primary_region, e.regions from takedown t join entry e on e.identity = t.entry where t.id = %(id)s

-- correction_entry --
select e.identity, e.category, e.primary_region, e.regions from correction c join entry e on e.identity = c.entry
where c.id = %(id)s and c.state = 'open' for update of c

-- decide_correction --
update correction set state = %(state)s where id = %(id)s

-- pages_of --
-- The pages that an entry was read from: those of its item's members, and those that its facts quote.
select d.url from item i join item_member m on m.item = i.id join candidate c on c.digest = m.candidate join document d on d.id = c.document
where i.identity = %(entry)s
union
select d.url from fact f join fact_claim fc on fc.fact = f.id join claim k on k.id = fc.claim join document d on d.id = k.document
where f.entry = %(entry)s
order by 1

-- open_corrections --
select c.id, c.entry, e.title, c.text, c.contact, c.asked_at from correction c left join entry e on e.identity = c.entry
where c.state = 'open' order by c.asked_at limit %(limit)s

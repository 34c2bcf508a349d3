-- The discussions of entries. Owned by the library.

-- add --
insert into remark (entry, person, text) values (%(entry)s, %(person)s, %(text)s) returning id

-- discussion --
-- Newest first. Who speaks is told apart by number alone, in the order in which they came to this discussion; what was said about an
-- entry that was merged into this one belongs to it.
select id, entry, text, at, withheld, dense_rank() over (order by came) as speaker from (
    select r.*, min(r.id) over (partition by r.person) as came from remark r
    where r.entry = any (array(select identity from redirect where target = %(entry)s) || %(entry)s::text)
) said where id < %(before)s order by id desc limit %(limit)s

-- count --
select count(*) from remark r
where r.entry = any (array(select identity from redirect where target = %(entry)s) || %(entry)s::text) and r.withheld is null

-- about --
select r.id, e.identity, e.category, e.primary_region, e.regions from remark r join entry e on e.identity = r.entry where r.id = %(id)s

-- withhold --
update remark set withheld = %(reason)s where id = %(id)s and text is not null and (withheld is null) = (%(reason)s::text is not null) returning entry

-- erase --
-- The words of one remark; its place in the discussion stays.
update remark set text = null, withheld = 'erased' where id = %(id)s and text is not null returning entry

-- erase_of --
-- Whatever this person said.
update remark set text = null, withheld = 'erased' where person = %(person)s and text is not null

-- said_by --
-- What one person said, the newest first: their own data, if they ask for it.
select r.id, r.entry, e.title, r.text, r.at, r.withheld from remark r join entry e on e.identity = r.entry
where r.person = %(person)s order by r.id desc

-- latest --
select r.id, r.entry, e.title, r.text, r.at, r.withheld from remark r join entry e on e.identity = r.entry order by r.id desc limit %(limit)s

-- one --
select r.text, r.withheld from remark r
where r.id = %(id)s and r.entry = any (array(select identity from redirect where target = %(entry)s) || %(entry)s::text)

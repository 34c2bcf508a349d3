-- What the archive holds as the database cites it, and verifications of it. Owned by the archiver.

-- ask --
-- Null where one is under way already.
insert into archive_check (action) values (%(action)s) on conflict do nothing returning id

-- open --
select id, after_document as after from archive_check where ended_at is null for update skip locked

-- places --
-- Where pages are archived, in the order in which they were fetched: a file that is written anew moves none of them past the reader.
select id, url, digest, archive, archive_offset from document where archive is not null and id > %(after)s order by id limit %(limit)s

-- advance --
update archive_check set after_document = %(after)s, records = records + %(records)s,
    damaged = damaged + %(damaged)s,
    faults = case when jsonb_array_length(faults) < %(most)s then faults || %(faults)s else faults end,
    ended_at = case when %(ended)s then clock_timestamp() end
where id = %(id)s

-- latest --
select c.id, c.asked_at, c.records, c.damaged, c.faults, c.ended_at, a.person, a.reason from archive_check c join action a on a.seq = c.action
order by c.id desc limit %(limit)s

-- cited --
-- The next archives after a name, each with the pages that cite it; names are skipped to, not counted through.
with recursive named (archive, place) as (
    (select archive, 1 from document where archive > %(after)s order by archive limit 1)
    union all
    select (select d.archive from document d where d.archive > n.archive order by d.archive limit 1), n.place + 1 from named n
    where n.archive is not null and n.place < %(limit)s
)
select n.archive, (select count(*) from document d where d.archive = n.archive) as pages, coalesce(e.leaving, 0) as leaving
from named n left join (select archive, count(*) as leaving from archive_erasure where done_at is null group by archive) e using (archive)
where n.archive is not null order by n.archive

-- waiting --
-- What the archiver has to do; nobody needs to know whether it is one thousand or two.
select (select count(*) from (select 1 from document where body is not null and archive is null limit %(cap)s) c) as pages,
    (select count(*) from (select 1 from robots_archive where body is not null and archive is null limit %(cap)s) c) as robots,
    (select count(*) from (select 1 from archive_erasure where done_at is null limit %(cap)s) c) as erasures,
    (select count(*) from archive_leftover) as leftovers

-- erasures --
-- The newest first.
select id, url, archive, asked_at, done_at from archive_erasure order by id desc limit %(limit)s

-- Batches: what one run wrote in one category. Owned by the library.

-- candidates_of --
select digest from candidate where batch = %(batch)s and state in ('live', 'parked') order by digest

-- mark_undone --
update batch set undone_at = clock_timestamp() where id = %(batch)s and undone_at is null returning id

-- human_owned --
-- Entries of the batch that a person has taken over since.
select distinct e.identity from publication p join entry e on e.identity = p.entry where p.batch = %(batch)s and e.owner = 'human' order by 1

-- hold_again --
-- Entries that the batch released and that are still the machine's and shown are held as before.
update entry e set status = 'held', revision = e.revision + 1, updated_at = clock_timestamp()
from publication p join revision r on r.entry = p.entry and r.number = p.revision
where p.batch = %(batch)s and r.note = 'released' and e.identity = p.entry and e.owner = 'machine' and e.status = 'published'
returning e.identity, e.revision

-- sent_in --
-- Entries whose newest write that stands is of this batch and was sent by a machine account: no item here stands behind them. With the revision of their last
-- write in another batch that stands.
select e.identity, (select max(o.revision) from publication o join batch b on b.id = o.batch
                    where o.entry = e.identity and o.batch <> %(batch)s and b.undone_at is null) as earlier
from entry e where e.owner = 'machine' and e.status = 'published' and not exists (select 1 from item i where i.identity = e.identity)
  and exists (select 1 from publication p where p.entry = e.identity and p.batch = %(batch)s
              and p.id = (select max(n.id) from publication n join batch b on b.id = n.batch
                          where n.entry = e.identity and (b.undone_at is null or b.id = %(batch)s)))
order by e.identity

-- undone_of_run --
select count(*) as batches from batch where starts_with(run, %(run)s) and undone_at is not null

-- listed --
select b.id, b.run, b.category, b.opened_at, b.undone_at, count(p.id) as writes
from batch b left join publication p on p.batch = b.id
where b.id < %(before)s group by b.id order by b.id desc limit %(limit)s

-- What OAI-PMH harvesters read: published entries, and those that were and are no longer, whatever became of them. Owned by the library.

-- page --
select e.identity, e.status, e.owner, e.category, e.title, e.aliases, e.regions, e.contributor,
    coalesce(e.licence, case when e.owner = 'machine' then (select value #>> '{}' from governed_now where name = 'library.machine_licence') end) as licence,
    is_withheld(e) as hidden, labels_of(e) as labels,
    case when e.status = 'published' then e.body else '' end as body, date_trunc('second', e.updated_at) as updated_at,
    coalesce((select array_agg(distinct d.url) from fact f join fact_claim fc on fc.fact = f.id join claim k on k.id = fc.claim
              join document d on d.id = k.document where f.entry = e.identity and f.state = 'published'), '{}') as sources
from entry e
where e.published_at is not null
  and date_trunc('second', e.updated_at at time zone 'UTC') >= coalesce(%(start)s::timestamptz, '-infinity') at time zone 'UTC'
  and date_trunc('second', e.updated_at at time zone 'UTC') <= coalesce(%(end)s::timestamptz, 'infinity') at time zone 'UTC'
  and (%(category)s::text is null or e.category = %(category)s)
  and (%(places)s::text[] is null or e.regions && %(places)s)
  and (date_trunc('second', e.updated_at at time zone 'UTC'), e.identity)
    > (coalesce(%(after_at)s::timestamptz, '-infinity') at time zone 'UTC', %(after_identity)s)
order by date_trunc('second', e.updated_at at time zone 'UTC'), e.identity limit %(limit)s

-- one --
select e.identity, e.status, e.owner, e.category, e.title, e.aliases, e.regions, e.contributor,
    coalesce(e.licence, case when e.owner = 'machine' then (select value #>> '{}' from governed_now where name = 'library.machine_licence') end) as licence,
    is_withheld(e) as hidden, labels_of(e) as labels,
    case when e.status = 'published' then e.body else '' end as body, date_trunc('second', e.updated_at) as updated_at,
    coalesce((select array_agg(distinct d.url) from fact f join fact_claim fc on fc.fact = f.id join claim k on k.id = fc.claim
              join document d on d.id = k.document where f.entry = e.identity and f.state = 'published'), '{}') as sources
from entry e where e.identity = %(identity)s and e.published_at is not null

-- earliest --
select min(date_trunc('second', updated_at at time zone 'UTC')) at time zone 'UTC' as at from entry where published_at is not null

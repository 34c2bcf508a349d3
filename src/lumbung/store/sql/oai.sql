-- What OAI-PMH harvesters read: published entries, and those that were and are no longer. Owned by the library.

-- page --
select e.identity, e.status, e.owner, e.category, e.title, e.aliases, e.regions, e.licence, e.contributor,
    is_withheld(e) as hidden, labels_of(e) as labels,
    case when e.status = 'published' then e.body else '' end as body, date_trunc('second', e.updated_at) as updated_at,
    coalesce((select array_agg(distinct d.url) from fact f join fact_claim fc on fc.fact = f.id join claim k on k.id = fc.claim
              join document d on d.id = k.document where f.entry = e.identity and f.state = 'published'), '{}') as sources
from entry e
where e.published_at is not null and e.status in ('published', 'tombstone', 'withdrawn')
  and (%(start)s::timestamptz is null or date_trunc('second', e.updated_at) >= %(start)s)
  and (%(end)s::timestamptz is null or date_trunc('second', e.updated_at) <= %(end)s)
  and (%(category)s::text is null or e.category = %(category)s)
  and (%(places)s::text[] is null or e.regions && %(places)s)
  and (%(after_at)s::timestamptz is null or (date_trunc('second', e.updated_at), e.identity) > (%(after_at)s, %(after_identity)s))
order by date_trunc('second', e.updated_at), e.identity limit %(limit)s

-- one --
select e.identity, e.status, e.owner, e.category, e.title, e.aliases, e.regions, e.licence, e.contributor,
    is_withheld(e) as hidden, labels_of(e) as labels,
    case when e.status = 'published' then e.body else '' end as body, date_trunc('second', e.updated_at) as updated_at,
    coalesce((select array_agg(distinct d.url) from fact f join fact_claim fc on fc.fact = f.id join claim k on k.id = fc.claim
              join document d on d.id = k.document where f.entry = e.identity and f.state = 'published'), '{}') as sources
from entry e where e.identity = %(identity)s and e.published_at is not null and e.status in ('published', 'tombstone', 'withdrawn')

-- earliest --
select min(updated_at) as at from entry where published_at is not null

-- Finding entries. Owned by the library.

-- index --
insert into entry_search (entry, names, words) values (%(entry)s, array_to_tsvector(%(names)s::text[]), array_to_tsvector(%(words)s::text[]))
on conflict (entry) do update set names = excluded.names, words = excluded.words

-- find --
-- Published entries that have every term, names before texts; keyset by rank and identity. A word that very many entries have
-- gives some of them, more where a category or region narrows it; what is shown is read only for the page itself.
with asked as (
    select array_to_string(array(select quote_literal(t) from unnest(%(terms)s::text[]) t), ' & ')::tsquery as query,
        case when %(category)s::text is null and %(region)s::text is null then 500 else 5000 end as most
), found as (
    (select s.entry, 1 as tier from entry_search s, asked where s.names @@ asked.query limit (select most from asked))
    union all
    (select s.entry, 2 from (select entry, names from entry_search, asked where words @@ asked.query limit (select most from asked)) s, asked
     where not s.names @@ asked.query)
), page as (
    select e.identity, e.title, f.tier from found f join entry e on e.identity = f.entry
    where e.status = 'published' and (%(category)s::text is null or e.category = %(category)s)
      and (%(region)s::text is null or e.regions && %(regions)s::text[])
      and (f.tier, e.title, e.identity) > (%(after_tier)s, %(after_title)s, %(after_identity)s)
    order by f.tier, e.title, e.identity limit %(limit)s
)
select e.identity, e.title, e.owner, e.category, e.regions, left(e.body, 300) as beginning, e.sensitive,
    e.hidden or text_is_withheld(effective_labels(e.labels, e.category)) as hidden, p.tier
from page p join entry e on e.identity = p.identity order by p.tier, p.title, p.identity

-- browse --
select e.identity, e.title, e.owner, e.category, e.regions, left(e.body, 300) as beginning, e.sensitive,
    e.hidden or text_is_withheld(effective_labels(e.labels, e.category)) as hidden, 1 as tier
from entry e
where e.status = 'published' and (%(category)s::text is null or e.category = %(category)s)
  and (%(region)s::text is null or e.regions && %(regions)s::text[])
  and (e.title, e.identity) > (%(after_title)s, %(after_identity)s)
order by e.title, e.identity limit %(limit)s

-- by_category --
select category, count(*) as entries from entry where status = 'published' and category is not null group by category

-- by_region --
select region, count(*) as entries from entry, unnest(regions) as region where status = 'published' group by region

-- latest --
select identity, title, owner, category, regions, updated_at from entry where status = 'published' order by updated_at desc, identity limit %(limit)s

-- Finding entries. Owned by the library.

-- index --
-- The entry's words, and its category and regions, so that one search asks for all of them.
insert into entry_search (entry, names, words)
select e.identity, array_to_tsvector(%(names)s::text[]) || facets_of(e.category, e.regions), array_to_tsvector(%(words)s::text[]) || facets_of(e.category, e.regions)
from entry e where e.identity = %(entry)s
on conflict (entry) do update set names = excluded.names, words = excluded.words

-- find --
-- Published entries that have every term, names before texts; keyset by rank and identity. Of a word that very many entries have,
-- some are found: the first pages of the table tell how common it is, and where it is, more of them give enough without reading all that
-- the index knows. Texts are looked at only when names do not fill the page. The words of a text that is hidden or withheld find nothing.
with asked as (
    select (array_to_string(array(select quote_literal(t) from unnest(%(terms)s::text[]) t), ' & ')
        || coalesce(' & ' || quote_literal('#' || %(category)s::text), '')
        || coalesce(' & (' || (select string_agg(quote_literal('@' || r), ' | ') from unnest(%(regions)s::text[]) r) || ')', ''))::tsquery as query
), heads as materialized (
    select count(*) >= %(common)s as are_common from entry_search s, asked where %(after_tier)s < 2 and s.ctid < '(100,0)'::tid and s.names @@ asked.query
), common as materialized (
    select s.entry from entry_search s, asked where (select are_common from heads) and s.ctid < '(2000,0)'::tid and s.names @@ asked.query limit %(most)s
), named as materialized (
    select e.identity, e.title, 1 as tier
    from (select entry from common where (select count(*) from common) >= %(most)s
          union all
          (select s.entry from entry_search s, asked where %(after_tier)s < 2 and (select count(*) from common) < %(most)s and s.names @@ asked.query limit %(most)s)) f
    join entry e on e.identity = f.entry
    where e.status = 'published' and (1, e.title, e.identity) > (%(after_tier)s, %(after_title)s, %(after_identity)s)
    order by e.title, e.identity limit %(limit)s
), texts as materialized (
    select count(*) >= %(common)s as are_common
    from entry_search s, asked where (select count(*) from named) < %(limit)s and s.ctid < '(100,0)'::tid and s.words @@ asked.query
), often as materialized (
    select s.entry, s.names from entry_search s, asked where (select are_common from texts) and s.ctid < '(2000,0)'::tid and s.words @@ asked.query limit %(most)s
), withheld as materialized (
    select substr(g.name, length('labels.') + 1) as category from governed_now g where g.name like 'labels.%%' and text_is_withheld(g.value)
), told as (
    select e.identity, e.title, 2 as tier
    from (select entry, names from often where (select count(*) from often) >= %(most)s
          union all
          (select s.entry, s.names from entry_search s, asked
           where (select count(*) from named) < %(limit)s and (select count(*) from often) < %(most)s and s.words @@ asked.query limit %(most)s)) f
    join entry e on e.identity = f.entry, asked
    where not f.names @@ asked.query and e.status = 'published' and (2, e.title, e.identity) > (%(after_tier)s, %(after_title)s, %(after_identity)s)
      and not (e.hidden or text_is_withheld(e.labels) or coalesce(e.category, '') in (select category from withheld))
      and (e.supplement_of is null or not is_withheld(e))
    order by e.title, e.identity limit %(limit)s
)
select identity, tier from (select * from named union all select * from told) found order by tier, title, identity limit %(limit)s

-- near --
-- Titles of entries with a name that has words beginning so, every one or any, for whoever mistyped; some of very many. Supplements
-- stand beside the entry that they supplement, and are not named apart.
with asked as (
    select (array_to_string(array(select quote_literal(b) || ':*' from unnest(%(beginnings)s::text[]) b), case when %(every)s::boolean then ' & ' else ' | ' end))::tsquery as query
), begun as materialized (
    select s.entry from entry_search s, asked where s.names @@ asked.query limit %(most)s
)
select e.identity, e.title from begun join entry e on e.identity = begun.entry
where e.status = 'published' and e.supplement_of is null order by e.title, e.identity

-- titles --
select identity, 1 as tier from entry where status = 'published' and (title, identity) > (%(after_title)s, %(after_identity)s)
order by title, identity limit %(limit)s

-- titles_in_category --
select identity, 1 as tier from entry
where status = 'published' and category = %(category)s and (title, identity) > (%(after_title)s, %(after_identity)s)
order by title, identity limit %(limit)s

-- titles_in_regions --
select distinct p.title, p.identity, 1 as tier from unnest(%(regions)s::text[]) as r (region), lateral (
    select title, identity from entry_place
    where region = r.region and (title, identity) > (%(after_title)s, %(after_identity)s) order by title, identity limit %(limit)s) p
order by p.title, p.identity limit %(limit)s

-- titles_in_category_and_regions --
select distinct p.title, p.identity, 1 as tier from unnest(%(regions)s::text[]) as r (region), lateral (
    select title, identity from entry_place
    where region = r.region and category = %(category)s and (title, identity) > (%(after_title)s, %(after_identity)s)
    order by title, identity limit %(limit)s) p
order by p.title, p.identity limit %(limit)s

-- cards --
select e.identity, e.title, e.owner, e.category, e.regions, left(e.body, 300) as beginning, e.sensitive,
    is_withheld(e) as hidden, w.tier
from unnest(%(identities)s::text[], %(tiers)s::int[]) with ordinality as w (identity, tier, place) join entry e on e.identity = w.identity
order by w.place

-- published --
select owner, category, count(*) as entries from entry where status = 'published' group by owner, category

-- by_region --
select region, count(*) as entries from entry_place group by region

-- sitemap_starts --
-- The first identity of each part of the sitemap.
select identity from (select identity, row_number() over (order by identity) as place from entry where status = 'published') e
where (place - 1) %% %(size)s = 0 order by identity

-- sitemap --
select identity, updated_at from entry where status = 'published' and identity >= %(start)s order by identity limit %(limit)s

-- latest --
select identity, title, owner, category, regions, updated_at from entry where status = 'published' order by updated_at desc, identity limit %(limit)s

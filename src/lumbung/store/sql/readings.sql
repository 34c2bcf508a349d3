-- Which pages the current extractor has not read yet. Owned by extract.

-- unread --
select d.id, d.url, d.digest from document d
where d.kind = 'item' and d.erased_at is null and (d.body is not null or d.archive is not null)
  and not exists (select 1 from reading r where r.document = d.id and r.extractor = %(extractor)s and split_part(r.cleaner, '+', 1) = %(cleaner)s)
  and (%(host)s::text is null or d.host = %(host)s)
  and (%(kind)s::text is null or d.kind = %(kind)s)
  and (%(url)s::text is null or starts_with(d.url, %(url)s))
  and (%(language)s::text is null or exists (select 1 from page_text t where t.document = d.id and t.language = %(language)s))
  and (%(category)s::text is null or exists (select 1 from candidate c where c.document = d.id and c.category = %(category)s))
  and (%(parked)s::text is null or exists (select 1 from candidate c where c.document = d.id and c.state = 'parked' and (%(parked)s = '*' or c.state_reason = %(parked)s)))
order by d.id

-- keep --
insert into reading (document, extractor, cleaner) values (%(document)s, %(extractor)s, %(cleaner)s)
on conflict (document, extractor, cleaner) do nothing

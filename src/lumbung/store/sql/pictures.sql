-- Pictures that published machine entries show, and their copies. Owned by publish.

-- shown --
-- How live candidates' pages show these pictures.
select wanted.url, m.value ->> 'licence_hint' as licence, m.value ->> 'creator' as creator, m.value ->> 'caption' as caption, d.url as page, d.domain
from unnest(%(urls)s::text[]) as wanted (url)
join candidate c on c.media @> jsonb_build_array(jsonb_build_object('url', wanted.url)) and c.media <> '[]' and c.state = 'live'
cross join lateral jsonb_array_elements(c.media) m
join document d on d.id = c.document
where m.value ->> 'url' = wanted.url order by wanted.url, d.url, licence, creator

-- judge --
-- The verdict by the pages; a copy that the pages no longer allow is shown no more.
insert into picture (url, host, page, allowed, licence, creator, reason)
values (%(url)s, %(host)s, %(page)s, %(allowed)s, %(licence)s, %(creator)s, %(reason)s)
on conflict (url) do update set page = excluded.page, allowed = excluded.allowed,
    licence = case when picture.state = 'copied' then picture.licence else excluded.licence end,
    creator = case when picture.state = 'copied' then picture.creator else excluded.creator end,
    reason = case when picture.state = 'wanted' or not excluded.allowed then excluded.reason else picture.reason end
where (picture.allowed, picture.page) is distinct from (excluded.allowed, excluded.page)

-- take --
-- One picture that is due, for so long; several workers take different ones.
update picture set leased_until = lumbung_now() + make_interval(secs => %(seconds)s), tries = tries + 1
where url = (select url from picture where state = 'wanted' and allowed and due_at <= lumbung_now()
             and (leased_until is null or leased_until <= lumbung_now()) order by due_at, url limit 1 for update skip locked)
returning url, host, page, tries

-- later --
update picture set leased_until = null, due_at = lumbung_now() + make_interval(secs => %(seconds)s), reason = %(reason)s,
    tries = tries - %(free)s::integer
where url = %(url)s and state = 'wanted'

-- refer --
update picture set state = 'reference', leased_until = null, reason = %(reason)s, statements = %(statements)s
where url = %(url)s and state = 'wanted'

-- keep_copy --
update picture set state = 'copied', leased_until = null, digest = %(digest)s, content_type = %(content_type)s, width = %(width)s,
    height = %(height)s, bytes = %(bytes)s, licence = %(licence)s, licence_url = %(licence_url)s, creator = %(creator)s,
    reason = %(reason)s, statements = %(statements)s, copied_at = clock_timestamp()
where url = %(url)s and state = 'wanted' and allowed

-- entries_showing --
select identity from entry where owner = 'machine' and media <> '[]' and media @> jsonb_build_array(jsonb_build_object('url', %(url)s::text))

-- place --
-- The files of machine entries are the copies of the pictures they show: the same whoever came first.
update entry e set files = f.files, updated_at = clock_timestamp()
from (
    select w.identity, coalesce(jsonb_agg(jsonb_build_object('url', p.url, 'digest', p.digest, 'content_type', p.content_type,
            'width', p.width, 'height', p.height, 'licence', p.licence, 'licence_url', p.licence_url, 'creator', p.creator,
            'page', p.page, 'caption', coalesce(m.value ->> 'caption', '')) order by p.url) filter (where p.url is not null), '[]') as files
    from entry w left join lateral jsonb_array_elements(w.media) m on true
    left join picture p on p.url = m.value ->> 'url' and p.state = 'copied' and p.allowed and not w.sensitive
    where w.identity = any (%(identities)s) and w.owner = 'machine' group by w.identity
) f
where e.identity = f.identity and e.owner = 'machine' and e.files is distinct from f.files

-- seconds_to_next --
select extract(epoch from min(greatest(due_at, coalesce(leased_until, due_at))) - lumbung_now())::float8 as seconds from picture where state = 'wanted' and allowed

-- unfinished --
-- Pictures that are being fetched or can be now; hosts that rest or are stopped hold nothing up.
select exists (select 1 from picture p left join host h on h.name = p.host
    where p.state = 'wanted' and p.allowed and (p.leased_until > lumbung_now() or p.due_at <= lumbung_now() + interval '5 seconds')
      and h.stopped is null and (h.cooldown_until is null or h.cooldown_until <= lumbung_now())) as waits

-- public_copy --
-- A copy is served while a published entry shows it openly.
select p.digest, p.content_type from picture p
where p.digest = %(digest)s and p.state = 'copied' and p.allowed and exists (
    select 1 from entry e where e.media <> '[]' and e.media @> jsonb_build_array(jsonb_build_object('url', p.url)) and e.status = 'published'
      and not is_withheld(e))
limit 1

-- counts --
select case when allowed then state else 'reference' end as state, count(*) as pictures from picture group by 1 order by 1

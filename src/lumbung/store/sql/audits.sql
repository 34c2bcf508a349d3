-- Samples, labels, releases, the digest of the human corpus and notices. Owned by governance.

-- unconsidered --
-- Publications that had no chance to be sampled yet; each is taken by one steward.
select p.id, p.entry, e.status, e.category, e.sensitive, (i.content ->> 'probability')::float8 as probability
from publication p join entry e on e.identity = p.entry left join item i on i.identity = p.entry
where not p.considered order by p.id limit %(limit)s for update of p skip locked

-- consider --
update publication set considered = true where id = any (%(ids)s)

-- unconsidered_refusals --
select id, stage, subject, reason, detail from refusal where inclusion is null order by id limit %(limit)s for update skip locked

-- consider_refusals --
update refusal set inclusion = %(inclusion)s where id = any (%(ids)s)

-- unconsidered_skips --
select d.id, d.subject, d.evidence, d.facts, c.category, c.name, t.url from decision d
left join candidate c on c.digest = d.subject left join document t on t.id = c.document
where d.node = 'novelty' and d.verdict = 'skip' and not exists (select 1 from considered_decision k where k.decision = d.id)
order by d.id limit %(limit)s

-- consider_skips --
insert into considered_decision (decision, inclusion) select unnest(%(ids)s::bigint[]), %(inclusion)s on conflict do nothing

-- salt --
select hash from action where seq = 1

-- add --
insert into sample (kind, stage, subject, attribute, value_key, category, stratum, inclusion, confidence, sensitive, flagged, second_reading, place, shown, gold)
values (%(kind)s, %(stage)s, %(subject)s, %(attribute)s, %(value_key)s, %(category)s, %(stratum)s, %(inclusion)s, %(confidence)s, %(sensitive)s,
    %(flagged)s, %(second_reading)s, %(place)s, %(shown)s, %(gold)s)
on conflict do nothing returning id

-- get --
select * from sample where id = %(id)s

-- seal --
-- What the log holds of a sample.
select sample_seal(s) ->> 'digest' as digest from sample s where id = %(id)s

-- labels_of --
select id, sample, person, reading, verdict, novelty, error_kind, note, changed, action, at from label_now where sample = %(sample)s order by reading

-- label --
insert into label (sample, person, reading, verdict, novelty, error_kind, note, changed, action)
values (%(sample)s, %(person)s, %(reading)s, %(verdict)s, %(novelty)s, %(error_kind)s, %(note)s, %(changed)s, %(action)s) returning id

-- withdraw_label --
insert into label_withdrawal (label, action) values (%(label)s, %(action)s)

-- last_label --
-- What this person said last of a sample that nobody else has read, not longer ago than so many seconds.
select l.id, l.sample, l.action, l.changed, s.category, s.subject, coalesce(s.shown ->> 'title', s.subject) as title
from label_now l join sample s on s.id = l.sample
where l.person = %(person)s and (%(sample)s::bigint is null or l.sample = %(sample)s) and l.at > lumbung_now() - make_interval(secs => %(seconds)s)
  and not exists (select 1 from label_now o where o.sample = l.sample and o.id <> l.id)
order by l.id desc limit 1

-- waiting --
-- What this person may read next: unread samples, and second readings of what somebody else read.
select s.id, s.kind, s.stage, s.category, s.stratum, s.inclusion, s.sensitive, s.flagged, s.place, s.sampled_at from sample s
where not exists (select 1 from label_now l where l.sample = s.id and l.person = %(person)s)
  and (select count(*) from label_now l where l.sample = s.id) < case when s.second_reading then 2 else 1 end
  and (%(category)s::text is null or s.category = %(category)s)

-- disputed --
select s.id, s.category, s.subject, s.attribute, s.shown, jsonb_agg(jsonb_build_object('verdict', l.verdict, 'error_kind', l.error_kind, 'note', l.note) order by l.reading) as readings
from sample s join label_now l on l.sample = s.id group by s.id
having count(distinct l.verdict) > 1 and not bool_or(l.reading = 3) order by s.id

-- samples --
-- Every sample with its verdict: the adjudicated one, or the one on which all readings agree; null while it is open.
-- What was labelled before a line of the log can be left out.
select s.id, s.kind, s.stage, s.subject, s.attribute, s.value_key, s.category, s.stratum, s.inclusion, s.confidence, s.sensitive, s.flagged,
    s.second_reading, s.sampled_at, v.verdict, v.novelty, v.error_kind, v.labelled_at, v.line, v.readings, v.changed
from sample s left join lateral (
    select case when bool_or(l.reading = 3) then max(l.verdict) filter (where l.reading = 3)
                when count(distinct l.verdict) = 1 then max(l.verdict) end as verdict,
        max(l.novelty) as novelty, max(l.error_kind) as error_kind, max(l.at) as labelled_at, max(l.action) as line, count(*) as readings, bool_or(l.changed) as changed
    from label_now l where l.sample = s.id) v on true
where s.kind = any (%(kinds)s) and (%(stage)s::text is null or s.stage = %(stage)s) and (%(category)s::text is null or s.category = %(category)s)
  and (%(after)s::bigint is null or v.line is null or v.line > %(after)s)
order by v.line nulls last, s.id

-- source_urls --
select id, array(select source ->> 'url' from jsonb_array_elements(shown -> 'sources') source) as urls from sample where id = any (%(samples)s)

-- source_engines --
-- What read the quotes that sampled facts were shown with: the family of each extractor, whatever its version.
select s.id, array_agg(distinct split_part(split_part(c.extractor, '/', 1), '-', 1)) as engines
from sample s cross join jsonb_array_elements(s.shown -> 'sources') source join document d on d.url = source ->> 'url'
join claim k on k.document = d.id and k.quote = source ->> 'quote' and k.attribute = s.attribute join candidate c on c.digest = k.candidate
where s.id = any (%(samples)s) group by s.id

-- readings --
-- All readings by sample, for agreement.
select sample, person, reading, verdict from label_now where reading < 3 order by sample, reading

-- calibrated_at --
select since from governed_now where name = 'fusion.calibration' and value <> '[]'

-- gold_wanted --
select ceil(%(share)s::float8 * count(*) filter (where s.kind <> 'gold'))::integer - count(*) filter (where s.kind = 'gold') as wanted
from sample s where not exists (select 1 from label_now l where l.sample = s.id)

-- settled --
-- In the random order of their places, so that gold is no choice of anybody's.
select s.*, v.verdict from sample s join lateral (
    select case when bool_or(l.reading = 3) then max(l.verdict) filter (where l.reading = 3)
                when count(*) >= 2 and count(distinct l.verdict) = 1 then max(l.verdict) end as verdict
    from label_now l where l.sample = s.id) v on v.verdict in ('correct', 'incorrect')
where s.kind = 'publication' and not exists (select 1 from sample g where g.kind = 'gold' and g.stage = s.stage and g.subject = s.subject
      and g.attribute = s.attribute and g.value_key = s.value_key)
order by s.place, s.id limit %(limit)s

-- gold_results --
select l.person, count(*) as read, count(*) filter (where l.verdict = s.gold) as right
from label_now l join sample s on s.id = l.sample where s.kind = 'gold' group by l.person order by l.person

-- label_authors --
select distinct l.person from label_now l join sample s on s.id = l.sample where s.category = %(category)s and s.kind <> 'gold' and l.action > %(after)s

-- line_of --
-- The line of the log that set a row's present value.
select coalesce(max(action), 0) as line from governed_now where name = %(name)s

-- silence --
-- For how long somebody could have read something and nobody did, on the database's own clock.
select extract(epoch from lumbung_now() - greatest(
    (select min(s.sampled_at) from sample s where s.category = %(category)s and s.stage = 'publish' and not exists (select 1 from label_now l where l.sample = s.id)),
    (select max(l.at) from label_now l join sample s on s.id = l.sample where s.category = %(category)s)))::float8 as seconds

-- loop --
-- Whether labels change anything, and how long samples wait.
select (select count(*) from label_now) as labels, (select count(*) from label_now where changed) as changed,
    (select count(*) from sample s where not exists (select 1 from label_now l where l.sample = s.id)) as unread,
    (select extract(epoch from lumbung_now() - min(s.sampled_at))::float8 from sample s where not exists (select 1 from label_now l where l.sample = s.id)) as oldest_unread_seconds

-- facts_below --
select count(*) as facts from fact f join entry e on e.identity = f.entry
where e.owner = 'machine' and e.status = 'published' and f.state = 'published' and f.probability < %(threshold)s and e.sensitive = %(sensitive)s

-- lock_trickle --
select pg_advisory_xact_lock(7231005)

-- released --
-- How many were released in the last 24 hours of the database's own clock.
select count(*) as entries from trickle_release where at > lumbung_now() - interval '24 hours'

-- draw_held --
-- Held entries at random, their items locked, so that no publication writes over the release. An undone release is not
-- repeated by chance: the entry waits until it is written anew.
select e.identity, e.category, e.batch, e.digest from entry e join item i on i.identity = e.identity
where e.status = 'held' and e.owner = 'machine' and e.category = any (%(categories)s)
  and not exists (select 1 from publication p join batch b on b.id = p.batch where p.entry = e.identity and b.undone_at is not null
                  and p.id = (select max(n.id) from publication n where n.entry = e.identity))
order by random() limit %(limit)s for update of i skip locked

-- release --
update entry set status = 'published', revision = revision + 1, updated_at = clock_timestamp(), published_at = coalesce(published_at, clock_timestamp())
where identity = %(identity)s and owner = 'machine' and status = 'held' returning revision

-- note_release --
insert into trickle_release (entry, category) values (%(entry)s, %(category)s)

-- changed_humans --
-- Entries of people's that are not what their last revision says, or not shown as was last said of them: somebody wrote past the actions. What a
-- revision does not hold is not compared; one without a status was published; a contributor and a licence stand until another is named.
with marks as (
    select a.subject as identity, (array_agg(a.effect -> 'after' order by a.seq desc) filter (where a.verb = 'set-labels'))[1] as labels,
        (array_agg(a.effect -> 'hidden' order by a.seq desc) filter (where a.verb = 'hide-entry'))[1] as hidden
    from action a where a.verb in ('set-labels', 'hide-entry') group by a.subject)
select f.identity, f.fault from (
    select e.identity, case when r.entry is null then 'it has no revision' when e.owner <> 'human' then 'it is no longer people''s'
        when coalesce(r.content ->> 'status', 'published') <> e.status or exists (
            select 1 from jsonb_each(jsonb_build_object('title', e.title, 'body', e.body, 'category', e.category, 'aliases', e.aliases,
                'regions', e.regions, 'primary_region', e.primary_region, 'files', e.files, 'library', e.library, 'remote_id', e.remote_id,
                'remote_revision', e.remote_revision)) n
            where r.content ? n.key and r.content -> n.key <> n.value) then 'it differs from its last revision'
        when exists (select 1 from jsonb_each_text(jsonb_build_object('contributor', e.contributor, 'licence', e.licence)) n
            cross join lateral (select (array_agg(p.content ->> n.key order by p.number desc) filter (where p.content ->> n.key is not null))[1] as said
                from revision p where p.entry = e.identity and p.owner = 'human' and p.content ? n.key having count(*) > 0) p
            where coalesce(n.value, '') <> coalesce(p.said, ''))
            then 'its contributor or licence differs from its revisions'
        when coalesce(m.labels, '[]') <> e.labels or coalesce(m.hidden, 'false') <> to_jsonb(e.hidden)
            then 'it is not shown as was last said of it' end as fault
    from entry e left join marks m on m.identity = e.identity
    left join lateral (select r.entry, r.owner, r.content from revision r where r.entry = e.identity order by r.number desc limit 1) r on true
    where e.owner = 'human' or r.owner = 'human') f
where f.fault is not null order by f.identity limit %(limit)s

-- lost_humans --
select distinct r.entry as identity, 'it was deleted' as fault from revision r
where r.owner = 'human' and not exists (select 1 from entry e where e.identity = r.entry)
  and not exists (select 1 from action a where a.verb = 'explain-corpus-change'
                  and a.effect -> 'records' @> jsonb_build_array(jsonb_build_object('identity', r.entry)))
order by r.entry limit %(limit)s

-- digest_now --
-- Only what can no longer be in an open transaction is digested.
insert into human_corpus_digest (as_of, entries, revisions, digest)
select t.until, h.entries, h.revisions, h.digest from (select clock_timestamp() - make_interval(secs => %(settled_seconds)s) as until) t, human_corpus(t.until) h
returning as_of, entries, revisions, digest

-- digest_due --
select not exists (select 1 from human_corpus_digest where at > clock_timestamp() - interval '1 hour') as due

-- digests --
select id, as_of, entries, revisions, digest, at from human_corpus_digest order by id desc limit %(limit)s

-- differing_digests --
-- Digests of the past, made again now: a revision that was edited, deleted or slipped in shows.
select d.id, d.as_of, d.revisions as revisions_then, h.revisions as revisions_now
from (select * from human_corpus_digest
      where id > coalesce((select max((a.effect ->> 'digest')::bigint) from action a where a.verb = 'explain-corpus-change'), 0)
      order by id desc limit %(limit)s) d, human_corpus(d.as_of) h
where h.digest <> d.digest order by d.id

-- last_digest --
select coalesce(max(id), 0) as id from human_corpus_digest

-- open_notice --
select exists (select 1 from notice where key = %(key)s and closed_at is null) as open

-- close_key --
update notice set closed_at = clock_timestamp(), closed_by = %(by)s, key = null where key = %(key)s and closed_at is null

-- notify --
insert into notice (kind, subject, detail, key) values (%(kind)s, %(subject)s, %(detail)s, %(key)s) on conflict (key) do nothing returning id

-- notices --
select id, kind, subject, detail, at, closed_at, closed_by from notice
where (%(open)s::boolean is null or (closed_at is null) = %(open)s) order by id desc limit %(limit)s

-- take_unmailed --
-- Notices that nobody was mailed about, for one sender; the same matter is mailed about once a day at most.
update notice n set mailing_until = clock_timestamp() + make_interval(secs => %(seconds)s)
where n.id in (select o.id from notice o where o.mailed_at is null and o.closed_at is null
                 and (o.mailing_until is null or o.mailing_until < clock_timestamp())
                 and not exists (select 1 from notice e where e.kind = o.kind and e.subject = o.subject and e.mailed_at > clock_timestamp() - interval '1 day')
               order by o.id limit %(limit)s for update skip locked)
returning n.id, n.kind, n.subject, n.detail, n.at

-- give_back --
update notice set mailing_until = null where id = any (%(ids)s)

-- mailed --
update notice set mailed_at = clock_timestamp(), mailing_until = null where id = any (%(ids)s)

-- close_notice --
update notice set closed_at = clock_timestamp(), closed_by = %(by)s, key = null
where id = %(id)s and closed_at is null and kind <> 'human-corpus-changed'

-- stage_passed --
-- What each stage let through, beside what it refused, for recall.
select 'crawl' as stage, (select count(*) from document where kind in ('item', 'index'))::float8 as passed
union all select 'extract', (select count(*) from candidate where state = 'live')::float8
union all select 'decide', (select count(*) from item where alive)::float8

-- For how long people have been waited for. Reads entry (the library's) and notice (governance's).

-- oldest_review_seconds --
-- How long the oldest entry for review has waited as it stands.
select coalesce(extract(epoch from clock_timestamp() - min(updated_at)), 0)::float8 from entry where status = 'review' and owner = 'machine'

-- old_notices --
-- Open notices of a kind that are older than this.
select count(*) from notice where kind = %(kind)s and closed_at is null and at < clock_timestamp() - make_interval(secs => %(seconds)s)

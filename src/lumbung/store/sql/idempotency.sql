-- Answers kept under idempotency keys. Owned by the library's interface.

-- lock --
-- Two requests under one key wait for each other, also before the first has an answer.
select pg_advisory_xact_lock(7231006, hashtext(%(person)s::text || ':' || %(key)s))

-- find --
select digest, status, answer from idempotent_request
where person = %(person)s and key = %(key)s and at >= clock_timestamp() - interval '30 days'

-- forget_old --
-- Of this person alone, so that no index is needed; who sends a request again does so within a month.
delete from idempotent_request where person = %(person)s and at < clock_timestamp() - interval '30 days'

-- keep --
insert into idempotent_request (person, key, digest, status, answer) values (%(person)s, %(key)s, %(digest)s, %(status)s, %(answer)s)
on conflict (person, key) do update set digest = excluded.digest, status = excluded.status, answer = excluded.answer, at = clock_timestamp()

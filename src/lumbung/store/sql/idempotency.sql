-- Answers kept under idempotency keys. Owned by the library's interface.

-- find --
select digest, status, answer from idempotent_request where person = %(person)s and key = %(key)s for update

-- keep --
insert into idempotent_request (person, key, digest, status, answer) values (%(person)s, %(key)s, %(digest)s, %(status)s, %(answer)s)

-- People, their grants, sessions, tokens and one-time links. Owned by governance.

-- add --
insert into person (login, name, password_hash, machine) values (%(login)s, %(name)s, %(password_hash)s, %(machine)s)
on conflict (login) do nothing returning id

-- by_login --
select id, login, name, password_hash, totp_secret, machine, failures, blocked_until > clock_timestamp() as blocked
from person where login = %(login)s and erased_at is null

-- get --
select id, login, name, machine, totp_secret is not null as second_factor, erased_at, created_at from person where id = %(id)s

-- all --
-- Everybody with the grants in force.
select p.id, p.login, p.name, p.machine, p.totp_secret is not null as second_factor, p.created_at,
    coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'role', g.role, 'scope', g.scope, 'expires_at', g.expires_at) order by g.id)
              from role_grant g where g.person = p.id and g.revoked_at is null
                and (g.expires_at is null or g.expires_at > clock_timestamp())), '[]') as grants
from person p where p.erased_at is null order by p.id

-- set_password --
update person set password_hash = %(password_hash)s, failures = 0, blocked_until = null where id = %(id)s and not machine and erased_at is null

-- use_code --
update person set totp_step = %(step)s where id = %(id)s and (totp_step is null or totp_step < %(step)s) returning id

-- set_totp --
update person set totp_secret = %(secret)s, totp_step = null where id = %(id)s and erased_at is null

-- note_failure --
-- Every failure beyond the fourth blocks twice as long, up to an hour.
update person set failures = failures + 1,
    blocked_until = case when failures >= 4 then clock_timestamp() + least(interval '1 hour', interval '15 seconds' * power(2, least(failures - 4, 10))) end
where id = %(id)s

-- forget_failures --
update person set failures = 0, blocked_until = null where id = %(id)s and failures > 0

-- erase --
update person set login = null, name = null, password_hash = null, totp_secret = null, erased_at = clock_timestamp()
where id = %(id)s and erased_at is null

-- end_all --
with sessions as (delete from web_session where person = %(id)s returning 1)
update api_token set revoked_at = clock_timestamp() where person = %(id)s and revoked_at is null

-- grants_of --
-- The grants in force; what has expired or was revoked does not count.
select role, scope from role_grant g join person p on p.id = g.person
where g.person = %(person)s and p.erased_at is null and g.revoked_at is null and (g.expires_at is null or g.expires_at > clock_timestamp())

-- grant_history --
select id, person, role, scope, granted_by, granted_at, expires_at, revoked_at, revoked_by from role_grant
where person = %(person)s order by id

-- grant --
insert into role_grant (person, role, scope, granted_by, expires_at)
values (%(person)s, %(role)s, %(scope)s, %(granted_by)s, %(expires_at)s) returning id

-- revoke --
update role_grant set revoked_at = clock_timestamp(), revoked_by = %(by)s
where person = %(person)s and role = %(role)s and (%(scope)s::text is null or scope = %(scope)s) and revoked_at is null returning id

-- holders --
-- How many people hold a role of governance.
select count(distinct g.person) as people from role_grant g join person p on p.id = g.person
where p.erased_at is null and not p.machine and g.revoked_at is null and (g.expires_at is null or g.expires_at > clock_timestamp())
  and g.role in ('operator', 'curator', 'approver', 'auditor', 'guardian')

-- accounts --
select count(*) as people from person where not machine and erased_at is null

-- open_session --
insert into web_session (token_hash, person, expires_at, csrf)
values (%(token_hash)s, %(person)s, clock_timestamp() + make_interval(secs => %(seconds)s), %(csrf)s)

-- session --
-- A session that is used stays; one left alone for its idle time is over.
update web_session s set seen_at = clock_timestamp() from person p
where s.token_hash = %(token_hash)s and p.id = s.person and p.erased_at is null and s.expires_at > clock_timestamp()
  and s.seen_at > clock_timestamp() - make_interval(secs => %(idle_seconds)s)
returning s.person, s.csrf, s.expires_at

-- close_session --
delete from web_session where token_hash = %(token_hash)s

-- issue_token --
insert into api_token (token_hash, person, name, scopes, expires_at) values (%(token_hash)s, %(person)s, %(name)s, %(scopes)s, %(expires_at)s)

-- token --
select t.person, t.scopes, p.machine from api_token t join person p on p.id = t.person
where t.token_hash = %(token_hash)s and t.revoked_at is null and p.erased_at is null and (t.expires_at is null or t.expires_at > clock_timestamp())

-- tokens_of --
select name, scopes, created_at, expires_at, revoked_at from api_token where person = %(person)s order by created_at

-- revoke_token --
update api_token set revoked_at = clock_timestamp() where person = %(person)s and name = %(name)s and revoked_at is null

-- add_link --
insert into one_time_link (token_hash, purpose, person, expires_at)
values (%(token_hash)s, %(purpose)s, %(person)s, clock_timestamp() + make_interval(secs => %(seconds)s))

-- drop_links --
delete from one_time_link where purpose = %(purpose)s and used_at is null and person is not distinct from %(person)s

-- use_link --
update one_time_link set used_at = clock_timestamp()
where token_hash = %(token_hash)s and purpose = %(purpose)s and used_at is null and expires_at > clock_timestamp() returning person

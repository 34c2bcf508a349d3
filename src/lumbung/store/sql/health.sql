-- What `lumbung doctor` asks the database about itself.

-- logins --
select rolsuper, rolbypassrls, (select count(*) from pg_tables where tableowner = current_user) as owned from pg_roles where rolname = current_user

-- unforced --
select relname from pg_class where relname in ('entry', 'fact', 'fact_claim', 'revision', 'redirect') and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)

-- unlicensed --
-- People's entries that readers see, and of which nobody said under which licence.
select count(*) as entries from entry where owner = 'human' and status = 'published' and licence is null

-- version --
select current_setting('server_version') as version

-- sees_schema --
-- Whether this login may see which migrations were applied; not in an empty database, nor in one of an old program.
select coalesce(has_table_privilege(to_regclass('schema_migration'), 'select'), false) as seen

-- applied --
select number from schema_migration

-- What each login may do. The machine's login is bound by forced row security: human-owned rows and tombstones are out of its reach.
-- The names of the two roles are handed in by the migration runner.

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
    t text;
begin
    execute format('grant usage on schema public to %I, %I', machine, people);
    execute format('grant select on all tables in schema public to %I, %I', machine, people);
    execute format('grant usage on all sequences in schema public to %I, %I', machine, people);
    execute format('grant execute on all functions in schema public to %I, %I', machine, people);
    execute format('revoke select on web_session, api_token, one_time_link from %I', machine);
    execute format('revoke select on person from %I', machine);
    execute format('grant select (id, machine) on person to %I', machine);

    foreach t in array array['job', 'outbox', 'worker', 'stage_figure', 'stage', 'host', 'frontier', 'document', 'page_text',
        'encyclopaedia_sketch', 'entry_sketch', 'robots_archive', 'fetch_figure', 'offspring', 'candidate', 'claim', 'reading', 'feature', 'refusal', 'batch',
        'entry', 'redirect', 'fact', 'fact_claim', 'revision', 'index_fact', 'pair_verdict', 'item', 'item_member', 'decision', 'publication'] loop
        execute format('grant insert, update, delete on %I to %I', t, machine);
        execute format('grant insert, update, delete on %I to %I', t, people);
    end loop;
    foreach t in array array['person', 'role_grant', 'request', 'sign_off', 'web_session', 'api_token', 'one_time_link', 'governed', 'human_act'] loop
        execute format('grant insert, update, delete on %I to %I', t, people);
    end loop;

    foreach t in array array['entry', 'fact', 'fact_claim', 'revision', 'redirect'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format('create policy people_do_all on %I to %I using (true) with check (true)', t, people);
        execute format('create policy owner_does_all on %I to %I using (true) with check (true)', t, current_user);
        execute format('create policy machine_reads on %I for select to %I using (true)', t, machine);
    end loop;

    execute format($p$create policy machine_adds on entry for insert to %I with check (owner = 'machine' and status <> 'tombstone')$p$, machine);
    execute format($p$create policy machine_changes_its_own on entry for update to %I using (owner = 'machine') with check (owner = 'machine')$p$, machine);

    execute format($p$create policy machine_writes_its_facts on fact to %I
        using (exists (select 1 from entry e where e.identity = fact.entry and e.owner = 'machine'))
        with check (exists (select 1 from entry e where e.identity = fact.entry and e.owner = 'machine'))$p$, machine);
    execute format($p$create policy machine_writes_its_sources on fact_claim to %I
        using (exists (select 1 from fact f join entry e on e.identity = f.entry where f.id = fact_claim.fact and e.owner = 'machine'))
        with check (exists (select 1 from fact f join entry e on e.identity = f.entry where f.id = fact_claim.fact and e.owner = 'machine'))$p$, machine);
    execute format($p$create policy machine_adds_its_revisions on revision for insert to %I
        with check (owner = 'machine' and exists (select 1 from entry e where e.identity = revision.entry and e.owner = 'machine'))$p$, machine);
    execute format($p$create policy machine_redirects_its_own on redirect to %I
        using (not exists (select 1 from entry e where e.identity = redirect.identity and e.owner = 'human'))
        with check (not exists (select 1 from entry e where e.identity = redirect.identity and e.owner = 'human'))$p$, machine);
end
$$;

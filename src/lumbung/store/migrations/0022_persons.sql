-- Nobody but a person speaks for one. Owned by the store.

-- What people say of a pair is a human act; a verdict is a rule's or an agent's.
alter table pair_verdict drop constraint pair_verdict_decided_by_check;
alter table pair_verdict add constraint pair_verdict_decided_by_check check (decided_by in ('rule', 'agent'));

alter policy machine_adds_its_revisions on revision
    with check (owner = 'machine' and person is null and exists (select 1 from entry e where e.identity = revision.entry and e.owner = 'machine'));

-- Whoever approved a fact stands in the log.
alter table fact drop column approved_by;

-- What harvesters ask for has an index in the order in which they ask; how entries of people's are shown is known from the log. Owned by the library.

create index entry_changes on entry (date_trunc('second', updated_at at time zone 'UTC'), identity) where published_at is not null;
comment on index entry_changes is 'Records of OAI-PMH, a page at a time: what stands in the library and what once stood there.';

-- Labels and hiding that came with an import stand in no line of the log yet.
select action_append(null, 'set-labels', e.identity, 'found when the schema was brought up to date', jsonb_build_object('after', e.labels))
from entry e where e.owner = 'human' and e.labels <> '[]'
  and not exists (select 1 from action a where a.verb = 'set-labels' and a.subject = e.identity);
select action_append(null, 'hide-entry', e.identity, 'found when the schema was brought up to date', jsonb_build_object('hidden', true))
from entry e where e.owner = 'human' and e.hidden
  and not exists (select 1 from action a where a.verb = 'hide-entry' and a.subject = e.identity);

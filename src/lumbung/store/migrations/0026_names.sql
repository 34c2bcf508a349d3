-- Whoever bears a name is found by it, however many candidates and entries there are. Owned by decide.

create index candidate_names on candidate (name_key);
create index candidate_aliases on candidate using gin (alias_keys) with (fastupdate = off) where alias_keys <> '{}';
create index entry_aliases on entry using gin (alias_keys) with (fastupdate = off) where owner = 'human' and alias_keys <> '{}';

-- What is looked up for every page or item is found by an index, however much there is. Owned by decide.

-- Whoever bears a name.
create index candidate_names on candidate (name_key);
create index candidate_aliases on candidate using gin (alias_keys) with (fastupdate = off) where alias_keys <> '{}';
create index entry_aliases on entry using gin (alias_keys) with (fastupdate = off) where owner = 'human' and alias_keys <> '{}';

-- What a page gave, for the learned priority, and what must go with it.
create index claim_document on claim (document);

-- Skips, for the audit's samples.
create index decision_skips on decision (id) where node = 'novelty' and verdict = 'skip';

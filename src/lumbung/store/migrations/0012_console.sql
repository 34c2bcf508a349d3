-- Indexes by which the console's queues are paged. Owned by the library, the audit and the runtime as their tables are.

create index entry_review on entry ((not sensitive), updated_at, identity) where status = 'review' and owner = 'machine';
create index entry_of_status on entry (status, coalesce(category, ''), title, identity) where owner = 'machine';
create index entry_hidden on entry (title, identity) where hidden;
create index sample_place on sample ((not sensitive), place, id);
create index pair_verdict_unsure on pair_verdict (score desc, a) where verdict = 'unsure';
create index publication_at on publication (at);
create index fact_waiting on fact (probability desc, id) where state = 'waiting';

-- Claims in the grey zone of novelty, for the people who decide. Owned by decide.

create index decision_grey on decision (id) where node = 'novelty' and evidence ? 'grey';

-- What the validation agent says of a value beside the quotes of what is held.
alter table validation drop constraint validation_verdict_check;
alter table validation add constraint validation_verdict_check check (verdict in ('supported', 'contradicted', 'unsure', 'restated', 'added'));

-- How many candidates are in each state, for those who watch the system: counted in an index, however many there are. Owned by extract.

create index candidate_states on candidate (state);

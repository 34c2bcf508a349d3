-- What the validation agent found about facts near their threshold, and how far apart copies in other languages are told. Owned by decide.

create table validation (
    question text primary key,
    verdict text not null check (verdict in ('supported', 'contradicted', 'unsure')),
    evidence jsonb not null,
    versions jsonb not null,
    at timestamptz not null default clock_timestamp()
);
comment on table validation is 'One answer for each attribute, value and set of claims; other claims make another question.';

create table document_landmarks (
    document bigint primary key references document (id) on delete cascade,
    landmarks bigint[] not null
);
comment on table document_landmarks is 'Sketch of the names and numbers of a page in their order: what a translation carries over.';

do $$
begin
    execute format('grant select, insert, update, delete on validation, document_landmarks to %I', current_setting('lumbung.machine_role'));
    execute format('grant select on validation, document_landmarks to %I', current_setting('lumbung.people_role'));
end
$$;

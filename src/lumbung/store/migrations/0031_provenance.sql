-- Whose page a document is, and where it says it was taken from: pages of one origin are one witness.

alter table document
    add column publisher text not null default '',
    add column origins text[] not null default '{}';

-- Names that comparison may take for one are found however many others are near: by words up to their spelling. Owned by encode.

alter table feature add column rests smallint[] not null default '{}';
comment on column feature.rests is 'Of each of the words: how many other distinguishing words its name has at least.';
alter table feature_word add column rest smallint not null default 0;
comment on column feature_word.rest is 'How many other distinguishing words the name has at least; who asks with fewer is not meant.';

create or replace function word_features() returns trigger language plpgsql security definer set search_path = public as $$
begin
    insert into feature_word (version, category, word, province, node, rest)
    select n.version, n.category, w.word, n.province, n.node, coalesce(w.rest, 0) from added n, unnest(n.words, n.rests) as w (word, rest)
    on conflict do nothing;
    return null;
end
$$;

create table name_spelling (
    piece text not null,
    word text not null,
    primary key (piece, word)
);
comment on table name_spelling is 'The words of all names by their pieces: of two words with few slips between them, one piece stands unharmed in the other.';

do $$
begin
    execute format('grant select, insert on name_spelling to %I', current_setting('lumbung.machine_role'));
    execute format('grant select on name_spelling to %I', current_setting('lumbung.people_role'));
end
$$;

-- Whose name has this word, block by block: what a walk through a graph misses shares a rare word with who asks. Owned by encode.

alter table feature add column words text[] not null default '{}';
comment on column feature.words is 'The words of the node''s names under their canonical keys.';

create table feature_word (
    version integer not null,
    category text not null,
    word text not null,
    province text not null,
    node text not null,
    primary key (version, category, word, province, node)
);
comment on table feature_word is 'The nodes of the index by the words of their names; follows feature by trigger. Nodes that were encoded before it was there are found by their vectors alone.';

create function word_features() returns trigger language plpgsql security definer set search_path = public as $$
begin
    insert into feature_word (version, category, word, province, node)
    select n.version, n.category, w.word, n.province, n.node from added n, unnest(n.words) as w (word) on conflict do nothing;
    return null;
end
$$;
create function unword_features() returns trigger language plpgsql security definer set search_path = public as $$
begin
    delete from feature_word f using gone g, unnest(g.words) as w (word)
    where f.version = g.version and f.category = g.category and f.word = w.word and f.province = g.province and f.node = g.node;
    return null;
end
$$;
create trigger feature_is_worded after insert on feature referencing new table as added for each statement execute function word_features();
create trigger feature_is_unworded after delete on feature referencing old table as gone for each statement execute function unword_features();

do $$
begin
    execute format('grant select on feature_word to %I, %I', current_setting('lumbung.machine_role'), current_setting('lumbung.people_role'));
end
$$;

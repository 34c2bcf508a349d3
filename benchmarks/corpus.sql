-- What a portion of the corpus is made of, table by table; the rows of the portion stand in bench_entry.

-- prepare --
create table if not exists bench_held (entries bigint not null);
create unlogged table if not exists bench_entry (n bigint, category text, province text, title text, name_key text, alias text, alias_key text, "values" text[],
    body text, names text[], words text[], keys text[], content halfvec(512));
insert into bench_held select 0 where not exists (select 1 from bench_held);
insert into batch (run, category) values ('filling', 'makanan-minuman') on conflict do nothing;
select setval('fact_id_seq', greatest(nextval('fact_id_seq'), 10000000000))

-- document --
insert into document (id, url, final_url, host, domain, digest, status, content_type, kind) overriding system value
select n, 'https://h' || n || '.example/1', 'https://h' || n || '.example/1', 'h' || n || '.example', 'h' || n || '.example', 'd' || n, 200, 'text/html', 'item' from bench_entry

-- page_text --
insert into page_text (document, cleaner, title, text, language, script) select n, '1', title, array_to_string("values", ', '), 'ind', 'Latn' from bench_entry

-- candidate --
insert into candidate (digest, document, cleaner, segment, extractor, name, name_key, aliases, alias_keys, category, regions)
select 'c' || n, n, '1', 0, 'bench', title, name_key, array[alias], array[alias_key], category, array[province] from bench_entry

-- claim --
insert into claim (id, candidate, document, cleaner, attribute, value, value_key, quote, span, language, confidence) overriding system value
select 4 * b.n + f.place - 1, 'c' || b.n, b.n, '1', (%(attributes)s::text[])[f.place], f.value, f.value, f.value,
    int4range(f.start::int, f.start::int + length(f.value)), 'ind', 0.9
from bench_entry b, lateral (select v.value, v.place, sum(length(v.value) + 2) over (order by v.place) - length(v.value) - 2 as start
    from unnest(b."values") with ordinality as v (value, place)) f

-- item --
insert into item (id, identity, category, content, digest) overriding system value
select b.n, 'i' || b.n, b.category, jsonb_build_object('verdict', 'publish', 'reasons', '[]'::jsonb, 'category', b.category, 'title', b.title,
    'name_key', b.name_key, 'aliases', jsonb_build_array(b.alias), 'regions', jsonb_build_array(b.province), 'primary_region', b.province,
    'supplement_of', null, 'sensitive', false, 'probability', 0.95, 'independent', 1, 'media', '[]'::jsonb,
    'facts', (select jsonb_agg(jsonb_build_object('attribute', (%(attributes)s::text[])[v.place], 'value', v.value, 'value_key', v.value,
        'log_odds', 3.0, 'probability', 0.95, 'independent', 1, 'state', 'published', 'flagged', false, 'reason', '', 'rank', 1,
        'claims', jsonb_build_array(4 * b.n + v.place - 1))) from unnest(b."values") with ordinality as v (value, place))), 'd' || b.n
from bench_entry b

-- item_member --
insert into item_member (candidate, item) select 'c' || n, n from bench_entry

-- entry --
insert into entry (identity, owner, status, category, title, name_key, aliases, alias_keys, regions, primary_region, body, digest, batch, published_at)
select 'i' || n, 'machine', 'published', category, title, name_key, array[alias], array[alias_key], array[province], province, body, 'filled',
    (select min(id) from batch), clock_timestamp() from bench_entry

-- fact --
insert into fact (id, entry, attribute, value, value_key, log_odds, probability, independent, state) overriding system value
select 4 * b.n + v.place - 1, 'i' || b.n, (%(attributes)s::text[])[v.place], v.value, v.value, 3.0, 0.95, 1, 'published'
from bench_entry b, unnest(b."values") with ordinality as v (value, place)

-- fact_claim --
insert into fact_claim (fact, claim) select 4 * n + k, 4 * n + k from bench_entry, generate_series(0, 3) k

-- revision --
insert into revision (entry, number, owner, content) select i.identity, 1, 'machine', i.content from bench_entry b join item i on i.id = b.n

-- publication --
insert into publication (entry, batch, revision, digest, library, considered)
select 'i' || n, (select min(id) from batch), 1, 'filled', 'reference', true from bench_entry

-- entry_place --
insert into entry_place (region, category, title, identity) select province, category, title, 'i' || n from bench_entry

-- entry_search --
insert into entry_search (entry, names, words)
select 'i' || n, array_to_tsvector(names) || facets_of(category, array[province]), array_to_tsvector(words) || facets_of(category, array[province]) from bench_entry

-- feature --
insert into feature (node, human, version, category, province, content, words)
select 'c' || n, false, %(version)s, category, province, content, keys from bench_entry

-- feature_word --
insert into feature_word (version, category, word, province, node) select %(version)s, b.category, w.word, b.province, 'c' || b.n from bench_entry b, unnest(b.keys) as w (word)

-- index_block --
insert into index_block (version, category, province, nodes) select %(version)s, category, province, count(*) from bench_entry group by 2, 3
on conflict (version, category, province) do update set nodes = index_block.nodes + excluded.nodes

-- held --
update bench_held set entries = %(held)s

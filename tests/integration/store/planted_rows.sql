-- What an installation of each schema has stored when the next migration comes: rows of the tables that schema made or changed.

-- schema 1 --
select lumbung_beat('boot-one', 100.5);
update stage set paused_reason = 'hujan', paused_until = '2026-01-02 03:04:05+00' where name = 'publish';
insert into job (stage, key, payload, state, attempts, due, capability, reason, trace) values
    ('extract', 'ready', '{"document": 1}', 'ready', 0, null, null, null, null),
    ('encode', 'waiting', '{}', 'waiting', 3, '2026-01-01 00:00:00+00', null, null, null),
    ('decide', 'parked', '{}', 'parked', 1, null, 'translation', null, null),
    ('publish', 'dead', '{"entry": "m"}', 'dead', 8, null, null, 'the library answered 500', '00-aa-bb-01'),
    ('steward', 'done', '{}', 'done', 1, null, null, null, null);
insert into outbox (stage, jobs) values ('extract', '{1}');
insert into worker (id, stages, host, pid) values ('11111111-1111-1111-1111-111111111111', '{extract,encode}', 'mesin', 4242);
insert into stage_figure values ('extract', '2026-01-01 00:00:00+00', 'done', 12, 3.5);

-- schema 2 --
insert into person (login, name, password_hash, totp_secret, machine, erased_at) values
    ('siti', 'Siti', 'argon2-siti', 'RAHASIA', false, null),
    ('budi', 'Budi', 'argon2-budi', null, false, null),
    ('mesin', null, null, null, true, null),
    (null, null, null, null, false, '2026-01-05 00:00:00+00');
insert into role_grant (person, role, scope, granted_by, revoked_at, revoked_by) values
    (1, 'guardian', '*', null, null, null), (2, 'auditor', 'ID-SB', 1, null, null), (2, 'curator', '*', 1, '2026-01-03 00:00:00+00', 1);
select action_append(1, 'install', 'pdbi', 'first day', '{"profile": "pdbi"}');
select action_append(1, 'set', 'backoff.factor', 'slower', '{"to": 3}');
insert into governed (name, version, value, action) values
    ('backoff.factor', 1, '2', 1), ('backoff.factor', 2, '3', 2), ('mode.tari', 1, '"shadow"', 1), ('labels.tari', 1, '[]', 1);
insert into request (verb, subject, payload, reason, asked_by, state, closed_by, closed_at) values
    ('set-mode', 'tari', '{"mode": "trickle"}', 'ready for it', 1, 'open', null, null),
    ('set-mode', 'batik', '{"mode": "trickle"}', 'measured', 1, 'carried out', 2, '2026-01-04 00:00:00+00');
insert into sign_off (request, risk, person, figures, note) values (2, 'culture', 2, '{"read": 50}', 'read with the community');
insert into web_session values ('session-hash', 1, default, default, '2027-01-01 00:00:00+00', 'csrf');
insert into api_token (token_hash, person, name, scopes) values ('token-hash', 3, 'penerbit', '{write}');
insert into one_time_link (token_hash, purpose, person, expires_at) values ('link-hash', 'password', 2, '2027-01-01 00:00:00+00');

-- schema 3 --
insert into host (name, domain, delay_seconds, waiting, best, pages, opted_out, robots_status, robots, robots_until, robots_delay_seconds, stopped) values
    ('museum.example', 'museum.example', 5, 1, 0.7, 3, false, 200, 'User-agent: *', '2026-01-02 00:00:00+00', 7, null),
    ('tutup.example', 'tutup.example', null, 0, 0, 1, true, null, null, null, null, 'the owner asked');
insert into frontier (url, url_key, host, priority, depth, state, leased_until, lease, reason, tranche, features) values
    ('http://museum.example/tari-piring', gen_random_uuid(), 'museum.example', 0.9, 0, 'fetched', null, null, null, 'satu', '{0.1,0.2}'),
    ('http://museum.example/batik', gen_random_uuid(), 'museum.example', 0.7, 1, 'waiting', null, null, null, 'satu', null),
    ('http://museum.example/wayang', gen_random_uuid(), 'museum.example', 0.6, 1, 'leased', '2026-01-01 00:01:00+00', gen_random_uuid(), null, null, null),
    ('http://tutup.example/', gen_random_uuid(), 'tutup.example', 0.5, 0, 'refused', null, null, 'robots', null, null);
insert into document (url, final_url, host, domain, digest, status, content_type, body, archive, archive_offset, kind, frontier, tranche, sketch, witness, witness_reason) values
    ('http://museum.example/tari-piring', 'http://museum.example/tari-piring', 'museum.example', 'museum.example', repeat('a', 64), 200, 'text/html', '<p>Tari Piring', null, null, 'item', 1, 'satu', '{1,2,3}', true, null),
    ('http://arsip.example/randai', 'http://arsip.example/randai', 'arsip.example', 'arsip.example', repeat('b', 64), 200, 'text/html', null, 'satu.warc.gz', 120, 'item', null, null, null, true, null),
    ('http://ensiklopedia.example/x', 'http://ensiklopedia.example/x', 'ensiklopedia.example', 'ensiklopedia.example', repeat('c', 64), 200, 'text/html', null, null, null, 'encyclopaedia', null, null, null, false, 'an encyclopaedia');
insert into page_text (document, cleaner, title, text, language, script) values
    (1, 'cleaner-1', 'Tari Piring', 'Tari Piring berasal dari Sumatera Barat.', 'ind', 'Latn'),
    (2, 'cleaner-1', 'Randai', 'Randai berasal dari Minangkabau.', 'ind', 'Latn');
insert into encyclopaedia_sketch values (3, '{4,5,6}');
insert into robots_archive (host, url, status, headers, body) values ('museum.example', 'http://museum.example/robots.txt', 200, '[]', 'User-agent: *');
insert into fetch_figure values ('satu', '2026-01-01 00:00:00+00', 'fetched', 2, 5);
insert into offspring (document, new_links) values (1, 3);

-- schema 4 --
insert into candidate (digest, document, cleaner, segment, extractor, name, name_key, aliases, alias_keys, category, regions, media, state, state_reason, scope) values
    ('c1', 1, 'cleaner-1', 0, 'lexical-1', 'Tari Piring', 'tari piring', '{Tari Piriang}', '{tari piriang}', 'tari', '{ID-SB}', '[{"url": "http://museum.example/p.jpg"}]', 'live', null, 'in'),
    ('c2', 2, 'cleaner-1', 0, 'lexical-1', 'Randai', 'randai', '{}', '{}', null, '{}', '[]', 'parked', 'category', null);
insert into claim (candidate, document, cleaner, attribute, value, value_key, quote, span, language, confidence, retracted) values
    ('c1', 1, 'cleaner-1', 'asal', 'Sumatera Barat', 'sumatera barat', 'berasal dari Sumatera Barat', '[12,39)', 'ind', 0.9, null),
    ('c2', 2, 'cleaner-1', 'asal', 'Minangkabau', 'minangkabau', 'Minangkabau', '[20,31)', 'ind', 0.8, 'a reader said so');
insert into reading (document, extractor, cleaner) values (1, 'lexical-1', 'cleaner-1');
insert into feature (node, human, version, category, province, content) values
    ('c1', false, 1, 'tari', 'ID-SB', array_fill(0.5, array[512])::halfvec(512)), ('h', true, 1, 'tari', 'ID-SB', array_fill(0.25, array[512])::halfvec(512));
insert into refusal (stage, subject, reason) values ('crawl', 'http://tutup.example/', 'robots'), ('extract', '2', 'a name without letters');

-- schema 5 --
insert into batch (run, category) values ('panen-1', 'tari');
update candidate set batch = 1 where digest = 'c1';
insert into entry (identity, owner, status, status_reason, supplement_of, category, title, name_key, aliases, alias_keys, regions, primary_region, body, labels, contributor, licence, remote_id, revision, sensitive, batch, published_at) values
    ('h', 'human', 'published', null, null, 'tari', 'Tari Saman', 'tari saman', '{}', '{}', '{ID-AC}', 'ID-AC', 'Teks orang.', '[{"label": "TK Attribution"}]', 'siti', 'CC-BY-4.0', 'r1', 2, false, null, '2026-01-01 00:00:00+00'),
    ('m', 'machine', 'published', null, null, 'tari', 'Tari Piring', 'tari piring', '{Tari Piriang}', '{tari piriang}', '{ID-SB}', 'ID-SB', '', '[]', null, null, null, 1, false, 1, '2026-01-02 00:00:00+00'),
    ('s', 'machine', 'review', 'one source', 'h', 'tari', 'Tari Saman', 'tari saman', '{}', '{}', '{ID-AC}', 'ID-AC', '', '[]', null, null, null, 1, true, 1, null),
    ('t', 'human', 'tombstone', 'the community asked', null, 'tari', 'Ritus', 'ritus', '{}', '{}', '{}', '-', '', '[]', null, null, null, 1, true, null, null),
    ('w', 'machine', 'withdrawn', 'undone', null, 'tari', 'Tari Keliru', 'tari keliru', '{}', '{}', '{}', '-', '', '[]', null, null, null, 1, false, 1, null);
insert into redirect (identity, target, reason) values ('lama', 'm', 'renamed');
insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state, flagged, reason, rank, approved_by) values
    ('m', 'asal', 'Sumatera Barat', 'sumatera barat', 2.2, 0.9, 1, 'published', false, '', 1, null),
    ('s', 'asal', 'Minangkabau', 'minangkabau', 1.4, 0.8, 1, 'waiting', true, 'one source', 1, 1);
insert into fact_claim values (1, 1), (2, 2);
insert into revision (entry, number, owner, person, content, batch) values
    ('h', 1, 'human', 1, '{"body": "Teks"}', null), ('h', 2, 'human', 1, '{"body": "Teks orang."}', null), ('m', 1, 'machine', null, '{"facts": 1}', 1),
    ('t', 1, 'human', 2, '{"title": "Ritus", "status": "tombstone"}', null);
insert into index_fact values ('h', 2, 'asal', 'Aceh', 'aceh', '[0,4)');
insert into pair_verdict (a, b, score, verdict, decided_by, evidence, versions) values
    ('c1', 'h', 0.2, 'different', 'rule', '{"name": 0.1}', '{"matcher": 1}'), ('c2', 'h', 0.5, 'unsure', 'agent', '{"name": 0.5}', '{"matcher": 1}');
insert into human_act (kind, a, b, value, action, revoked_by) values ('different', 'c1', 'h', '', 1, null), ('approve', 'c2', '', 'asal', 1, 2);
insert into item (identity, category, content, digest) values ('m', 'tari', '{"name": "Tari Piring"}', 'd');
insert into item_member values ('c1', 1);
insert into decision (subject, item, node, verdict, evidence, versions) values ('c1', 1, 'novelty', 'net-new', '{"neighbours": 0}', '{"thresholds": 1}');
insert into publication (entry, batch, revision, digest, library) values ('m', 1, 1, 'd', 'reference');
insert into entry_sketch values ('h', '{7,8,9}');

-- schema 7 --
insert into alarm (kind, subject, detail) values ('budget.overrun', 'extract', '{"job": "1"}');
update budget_window set cap_micros = 700000 where name = 'hour';
select budget_reserve('extract', 'local', 'model', 'job-1', 1000, 60);
select budget_begin(1);
select budget_settle(1, 800, 10, 20);
select budget_reserve('decide', 'local', 'model', 'job-2', 500, 60);
insert into breaker (capability, provider, state, failures, open_until, reason) values ('inference', 'local', 'open', 5, '2026-01-01 01:00:00+00', 'timeouts');
insert into inference_cache (key, model, prompt, subject, answer) values ('k', 'model', 'extract-1', '1', '{"name": "Tari Piring"}');

-- schema 8 --
insert into sample (kind, stage, subject, attribute, value_key, category, stratum, inclusion, confidence, place, shown) values
    ('publication', 'publish', 'm', 'asal', 'sumatera barat', 'tari', 'tari/high', 0.1, 0.9, 0.3, '{"value": "Sumatera Barat"}'),
    ('skip', 'decide', 'c2', '', '', 'tari', 'tari/skip', 0.05, null, 0.6, '{}');
insert into label (sample, person, reading, verdict, error_kind, action) values (1, 2, 1, 'correct', null, 1), (2, 2, 1, 'incorrect', 'wrongly refused', 1);
insert into considered_decision values (1, 0.05);
insert into trickle_release (entry, category) values ('m', 'tari');
insert into human_corpus_digest (as_of, entries, revisions, digest)
select now(), entries, revisions, digest from human_corpus(now());
insert into notice (kind, subject, detail, key) values ('frontier', 'satu', '{"left": 12}', 'frontier:satu');
insert into tranche (name, state, note) values ('satu', 'injected', 'museums');
insert into tranche_seed (tranche, url, category, region) values ('satu', 'http://museum.example/', 'tari', 'ID-SB');
insert into yield_posterior (tranche, category, region, shape, rate, seeds) values ('satu', 'tari', 'ID-SB', 2, 1, 3);

-- schema 9 --
insert into entry_search values ('h', to_tsvector('simple', 'tari saman'), to_tsvector('simple', 'teks orang')), ('m', to_tsvector('simple', 'tari piring'), to_tsvector('simple', 'sumatera barat'));
insert into takedown (entry, requester, contact, reason) values ('m', 'Komunitas', 'surat@example.org', 'sacred');
insert into correction (entry, text) values ('h', 'a word is wrong');
insert into idempotent_request (person, key, digest, status, answer) values (3, 'kunci', 'd', 201, '{"identity": "m"}');

-- schema 10 --
insert into host_policy values ('http://museum.example', 'robots', 'museum.example', 200, 'User-agent: *', '2026-01-02 00:00:00+00');
insert into host_shape values ('museum.example', '/{word}', 3, 2);
insert into crawl_notice (kind, host, text) values ('slow', 'museum.example', 'answers take 20 s');
insert into cited_host values ('arsip.example', 'arsip.example', 4, 'http://museum.example/tari-piring');
insert into priority_model (weights, updates) values ('{"depth": -0.5}', 10);
insert into gate_figure values ('length', 10, 0.5, 8, 6);
insert into gate_pattern values ('{"length": true}', 6);
update frontier set yielded = 1.5, redirects = 1 where id = 1;

-- schema 11 --
select build_block_graph(1, 'tari', 'ID-SB');

-- schema 13 --
update host set quiet_from = '22:00', quiet_until = '05:00', quiet_zone = 'Asia/Jakarta', address = '192.0.2.7' where name = 'museum.example';
update frontier set refetch = 'a correction' where id = 1;
insert into archive_erasure (archive, archive_offset, url) values ('satu.warc.gz', 9, 'http://museum.example/lama');

-- schema 14 --
insert into validation (question, verdict, evidence, versions) values ('q', 'supported', '{"quote": 1}', '{"prompt": 1}');
insert into document_landmarks values (1, '{11,12}');

-- schema 15 --
insert into picture (url, host, page, allowed, licence, reason, state, digest, content_type) values
    ('http://museum.example/p.jpg', 'museum.example', 'http://museum.example/tari-piring', true, 'CC-BY-4.0', 'said on its page', 'copied', repeat('e', 64), 'image/jpeg'),
    ('http://museum.example/q.jpg', 'museum.example', 'http://museum.example/tari-piring', false, null, 'no licence', 'reference', null, null);

-- schema 18 --
update host set leased_wall = '2026-01-01 00:00:00+00' where name = 'museum.example';

-- schema 20 --
insert into blocking_check (node, missed) values ('c1', null);
select settle_block(1, 'tari', 'ID-SB', 100);

-- schema 21 --
insert into matcher_trial (seen, verdict, figures, model) values ('pairs-1', 'no better', '{"f1": 0.9}', '{"name": 1.0}');

-- schema 23 --
insert into archive_leftover (archive) values ('dua.warc.gz');

-- schema 25 --
insert into feature (node, human, version, category, province, content, words) values
    ('c2', false, 1, 'tari', 'ID-SB', array_fill(0.125, array[512])::halfvec(512), '{randai}');

-- schema 27 --
insert into label_withdrawal (label, action) values (2, 1);

-- schema 36 --
insert into archive_check (action, records, ended_at) values (1, 3, '2026-01-02 00:00:00+00');

-- schema 37 --
insert into name_spelling (piece, word) values ('piri', 'piring');

-- schema 45 --
insert into signing_key (period, key) values (1, repeat('k', 43));
insert into request_rate (caller, due) values ('address 192.0.2.7', '2026-01-02 00:00:00+00');

-- schema 51 --
insert into remark (entry, person, text) values ('h', 3, 'Di Solok pun ada.');

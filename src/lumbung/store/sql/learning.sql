-- What the crawl learned from its own pages: weights of the priority, yields of hosts, figures of the gate. Owned by the crawl stage.

-- lock --
select pg_try_advisory_xact_lock(%(lock)s) as locked

-- to_learn --
-- Pages whose outcome downstream is known: refused by the gate, or read by the extractor.
select f.id, f.host, f.features, d.kind,
    (select count(*) from candidate c where c.document = d.id and c.state in ('live', 'parked')) as candidates,
    (select count(distinct fc.fact) from claim k join fact_claim fc on fc.claim = k.id where k.document = d.id) as facts,
    coalesce((select o.new_links from offspring o where o.document = d.id), 0) as new_links,
    d.id is not null as has_page, h.yield_sum / (h.pages + 3) as host_yield
from frontier f join host h on h.name = f.host left join document d on d.frontier = f.id
where f.state = 'fetched' and f.features is not null and f.yielded is null
  and (d.id is null or d.sketch is not null or d.kind <> 'item' or not coalesce((d.gate ->> 'passed')::boolean, false))
order by f.id limit %(limit)s

-- learned --
update frontier set yielded = y.value from unnest(%(ids)s::bigint[], %(yields)s::real[]) as y (id, value) where frontier.id = y.id

-- add_yields --
-- What hosts gave so far, and where that puts them among the others, Eq. (5).
update host set yield_sum = yield_sum + y.value, standing = %(weight)s * (yield_sum + y.value) / (pages + 3)
from (select name, sum(value) as value from unnest(%(hosts)s::text[], %(yields)s::float8[]) as u (name, value) group by name order by name) y
where host.name = y.name

-- settle --
-- Where every host stands once the weight of what hosts gave has moved.
update host set standing = s.standing
from (select name, %(weight)s * yield_sum / (pages + 3) as standing from host where yield_sum > 0 order by name for no key update) s
where host.name = s.name and abs(host.standing - s.standing) > 0.01

-- model --
select weights, firmness, updates, error, since from priority_model

-- keep_model --
insert into priority_model (weights, firmness, updates, error) values (%(weights)s, %(firmness)s, %(updates)s, %(error)s)
on conflict (singleton) do update set weights = excluded.weights, firmness = excluded.firmness, updates = excluded.updates, error = excluded.error

-- reset_model --
delete from priority_model

-- gate_figures --
select filter, runs, seconds, trials, passes from gate_figure

-- gate_patterns --
select verdicts, pages from gate_pattern

-- add_gate_figures --
insert into gate_figure (filter, runs, seconds, trials, passes)
select * from unnest(%(filters)s::text[], %(runs)s::bigint[], %(seconds)s::float8[], %(trials)s::bigint[], %(passes)s::bigint[]) as g (filter, runs, seconds, trials, passes)
order by filter
on conflict (filter) do update set runs = gate_figure.runs + excluded.runs, seconds = gate_figure.seconds + excluded.seconds,
    trials = gate_figure.trials + excluded.trials, passes = gate_figure.passes + excluded.passes

-- add_gate_patterns --
insert into gate_pattern (verdicts, pages) select * from unnest(%(verdicts)s::jsonb[], %(pages)s::bigint[]) as p (verdicts, pages) order by 1
on conflict (verdicts) do update set pages = gate_pattern.pages + excluded.pages

-- newest_document --
select coalesce(max(id), 0) as id from document

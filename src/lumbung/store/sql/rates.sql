-- How often each caller asks, over all web processes. Owned by the web.

-- admit --
-- One row where the request may go on. A due moment that lies further ahead than a burst is of a clock that was set back.
insert into request_rate as r (caller, due) values (%(caller)s, statement_timestamp() + make_interval(secs => %(step)s))
on conflict (caller) do update
set due = greatest(statement_timestamp(), least(r.due, statement_timestamp() + make_interval(secs => %(burst)s))) + make_interval(secs => %(step)s)
where least(r.due, statement_timestamp() + make_interval(secs => %(burst)s)) <= statement_timestamp() + make_interval(secs => %(burst)s - %(step)s)
returning caller

-- wait --
select extract(epoch from least(due - statement_timestamp(), make_interval(secs => %(burst)s)))::double precision - (%(burst)s - %(step)s) as seconds
from request_rate where caller = %(caller)s

-- forget --
delete from request_rate where due < statement_timestamp()

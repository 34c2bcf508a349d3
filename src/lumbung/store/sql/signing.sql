-- Keys that sign what browsers and harvesters bring back. Owned by the web.

-- keys --
-- Those that are believed, the present period's last.
select key, period = %(period)s as present from signing_key where period >= %(period)s - 1 order by period = %(period)s, period

-- period --
select floor(extract(epoch from clock_timestamp()) / 86400 / %(days)s)::integer

-- add --
-- Of several processes that come to a new period together the first one's key holds.
insert into signing_key (period, key) values (%(period)s, %(key)s) on conflict (period) do nothing

-- forget --
delete from signing_key where period < %(period)s - 1

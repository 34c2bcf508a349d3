-- URLs that were leased while leases were still kept by URL wait again: no host's lease will ever end for them. Owned by the crawl.

with back as (
    update frontier f set state = 'waiting', lease = null
    where f.state = 'leased' and not exists (select 1 from host h where h.name = f.host and h.leased_by = f.lease)
    returning f.host, f.priority
), by_host as (
    select host, count(*) as urls, max(priority) as best from back group by host
)
update host set waiting = host.waiting + by_host.urls, best = greatest(host.best, by_host.best) from by_host where host.name = by_host.host;

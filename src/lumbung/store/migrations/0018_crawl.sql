-- The end of a host's lease by the wall clock too. Owned by the crawl.

alter table host add column leased_wall timestamptz;
comment on column host.leased_wall is 'End of the lease by the wall clock: a lease has ended when both clocks say so, so that a leap of one never gives a host to a second crawler.';

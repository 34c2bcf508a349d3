-- Look-ups of known URLs at any size of the frontier. Owned by the crawl.

-- A look-up that finds its page marked as visible to all reads the index alone, and not the far larger table; the marks
-- must therefore follow the growth closely, whatever the size.
alter table frontier set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);

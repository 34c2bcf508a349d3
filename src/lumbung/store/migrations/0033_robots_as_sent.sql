-- What a host says to crawlers is archived as it was sent, like a page. Owned by the crawl stage.

alter table robots_archive add column encoded boolean not null default false;
comment on column robots_archive.encoded is 'The body is still in the content encoding in which it was sent.';

-- Lists of the public pages. Owned by the library.

create index entry_titles on entry (title, identity) where status = 'published';
create index entry_newest on entry (updated_at desc, identity) where status = 'published';
comment on index entry_titles is 'All entries in the order of their titles, a page at a time, whatever their category.';
comment on index entry_newest is 'What came last, for the home page, the feed and the sitemap.';

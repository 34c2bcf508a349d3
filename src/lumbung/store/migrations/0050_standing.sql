-- What a host gave so far counts where hosts are compared, and not in each of its URLs as of the day it was found. Owned by the crawl stage.

alter table host add column standing double precision not null default 0;
comment on column host.standing is 'The host''s own part of Eq. (5): the weight of what it gave so far, times that.';
create index host_standing on host ((best + standing) desc, name) where waiting > 0 and stopped is null;
drop index host_askable;

alter table priority_model add column firmness jsonb;
comment on column priority_model.firmness is 'How firmly the weights are believed, one by one and two by two, in pages.';

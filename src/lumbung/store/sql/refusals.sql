-- Recorded refusals of every stage, sampled for labels. Owned by the stage that refuses.

-- add --
insert into refusal (stage, subject, reason, detail) values (%(stage)s, %(subject)s, %(reason)s, %(detail)s)

-- counts --
select stage, reason, count(*) as refusals from refusal group by stage, reason order by refusals desc, stage, reason

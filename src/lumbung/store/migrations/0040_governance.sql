-- Revocations and the probabilities of samples are sealed too; what seeds gave stands apart from what was guessed. Owned by governance.

-- A sealed row may be revoked, once; nothing else about it changes.
create function revoke_only() returns trigger language plpgsql as $$
begin
    if to_jsonb(old) - array['revoked_at', 'revoked_by'] <> to_jsonb(new) - array['revoked_at', 'revoked_by']
       or exists (select 1 from jsonb_each(to_jsonb(old)) was
                  where was.key in ('revoked_at', 'revoked_by') and was.value <> 'null' and was.value <> to_jsonb(new) -> was.key) then
        raise exception 'rows of % are revoked once and never changed otherwise', tg_table_name using errcode = 'integrity_constraint_violation';
    end if;
    return new;
end
$$;
create trigger role_grant_is_revoked_only before update on role_grant for each row execute function revoke_only();
create trigger human_act_is_revoked_only before update on human_act for each row execute function revoke_only();
create trigger role_grant_revocation_is_sealed after update on role_grant for each row execute function seal_row('id');
create trigger human_act_revocation_is_sealed after update on human_act for each row execute function seal_row('id');

-- A digest, because the log must not tell readers which samples are gold or read twice; the place in the queue, which nobody
-- is shown, keeps it from being guessed. What was shown is left out: it may have to be erased.
create function sample_seal(s sample) returns jsonb language sql immutable set timezone = 'UTC' as $$
    select jsonb_build_object('digest', encode(sha256(convert_to((to_jsonb(s) - 'shown')::text, 'UTF8')), 'hex'))
$$;
-- Many rows at once: the end of the log is written once, because each change of it within a transaction costs more than the last.
create function seal_rows(subjects text[], contents jsonb[], reason text) returns void language plpgsql security definer set search_path = public as $$
declare
    head record;
    stamp timestamptz;
    digest text;
    i integer;
begin
    perform pg_advisory_xact_lock(7231001);
    stamp := clock_timestamp();
    select h.seq, h.hash into head from action_head h for update;
    for i in 1 .. coalesce(array_length(subjects, 1), 0) loop
        digest := action_digest(head.seq + 1, stamp, null, 'row', subjects[i], reason, contents[i], head.hash);
        insert into action values (head.seq + 1, stamp, null, 'row', subjects[i], reason, contents[i], head.hash, digest);
        head.seq := head.seq + 1;
        head.hash := digest;
    end loop;
    update action_head set seq = head.seq, hash = head.hash;
end
$$;
revoke execute on function seal_rows(text[], jsonb[], text) from public;
create function seal_samples() returns trigger language plpgsql security definer set search_path = public as $$
begin
    perform seal_rows(array_agg('sample:' || id order by id), array_agg(sample_seal(row(added.*)::sample) order by id), '') from added having count(*) > 0;
    return null;
end
$$;

create or replace function sealed_rows() returns table (subject text, content jsonb)
language sql stable security definer set search_path = public set timezone = 'UTC' as $$
    select 'governed:' || name || ':' || version, to_jsonb(g) from governed g
    union all select 'human_act:' || id, to_jsonb(h) from human_act h
    union all select 'label:' || id, to_jsonb(l) from label l
    union all select 'label_withdrawal:' || label, to_jsonb(w) from label_withdrawal w
    union all select 'sample:' || id, sample_seal(s) from sample s
    union all select 'sign_off:' || request || ':' || risk, to_jsonb(s) from sign_off s
    union all select 'role_grant:' || id, to_jsonb(r) from role_grant r
$$;

-- Samples, and rows that were revoked before, are sealed as they are found; what differs otherwise stays a fault.
select seal_rows(array_agg(s.subject), array_agg(s.content), 'sealed when the schema was brought up to date') from sealed_rows() s
where s.subject like 'sample:%' or exists (
    select 1 from action a where a.verb = 'row' and a.subject = s.subject and a.effect <> s.content
      and a.effect - array['revoked_by', 'revoked_at'] = s.content - array['revoked_by', 'revoked_at']);
create trigger sample_is_sealed after insert on sample referencing new table as added for each statement execute function seal_samples();

-- Until now the first guess was one entry from half a seed, for everybody.
alter table yield_posterior add column found double precision not null default 0;
comment on column yield_posterior.found is 'Entries that the seeds of the cell gave; shape and rate add the first guess that was in force.';
update yield_posterior set found = greatest(0, shape - 1);

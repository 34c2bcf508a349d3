-- The machine's login writes no line of the log that people would write, and no address under what people hold. Owned by governance.

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    -- Seals come from the rows themselves; a standing order of people injects tranches; all else is said by people, at the machine or by name.
    execute format($f$
        create or replace function action_append(person bigint, verb text, subject text, reason text, effect jsonb) returns bigint
        language plpgsql security definer set search_path = public as $b$
        declare
            last_row record;
            next_seq bigint;
            stamp timestamptz;
            digest text;
        begin
            if session_user = %L and %L <> %L and (person is not null or verb not in ('row', 'demote', 'inject-tranche', 'inject-seeds')
                                                   or (verb = 'row' and pg_trigger_depth() = 0)) then
                raise exception 'the machine signs for nobody' using errcode = 'insufficient_privilege';
            end if;
            perform pg_advisory_xact_lock(7231001);
            stamp := clock_timestamp();
            select h.seq, h.hash into last_row from action_head h for update;
            next_seq := last_row.seq + 1;
            digest := action_digest(next_seq, stamp, person, verb, subject, reason, effect, last_row.hash);
            insert into action values (next_seq, stamp, person, verb, subject, reason, effect, last_row.hash, digest);
            update action_head set seq = next_seq, hash = digest;
            return next_seq;
        end
        $b$
    $f$, machine, machine, people);

    -- Where a page came from, and what it was, is written once: facts that people took over cite it.
    execute format('revoke update on document from %I, %I', machine, people);
    execute format('grant update (kind, sketch, published, publisher, origins, witness, witness_reason, body, wire, archive, archive_offset,
        payload_digest, erased_at, frontier) on document to %I, %I', machine, people);

    -- What a model said in support of facts can be taken back by people.
    execute format('grant delete on validation to %I', people);
end
$$;

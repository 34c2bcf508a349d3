-- Evidence is written once: neither login may change what a page said, what was claimed or published. Owned by the store.

do $$
declare
    t text;
begin
    foreach t in array array['page_text', 'claim', 'fact', 'fact_claim', 'revision', 'index_fact'] loop
        execute format('revoke update on %I from %I, %I', t, current_setting('lumbung.machine_role'), current_setting('lumbung.people_role'));
    end loop;
end
$$;

alter table document add constraint encyclopaedia_wire_is_never_stored check (kind <> 'encyclopaedia' or wire is null);

create function an_opt_out_is_a_persons_to_lift() returns trigger language plpgsql as $$
begin
    if old.opted_out and not new.opted_out and current_user = tg_argv[0] then
        raise exception 'the owner of host % opted out; only a person may lift that', old.name using errcode = 'check_violation';
    end if;
    return new;
end
$$;
do $$
begin
    execute format('create trigger an_opt_out_is_a_persons_to_lift before update of opted_out on host for each row execute function an_opt_out_is_a_persons_to_lift(%L)',
        current_setting('lumbung.machine_role'));
end
$$;

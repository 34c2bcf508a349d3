-- Community labels in every reading of an entry, copies of pictures, and mail about notices. Owned by the library and governance.

-- An entry's own labels and those of its category, which are a governed row.
create function effective_labels(own jsonb, of_category text) returns jsonb language sql stable as $$
    select own || coalesce((select g.value from governed g where g.name = 'labels.' || of_category order by g.version desc limit 1), '[]'::jsonb)
$$;
create function text_is_withheld(labels jsonb) returns boolean language sql immutable as $$
    select labels @? '$[*].display[*] ? (@ == "withhold-text")'
$$;

-- Labels and the hiding of an entry are people's word, on machine entries too.
do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format($f$
        create function refuse_machine_display() returns trigger language plpgsql as $b$
        begin
            if session_user = %L and %L <> %L then
                raise exception 'labels and hiding are set by people' using errcode = 'insufficient_privilege';
            end if;
            return new;
        end
        $b$
    $f$, machine, machine, people);
    create trigger display_is_peoples before update on entry for each row
        when (old.labels is distinct from new.labels or old.hidden is distinct from new.hidden) execute function refuse_machine_display();
    create trigger first_display_is_peoples before insert on entry for each row
        when (new.labels <> '[]'::jsonb or new.hidden) execute function refuse_machine_display();
    execute format('grant execute on function effective_labels(jsonb, text), text_is_withheld(jsonb) to %I, %I', machine, people);
end
$$;

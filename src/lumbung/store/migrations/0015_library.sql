-- Community labels in every reading of an entry, copies of pictures, and mail about notices. Owned by the library and governance.

-- An entry's own labels and those of its category, which are a governed row.
create function effective_labels(own jsonb, of_category text) returns jsonb language sql stable as $$
    select own || coalesce((select g.value from governed g where g.name = 'labels.' || of_category order by g.version desc limit 1), '[]'::jsonb)
$$;
create function text_is_withheld(labels jsonb) returns boolean language sql immutable as $$
    select labels @? '$[*].display[*] ? (@ == "withhold-text")'
$$;

alter table notice add column mailing_until timestamptz;
comment on column notice.mailing_until is 'Somebody sends it now; one who dies over it leaves it to the next after this.';

-- Labels and the hiding of an entry are people's word, on machine entries too.

create table picture (
    url text primary key,
    host text not null,
    page text not null,
    allowed boolean not null,
    licence text,
    creator text not null default '',
    reason text not null,
    state text not null default 'wanted' check (state in ('wanted', 'copied', 'reference')),
    tries integer not null default 0,
    due_at timestamptz not null default lumbung_now(),
    leased_until timestamptz,
    digest text,
    content_type text,
    width integer,
    height integer,
    bytes integer,
    licence_url text not null default '',
    statements text[] not null default '{}',
    copied_at timestamptz,
    constraint a_copy_has_its_bytes_and_licence check (state <> 'copied' or (digest is not null and licence is not null))
);
comment on table picture is 'Pictures that published machine entries show: whether one may be copied, why, and the copy.';
comment on column picture.allowed is 'By what pages say of it; what the picture says of itself is found when it is fetched.';
create index picture_wanted on picture (due_at) where state = 'wanted' and allowed;
create index picture_digest on picture (digest) where digest is not null;
create index entry_media on entry using gin (media jsonb_path_ops) where media <> '[]';
create index candidate_media on candidate using gin (media jsonb_path_ops) where media <> '[]';

do $$
declare
    machine text := current_setting('lumbung.machine_role');
    people text := current_setting('lumbung.people_role');
begin
    execute format('grant select, insert, update, delete on picture to %I, %I', machine, people);
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

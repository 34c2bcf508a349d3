-- The words of a remark can be erased for good: at the wish of whoever spoke, or for what they told of somebody else.

alter table remark alter column text drop not null;
comment on column remark.text is 'Null where the words were erased; nobody writes them anew.';
create index remark_person on remark (person) where text is not null;

create or replace function remark_is_only_erased() returns trigger language plpgsql as $$
begin
    if new.text is not null and new.text is distinct from old.text then
        raise exception 'what somebody said is withheld or erased, never worded anew' using errcode = '42501';
    end if;
    return new;
end
$$;
create trigger remark_is_only_erased before update on remark for each row execute function remark_is_only_erased();

do $$
begin
    execute format('grant update (text) on remark to %I', current_setting('lumbung.people_role'));
end
$$;

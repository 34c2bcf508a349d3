-- What people said about an entry holds for what the machine adds to it. Owned by the library.

-- The labels of an entry, of the one that it supplements, and of its category.
create function labels_of(e entry) returns jsonb language sql stable as $$
    select effective_labels(case when e.supplement_of is null then e.labels
        else e.labels || coalesce((select h.labels from entry h where h.identity = e.supplement_of), '[]'::jsonb) end, e.category)
$$;
create function is_withheld(e entry) returns boolean language sql stable as $$
    select e.hidden or text_is_withheld(labels_of(e))
        or (e.supplement_of is not null and exists (select 1 from entry h where h.identity = e.supplement_of and h.hidden))
$$;

do $$
begin
    execute format('grant execute on function labels_of(entry), is_withheld(entry) to %I, %I',
        current_setting('lumbung.machine_role'), current_setting('lumbung.people_role'));
end
$$;

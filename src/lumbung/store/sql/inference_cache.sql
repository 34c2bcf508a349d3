-- Remembered answers of models. Owned by the providers.

-- find --
update inference_cache set used_at = clock_timestamp() where key = %(key)s returning answer

-- keep --
insert into inference_cache (key, model, prompt, subject, answer) values (%(key)s, %(model)s, %(prompt)s, %(subject)s, %(answer)s)
on conflict (key) do nothing

-- forget --
delete from inference_cache where subject = %(subject)s

-- forget_unused --
delete from inference_cache where used_at < clock_timestamp() - make_interval(days => %(days)s)

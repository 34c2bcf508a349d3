-- Quotes that the validation agent found to say the contrary are looked up by their claim. Owned by decide.

create index validation_denying on validation using gin ((evidence -> 'denying') jsonb_path_ops);

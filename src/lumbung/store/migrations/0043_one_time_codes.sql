-- A code of a second factor is for one sign-in. Owned by governance.

alter table person add column totp_step bigint;

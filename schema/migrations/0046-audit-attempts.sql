-- Runs concurrently.
create index concurrently audit_log_attempts on audit_log (project_id, (actor ->> 'userId'), at)
where result <> 'done';

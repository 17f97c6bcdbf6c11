-- Functions that run with the owner's rights: they make, drop or empty partitions, or delete rows that other functions
-- store. Each takes an id or an instant, and no argument that could name a table. Those that delete or try again by
-- time use `trusted_instant` (retention.sql). schema/roles.sql says who may call them. The last five belong to
-- triggers. This file is the last one, since it changes functions of the others.
do $$
declare
  signature text;
begin
  for signature in
    select name
    from (
      values
        ('delete_project(uuid)'),
        ('delete_site(uuid, timestamptz, integer)'),
        ('begin_import(uuid, text, text[], bytea, integer, timestamptz)'),
        ('add_import_days(uuid, uuid, integer, jsonb, timestamptz)'),
        ('add_import_values(uuid, uuid, integer, text, jsonb, bigint)'),
        ('finish_import(uuid, uuid, integer, timestamptz)'),
        ('undo_import(uuid, uuid)'), ('expire_imports(timestamptz)'), ('delete_visitor(uuid, uuid)'),
        ('ensure_partition(text, timestamptz)'), ('drop_raw_events(timestamptz)'),
        ('drop_expired_visits(timestamptz)'), ('expire_visits(timestamptz, integer)'), ('expire_values(integer)'),
        ('search_values(timestamptz, integer)'),
        ('continue_deletions(timestamptz, integer)'),
        ('expire_audit(timestamptz, integer)'),
        ('note_attempt(uuid, uuid, jsonb, text, text, text, bytea, text, timestamptz, integer)'),
        ('change_zone(uuid, bigint, timestamptz)'),
        ('reseal_day(integer, date)'), ('watch_site(uuid, timestamptz)'), ('fill_site_minutes()'),
        ('forget_site_minutes(timestamptz, integer)'),
        ('note_seal_fault(integer, date, text, timestamptz)'),
        ('note_filter(uuid, jsonb, timestamptz)'), ('seal_filter(integer, uuid, date)'),
        ('ensure_telemetry_day(text, date)'), ('drop_telemetry_days(timestamptz)'),
        ('expire_telemetry(timestamptz, integer)'),
        ('continue_telemetry_deletions(timestamptz, integer)'),
        ('send_message(uuid, uuid[], text, jsonb, timestamptz, text)'),
        ('claim_messages(timestamptz, interval, integer)'),
        ('note_delivery(uuid, uuid, timestamptz, integer, integer, text, text, boolean, boolean, timestamptz)'),
        ('expire_messages(timestamptz, integer)'), ('decide_mail_reports(timestamptz, integer)'),
        ('note_deletion()'), ('forget_messages()'), ('move_mail_reports()'),
        ('note_telemetry_deletion()'), ('note_targets()')
    ) as listed(name)
  loop
    execute format(
      'alter function %s security definer set search_path = %I, pg_temp',
      signature::regprocedure, current_schema()
    );
    execute format('revoke execute on function %s from public', signature::regprocedure);
  end loop;
end
$$;

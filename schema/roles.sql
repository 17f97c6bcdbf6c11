-- The database role of each function that has a database: what it reads and changes for its work, and nothing else.
-- Whoever takes a function's credential gets no further. How a role gets a password:
-- docs/configuration.md#a-database-role-for-each-function.
--
-- Every run of npm run db:apply makes all rights anew: what is taken out here is revoked. A new table is named here,
-- or no function reaches it. tests/schema/roles.database.test.ts says what a role must not reach.
--
-- Roles belong to the server: a run for another database may make them at the same moment.
do $$
declare
  schema_name constant text := current_schema();
  role text;
  limited record;
  allowed record;
begin
  foreach role in array string_to_array(
    'account, sites, analytics, telemetry, mcp, receiver, ingest, messages, alerts', ', '
  ) loop
    role := 'vendor_' || role;
    begin
      execute format('create role %I', role);
    exception when duplicate_object or unique_violation then
      null;
    end;
    execute format('revoke all on all tables in schema %I from %I', schema_name, role);
    execute format('revoke all on all functions in schema %I from %I', schema_name, role);
    execute format('grant usage on schema %I to %I', schema_name, role);
    -- The health of a function says which version its database has.
    execute format('grant select on schema_version to %I', role);
  end loop;
  -- A statement may run for two seconds more than its function waits for an answer at most (`DEADLINES_MS` in
  -- lib/db.ts): the driver gives up, but can't cancel what it asked. No role takes half of PostgreSQL's default of 100
  -- connections. Changed only if different: two runs can't change a role at once.
  for limited in
    select 'vendor_' || function as role, 'statement_timeout=' || seconds || 's' as setting, seconds
      || 's' as value, 40 as connections
    from (
      values
        ('account', 17), ('sites', 17), ('analytics', 17), ('telemetry', 17), ('mcp', 17),
        -- Their crons wait for five minutes.
        ('receiver', 302), ('ingest', 302), ('messages', 302), ('alerts', 302)
    ) as listed(function, seconds)
  loop
    begin
      if not exists (
        select
        from pg_db_role_setting
        where setrole = limited.role::regrole and setdatabase = 0 and limited.setting = any (setconfig)
      )
      then
        execute format('alter role %I set statement_timeout = %L', limited.role, limited.value);
      end if;
      if not exists (select from pg_roles where rolname = limited.role and rolconnlimit = limited.connections) then
        execute format('alter role %I connection limit %s', limited.role, limited.connections);
      end if;
    exception when internal_error then
      null;
    end;
  end loop;
  for allowed in
    select *
    from (
      values
        -- Who is a member of what. A session is found by its hash. Only `account` reads passwords and e-mail
        -- addresses.
        ('account, sites, analytics, telemetry, mcp', 'select', 'projects, project_members, environments, sites'),
        ('account, sites, analytics, telemetry', 'select, insert', 'audit_log'),
        ('mcp', 'insert', 'audit_log'),
        ('sites, analytics, telemetry', 'select (id, user_id, hash, expires_at)', 'user_sessions'),
        ('sites, analytics, telemetry', 'select (id, email_verified)', 'users'),
        ('sites', 'select (created_at, proven_at)', 'user_sessions'),
        -- Who made a share or an ingest key.
        ('sites, telemetry', 'select (name)', 'users'),
        ('sites, analytics, telemetry', 'select, update (last_used_at)', 'api_tokens'),
        ('mcp', 'select, update (last_used_at)', 'query_tokens'),
        ('mcp', 'select, update (path, sent_at, shown_at)', 'view_grants'),
        ('mcp', 'select (id, user_id, expires_at)', 'user_sessions'),
        -- People, projects and keys. No visits and no telemetry.
        ('account', 'select, insert, update, delete', 'users, user_credentials, user_sessions'),
        ('account', 'select, insert, update, delete', 'user_verifications, user_second_factors'),
        ('account', 'select, insert, update, delete', 'api_tokens, query_tokens, projects, project_members'),
        ('account', 'select, insert, update, delete', 'project_invitations, environments, view_grants'),
        ('account', 'select, insert, update, delete', 'message_channels'),
        ('account', 'select, insert, update (state, due_at)', 'outbox'),
        ('account', 'select', 'message_deliveries'),
        -- What former members of a project made.
        ('account', 'select (id, site_id, name, created_at, expires_at, created_by)', 'site_shares'),
        ('account', 'select (id, environment_id, name, created_at, revoked_at, created_by)', 'ingest_keys'),
        ('sites', 'select, insert, update, delete', 'mail_reports, mail_report_recipients'),
        ('sites', 'select, insert', 'message_channels'), ('sites', 'insert', 'outbox'),
        ('sites', 'select (project_id, channel_id, dedupe, decided_at, state)', 'outbox'),
        -- Sites, their shares, and what is stored of one visitor.
        ('sites', 'insert, update', 'sites'), ('sites', 'select', 'site_deletions'),
        ('sites', 'select, insert, update, delete', 'site_shares, site_segments'),
        ('sites', 'select, insert, delete', 'site_aliases'),
        ('sites', 'select', 'events, visits, dead_letters, rollup_hours, rollup_visitors'),
        ('sites', 'select', 'site_texts, site_profiles, site_places, site_origins, associations'),
        ('sites', 'select', 'site_seals'),
        -- Reports only read figures, also those for agents.
        ('analytics, mcp', 'select', 'events, visits, open_visits, sealed_days, site_seals, site_freshness'),
        ('analytics, mcp', 'select', 'site_imports, imported_days, dropped_days, entry_values, dimensions'),
        ('analytics, mcp', 'select', 'other_days, seal_faults, site_segments'),
        ('analytics, mcp', 'select', 'site_filters, filter_seals, filter_values'),
        ('analytics, mcp', 'select', 'site_texts, site_profiles, site_places, site_origins'),
        ('analytics, mcp', 'select', 'rollup_hours, rollup_visitors, rollup_values, rollup_revenue, rollup_journeys'),
        ('analytics, mcp', 'select', 'rollup_props, rollup_blocks, rollup_engagement, rollup_vitals'),
        ('analytics', 'select', 'site_shares'),
        ('analytics, mcp', 'select, insert, update, delete', 'site_annotations, site_goals, site_funnels'),
        -- What pages asked of backends, from both sides: traces of a page, and the visit around a trace.
        ('analytics, telemetry, mcp', 'select', 'associations, environment_origins'),
        ('analytics', 'select', 'spans, otlp_resources'),
        ('telemetry', 'select', 'site_texts, site_origins'),
        ('telemetry', 'select (site_key, visitor_id, tier, started_at, duration_ms, origin_id)', 'visits'),
        ('telemetry', 'select (entry_ms, entry_page, later_pages)', 'visits'),
        -- Queries of telemetry only read it. Keys and origins of an environment are changed.
        ('telemetry, mcp, receiver', 'select', 'spans, logs, metric_points, telemetry_quotas'),
        ('telemetry, mcp', 'select', 'metric_series, metric_seen, metric_hours, metric_touched'),
        ('telemetry, mcp', 'select', 'metric_touched_hours, span_parts, span_minutes, span_hours, service_calls'),
        ('telemetry, mcp', 'select', 'service_map_due, otlp_resources, otlp_scopes, otlp_names, telemetry_receipts'),
        ('telemetry, mcp', 'select', 'telemetry_connections, telemetry_errors, telemetry_usage, telemetry_counts'),
        ('telemetry, mcp', 'select', 'otlp_hours, otlp_dropped, error_parts, error_groups, error_hours'),
        ('telemetry', 'update (state, resolved_nano)', 'error_groups'),
        ('telemetry, mcp', 'select', 'outcomes, outcome_sendings'),
        ('telemetry', 'select, insert, update', 'ingest_keys'),
        ('telemetry', 'update', 'environments'),
        ('mcp', 'update (traces_days, logs_days, metrics_days, expired_on)', 'environments'),
        ('telemetry, mcp', 'select, insert, update, delete', 'environment_origins'),
        -- What senders send, and its sums. No people and no visits.
        ('receiver', 'select', 'sites, environments'),
        ('receiver', 'select, update (last_used_at)', 'ingest_keys'),
        ('receiver', 'insert', 'spans, logs, metric_points'),
        ('receiver', 'select, insert, update, delete', 'metric_series, metric_seen, metric_minute_sums, metric_hours'),
        ('receiver', 'select, insert, update, delete', 'metric_touched, metric_touched_hours, span_parts'),
        ('receiver', 'select, insert, update, delete', 'span_minutes, span_hours, service_calls, service_map_due'),
        ('receiver', 'select, insert, update, delete', 'otlp_resources, otlp_scopes, otlp_names'),
        ('receiver', 'select, insert, update, delete', 'telemetry_receipts, telemetry_connections, telemetry_errors'),
        ('receiver', 'select, insert, update, delete', 'otlp_hours, otlp_dropped'),
        ('receiver', 'select, insert, update, delete', 'error_parts, error_groups, error_hours'),
        ('receiver', 'select, insert, update, delete', 'telemetry_usage, telemetry_counts'),
        ('receiver', 'select, insert, update, delete', 'outcomes, outcome_sendings'),
        -- What trackers send, its sums and its seals. No people, no keys and no telemetry.
        ('ingest', 'select', 'sites, site_goals, site_funnels, site_imports, imported_days'),
        ('ingest', 'select', 'entry_values, dimensions, raw_events_kept, value_ids'),
        ('ingest', 'select, insert', 'events'),
        ('ingest', 'select, insert, update, delete', 'visits, associations, open_visits, sealed_days, site_seals'),
        ('ingest', 'select, insert, update, delete', 'site_freshness, dropped_days, dead_letters'),
        ('ingest', 'select, insert, update, delete', 'new_values, known_properties, other_days, seal_faults'),
        ('ingest', 'select, insert, update, delete', 'site_texts, site_profiles, site_places, site_origins'),
        ('ingest', 'select, insert, update, delete', 'rollup_hours, rollup_visitors, rollup_values, rollup_revenue'),
        ('ingest', 'select, insert, update, delete', 'rollup_journeys, rollup_props, rollup_blocks'),
        ('ingest', 'select, insert, update, delete', 'rollup_engagement, rollup_vitals'),
        ('ingest', 'select, insert, update, delete', 'site_filters, filter_seals, filter_values'),
        -- What is sent, and to whom. No passwords and no keys.
        ('messages', 'select', 'message_channels, outbox, message_deliveries, projects, project_members, sites'),
        ('messages', 'update (confirmed_at, paused_at, pause_reason)', 'message_channels'),
        ('messages', 'select (id, email, email_verified)', 'users'),
        ('messages', 'execute', 'function claim_messages(timestamptz, interval, integer)'),
        (
          'messages',
          'execute',
          'function note_delivery(uuid, uuid, timestamptz, integer, integer, text, text, boolean, boolean, '
            || 'timestamptz)'
        ),
        ('messages', 'execute', 'function expire_messages(timestamptz, integer)'),
        ('ingest', 'select', 'site_watches'), ('ingest', 'select, insert, update, delete', 'site_minutes'),
        -- Alerts: members make them, and a cron reads sums, no visits and no spans, and notes what fires.
        ('sites, telemetry', 'select, insert, update, delete', 'alert_rules'),
        ('sites, telemetry', 'select, insert', 'alert_changes'),
        ('sites', 'select', 'site_minutes, site_watches, site_goals'),
        ('sites', 'execute', 'function watch_site(uuid, timestamptz)'),
        ('mcp', 'select', 'alert_rules, alert_changes'),
        ('alerts', 'select', 'projects, sites, environments, site_goals, site_freshness, site_minutes, site_watches'),
        ('alerts', 'select', 'span_parts, span_minutes, span_hours, outcomes, error_groups, error_hours'),
        ('alerts', 'select', 'telemetry_receipts, telemetry_connections'),
        ('alerts', 'select, update', 'alert_rules'), ('alerts', 'select, insert, delete', 'alert_changes'),
        ('alerts', 'select', 'logs, otlp_resources, otlp_names, otlp_scopes'),
        ('telemetry, mcp, alerts, receiver', 'select', 'metric_point_parts, metric_minute_sums, metric_minutes'),
        ('alerts', 'select', 'metric_points, metric_series, metric_seen, metric_hours'),
        ('alerts', 'select', 'metric_touched, metric_touched_hours, otlp_hours, otlp_dropped, telemetry_errors'),
        ('alerts', 'execute', 'function fill_site_minutes(), forget_site_minutes(timestamptz, integer)'),
        ('sites, telemetry', 'select (project_id, id)', 'message_channels'),
        ('messages', 'select', 'mail_reports, mail_report_recipients'),
        ('messages', 'update (ended_at)', 'mail_report_recipients'),
        ('messages', 'execute', 'function decide_mail_reports(timestamptz, integer)'),
        -- When their crons ran.
        ('receiver, ingest, messages, alerts', 'select, insert, update', 'cron_runs'),
        -- Functions with the rights of the owner (schema/functions/with-owners-rights.sql).
        ('account', 'execute', 'function delete_project(uuid)'),
        (
          'account, sites, analytics, telemetry, mcp',
          'execute',
          'function note_attempt(uuid, uuid, jsonb, text, text, text, bytea, text, timestamptz, integer)'
        ),
        (
          'account, sites, telemetry, receiver, ingest, alerts',
          'execute',
          'function send_message(uuid, uuid[], text, jsonb, timestamptz, text)'
        ),
        ('ingest, sites', 'execute', 'function send_site_message(integer, text, jsonb, timestamptz, text)'),
        ('receiver, ingest', 'execute', 'function json_instant(timestamptz)'),
        ('sites', 'select', 'site_imports, imported_days, site_freshness'),
        ('sites', 'execute', 'function delete_site(uuid, timestamptz, integer), delete_visitor(uuid, uuid)'),
        ('sites', 'execute', 'function begin_import(uuid, text, text[], bytea, integer, timestamptz)'),
        ('sites', 'execute', 'function add_import_days(uuid, uuid, integer, jsonb, timestamptz)'),
        ('sites', 'execute', 'function add_import_values(uuid, uuid, integer, text, jsonb, bigint)'),
        ('sites', 'execute', 'function finish_import(uuid, uuid, integer, timestamptz), undo_import(uuid, uuid)'),
        ('ingest', 'execute', 'function ensure_partition(text, timestamptz), drop_raw_events(timestamptz)'),
        ('ingest', 'execute', 'function drop_expired_visits(timestamptz), expire_visits(timestamptz, integer)'),
        ('ingest', 'execute', 'function expire_values(integer), search_values(timestamptz, integer)'),
        ('ingest', 'execute', 'function continue_deletions(timestamptz, integer), expire_imports(timestamptz)'),
        ('ingest', 'execute', 'function expire_audit(timestamptz, integer)'),
        ('analytics, mcp, ingest', 'execute', 'function reseal_day(integer, date)'),
        ('sites, ingest', 'execute', 'function change_zone(uuid, bigint, timestamptz)'),
        ('analytics, mcp, ingest', 'execute', 'function note_seal_fault(integer, date, text, timestamptz)'),
        ('analytics, mcp', 'execute', 'function note_filter(uuid, jsonb, timestamptz)'),
        ('analytics, mcp, ingest', 'execute', 'function seal_filter(integer, uuid, date)'),
        ('receiver', 'execute', 'function ensure_telemetry_day(text, date), drop_telemetry_days(timestamptz)'),
        ('receiver', 'execute', 'function expire_telemetry(timestamptz, integer)'),
        ('receiver', 'execute', 'function continue_telemetry_deletions(timestamptz, integer)')
    ) as listed(functions, rights, things)
  loop
    foreach role in array string_to_array(allowed.functions, ', ') loop
      execute format('grant %s on %s to %I', allowed.rights, allowed.things, 'vendor_' || role);
    end loop;
  end loop;
end
$$;

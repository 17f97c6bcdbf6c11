-- The whole truth of the database: applied to an empty one it makes everything, applied again it changes nothing.
-- PostgreSQL 15 to 18, Neon and PGlite; no extensions. Large tables lead their keys with the site and are partitioned
-- by time. Instants are timestamptz; money and durations name their unit.

-- Before 0.1.0 shapes change without a way from one to the next.
do $$
begin
  if exists (
    select from information_schema.columns
    where table_schema = current_schema() and table_name = 'visits' and column_name = 'utm_source'
  ) then
    raise exception 'This database was made by an earlier version, before 0.1.0, whose visits have another shape. '
      'Make a new one; on your own machine delete .local/postgres and start again.';
  end if;
end
$$;

\ir schema/accounts.sql
\ir schema/sites.sql
\ir schema/calendar.sql
\ir schema/dictionaries.sql
\ir schema/visits.sql
\ir schema/rollups.sql
\ir schema/imports.sql
\ir schema/sealed.sql
\ir schema/seal.sql
\ir schema/seal-journeys.sql
\ir schema/seal-props.sql
\ir schema/seal-targets.sql
\ir schema/seal-blocks.sql
\ir schema/measures.sql
\ir schema/measure-blocks.sql
\ir schema/telemetry.sql
\ir schema/telemetry-rollups.sql
\ir schema/find-logs.sql
\ir schema/store-telemetry.sql
\ir schema/metric-rollups.sql
\ir schema/sum-metrics.sql
\ir schema/service-map.sql
\ir schema/sum-spans.sql
\ir schema/find-traces.sql
\ir schema/outcomes.sql
\ir schema/origins.sql
\ir schema/telemetry-receipts.sql
\ir schema/fold.sql
\ir schema/retention.sql
\ir schema/telemetry-retention.sql
\ir schema/telemetry-deletion.sql
\ir schema/erasure.sql
\ir schema/deletion.sql

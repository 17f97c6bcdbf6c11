/** A function's role may pass any instant to what runs with the owner's rights, and moves no deletion ahead with it. */
import { expect, test } from 'vitest';
import { connectDatabase, type Sql } from '../../lib/db.ts';
import { createTenant } from '../security/tenant.ts';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();

const as = (role: string): Sql =>
  connectDatabase({ url: database().neon.urlOf(role), endpoint: database().neon.endpoint });
const owner = (): Sql => database().sql;

const partitions = () => owner()`
  select count(*)::integer as n from pg_inherits
  where inhparent in ('events'::regclass, 'visits'::regclass, 'spans'::regclass, 'logs'::regclass)`;

test('the role of ingest drops nothing that is still kept', async () => {
  const sql = owner();
  const { siteId } = await createTenant(sql);
  await sql`
    update sites set jurisdiction = 'PT', consent_mode = 'required', pre_consent_tier = 'counts', retention_months = 1
    where id = ${siteId}`;
  await sql`select ensure_partitions(now())`;
  await sql`
    insert into new_values (site_key, day, kind, taken) select key, now()::date, 'pages', 1 from sites where id = ${siteId}`;
  await sql`
    insert into dropped_days (site_key, day, reason, events)
    select key, now() - interval '1 day', 'bot', 1 from sites where id = ${siteId}`;
  await sql`insert into dead_letters (site_id, failed_at, reason, message) values (${siteId}, now(), 'test', '{}')`;
  const before = await partitions();
  const ingest = as('vendor_ingest');
  for (const instant of ['infinity', '2099-01-01']) {
    await ingest`select drop_raw_events(${instant}::timestamptz)`;
    await ingest`select drop_expired_visits(${instant}::timestamptz)`;
    await ingest`select expire_visits(${instant}::timestamptz, 1000)`;
    await ingest`select expire_imports(${instant}::timestamptz)`;
    await ingest`select continue_deletions(${instant}::timestamptz, 1000)`;
    await ingest`select search_values(${instant}::timestamptz, 1000)`;
  }
  expect(await partitions()).toEqual(before);
  const [left] = await sql`
    select (select count(*) from new_values where site_key = key)::int as taken,
      (select count(*) from dropped_days where site_key = key)::int as dropped,
      (select count(*) from dead_letters where site_id = sites.id)::int as letters,
      kept_from < now() as kept
    from sites where id = ${siteId}`;
  expect(left).toEqual({ taken: 1, dropped: 1, letters: 1, kept: true });
});

test('the role of the receiver drops no telemetry that is still kept', async () => {
  const sql = owner();
  const { projectId } = await createTenant(sql);
  await sql`insert into environments (project_id, name) values (${projectId}, 'owners-rights')`;
  for (const table of ['spans', 'logs'])
    await sql`select ensure_telemetry_day(${table}, (now() at time zone 'UTC')::date)`;
  const before = await partitions();
  const receiver = as('vendor_receiver');
  await receiver`select drop_telemetry_days('infinity')`;
  await receiver`select expire_telemetry('2099-01-01', 1000)`;
  await receiver`select continue_telemetry_deletions('infinity', 1000)`;
  expect(await partitions()).toEqual(before);
  const late = await sql`select from environments where expired_on > (now() at time zone 'UTC')::date`;
  expect(late).toEqual([]);
});

test('the role of the reports puts no seal off for good', async () => {
  const sql = owner();
  const { siteId } = await createTenant(sql);
  const [site] = await sql`select key from sites where id = ${siteId}`;
  await as(
    'vendor_analytics',
  )`select note_seal_fault(${site?.key}::integer, current_date, '22P02', 'infinity')`;
  const [noted] = await sql`
    select retry_at <= now() + interval '15 minutes' as soon, tried_at <= now() as tried
    from seal_faults f join site_seals s using (site_key) where site_key = ${site?.key}`;
  expect(noted).toEqual({ soon: true, tried: true });
});

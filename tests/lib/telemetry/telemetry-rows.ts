/** Counts the rows of an environment in all tables, and stores rows for tests. */
import type { IngestKeyActor } from '../../../lib/context.ts';
import type { Sql } from '../../../lib/db.ts';
import { decodeLogs, decodeMetrics, decodeTraces } from '../../../lib/otlp/index.ts';
import { recordOutcomes } from '../../../lib/outcomes/record-outcomes.ts';
import { noteError } from '../../../lib/telemetry/note-error.ts';
import { storeLogs } from '../../../lib/telemetry/store-logs.ts';
import { storeMetrics } from '../../../lib/telemetry/store-metrics.ts';
import { storeTraces } from '../../../lib/telemetry/store-traces.ts';
import { newOutcome, spansOf } from '../../functions/receiver/backend-sender.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';

export const DAY_MS = 86_400_000;

/** The actor of the environment's ingest key. */
export type Environment = IngestKeyActor;

export async function newEnvironment(sql: Sql): Promise<Environment> {
  const { projectId } = await createTenant(sql);
  return (await addIngestKey(sql, projectId)).actor;
}

/** Tables whose rows have an environment's key, without partitions, from the database's catalogue, so that new tables are found too. */
export async function environmentTables(sql: Sql): Promise<string[]> {
  const rows = await sql`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'environment_key'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by c.relname`;
  return rows.map(({ name }) => name as string);
}

/** The number of rows of an environment in each table. */
export async function rowsOf(
  sql: Sql,
  { environmentKey }: Pick<Environment, 'environmentKey'>,
): Promise<Record<string, number>> {
  const tables = await environmentTables(sql);
  const counts = await Promise.all(
    tables.map(async (name) => {
      const [row] =
        await sql`select count(*)::integer as rows from ${sql.unsafe(name)} where environment_key = ${environmentKey}`;
      return [name, row?.rows as number] as const;
    }),
  );
  return Object.fromEntries(counts);
}

export const totalOf = (rows: Record<string, number>): number =>
  Object.values(rows).reduce((sum, n) => sum + n, 0);

const ctxOf = (sql: Sql, actor: Environment, now: number) => ({
  sql,
  now: () => now,
  requestId: 'test',
  actor,
});

const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const resource = (service: string) => ({
  attributes: [{ key: 'service.name', value: { stringValue: service } }],
});

/** Stores a span, a log record and a point of a service, all with the same time, at which they are also received. */
export async function receive(
  sql: Sql,
  environment: Environment,
  at: number,
  service = 'shop',
): Promise<void> {
  const ctx = ctxOf(sql, environment, at);
  const scope = { name: 'test' };
  const timeUnixNano = `${at}000000`;
  await storeTraces(ctx, { ...decodeTraces(bytes(spansOf(service, [{ at }])), 'json'), bytes: 400 });
  const logs = { resource: resource(service), scopeLogs: [{ scope, logRecords: [{ timeUnixNano }] }] };
  await storeLogs(ctx, { ...decodeLogs(bytes({ resourceLogs: [logs] }), 'json'), bytes: 200 });
  const metric = { name: 'carts', gauge: { dataPoints: [{ asInt: '3', timeUnixNano }] } };
  const metrics = { resource: resource(service), scopeMetrics: [{ scope, metrics: [metric] }] };
  await storeMetrics(ctx, { ...decodeMetrics(bytes({ resourceMetrics: [metrics] }), 'json'), bytes: 200 });
}

/** Stores an outcome that was sent twice, and an error that the sender got. */
export async function confirm(sql: Sql, environment: Environment, at: number): Promise<void> {
  const ctx = ctxOf(sql, environment, at);
  const outcome = newOutcome({ occurredAt: new Date(at).toISOString() });
  await recordOutcomes(ctx, { outcomes: [outcome, outcome] });
  await noteError(ctx, {
    ...{ signal: 'traces', status: 400, message: 'The body is no such OTLP request.' },
    dropped: { request: 1 },
    atMs: at,
  });
}

/** Inserts a made-up row of an environment into each table that has none. */
export async function fillRest(sql: Sql, environment: Environment): Promise<void> {
  const before = await rowsOf(sql, environment);
  await sql`
    select ensure_telemetry_day(name::text, (now() at time zone 'UTC')::date) from telemetry_tables where is_partitioned`;
  for (const [table, rows] of Object.entries(before)) {
    if (rows > 0) continue;
    const columns = await sql`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_nullable = 'NO' and column_default is null
        and is_identity = 'NO' and is_generated = 'NEVER'`;
    const values = columns.map(({ name, type }) =>
      name === 'environment_key' ? environment.environmentKey : madeUp(type),
    );
    const list = columns.map(({ name }) => name).join(', ');
    const parameters = values.map((_, n) => `$${n + 1}`).join(', ');
    await sql.query(`insert into ${table} (${list}) values (${parameters})`, values);
  }
}

function madeUp(type: string): unknown {
  if (type === 'uuid') return crypto.randomUUID();
  if (type === 'boolean') return true;
  if (type === 'text') return 'made up';
  if (type === 'bytea') return '\\x00';
  if (type === 'date') return new Date().toISOString().slice(0, 10);
  if (type === 'ARRAY') return [];
  if (type === 'jsonb') return {};
  return type.startsWith('timestamp') ? new Date().toISOString() : 1;
}

import type { Stack } from '../../dev/stack.ts';
import { decodeTraces } from '../../lib/otlp/index.ts';
import { addIngestKey } from '../../tests/security/session.ts';
import { createTenant } from '../../tests/security/tenant.ts';
import { median } from '../median.ts';
import { buildRequest, encodeRequest } from '../otlp/trace-request.ts';
import { runAll } from '../traffic-of-day.ts';

const ROUNDS = 5;
const CLIENTS = 6;
const REQUESTS_A_ROUND = 40;

/** Tables for the plain inserts, with different parts of `spans`. */
const TABLES = {
  plain: 'like spans',
  keyed: 'like spans, primary key (environment_key, trace_id, span_id, day)',
  indexed: 'like spans including indexes',
};
type Table = keyof typeof TABLES;
const tables = Object.keys(TABLES) as Table[];

/** Median spans per second of the rounds. */
export type Stored = Record<'received' | Table, number>;

/** The columns that a plain insert reads from the same spans. */
const columns = `"traceId" uuid, "spanId" text, "parentSpanId" text, "startNano" bigint, "durationNano" bigint, resource integer, scope integer,
  kind smallint, "statusCode" smallint, name text, "statusMessage" text, attributes jsonb, events jsonb, links jsonb, flags integer`;

/**
 * Spans per second through workerd, the local endpoint and PostgreSQL on this machine. As a baseline, a plain multi-row insert of the
 * same rows through the same endpoint: into a table without an index, with only the primary key of `spans`, and with all its indexes.
 * They take turns.
 */
export async function measureStoring(stack: Stack): Promise<Stored> {
  const { projectId } = await createTenant(stack.sql);
  const { key } = await addIngestKey(stack.sql, projectId);
  for (const table of tables) await stack.neon.exec(`create table ${table}_spans (${TABLES[table]})`);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/x-protobuf' };
  const rates: Record<keyof Stored, number[]> = { received: [], plain: [], keyed: [], indexed: [] };
  let number = 0;
  for (let round = -1; round < ROUNDS; round += 1) {
    const bodies = Array.from({ length: REQUESTS_A_ROUND }, () =>
      encodeRequest(buildRequest(number++, Date.now())),
    );
    const rows = bodies.map((body) => JSON.stringify(decodeTraces(body, 'protobuf').spans));
    const measured = {
      received: await rate(bodies, async (body) => {
        const init = { method: 'POST', headers, body: body as BodyInit };
        const response = await stack.fetch('/v1/traces', init);
        const answer = await response.arrayBuffer();
        if (response.status !== 200 || answer.byteLength > 0)
          throw new Error(`the receiver answered ${response.status}`);
      }),
    } as Stored;
    for (const table of tables)
      measured[table] = await rate(rows, (batch) => stack.sql.query(insertInto(`${table}_spans`), [batch]));
    // The first round is a warm-up.
    if (round < 0) continue;
    for (const name of ['received', ...tables] as const) rates[name].push(measured[name]);
    console.error(`  round ${round + 1} of ${ROUNDS}`);
  }
  return {
    received: median(rates.received),
    plain: median(rates.plain),
    keyed: median(rates.keyed),
    indexed: median(rates.indexed),
  };
}

const SPANS = 512;

const insertInto = (table: string): string => `
  insert into ${table} (environment_key, day, trace_id, span_id, parent_span_id, start_nano, duration_nano, resource_id, scope_id, kind,
    status, flags, name, status_message, attributes, events, links)
  select 1, day_of_nano("startNano"), "traceId", span_id_of("spanId"), span_id_of("parentSpanId"), "startNano", "durationNano", resource,
    scope, kind, "statusCode", flags, name, "statusMessage", attributes, events, links
  from jsonb_to_recordset($1::jsonb) as span (${columns})`;

/** Spans per second. */
async function rate<Batch>(
  batches: readonly Batch[],
  store: (batch: Batch) => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  await runAll(batches, CLIENTS, store);
  return (batches.length * SPANS) / ((performance.now() - start) / 1000);
}

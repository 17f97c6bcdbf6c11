import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { decodeLogs, decodeMetrics, decodeTraces } from '../../../lib/otlp/index.ts';
import { ORACLE_RUNS } from '../../oracle-runs.ts';
import { SERVER } from '../../services/server.ts';
import { encode, REQUESTS } from './generated-messages.ts';
import { REQUEST_ARBITRARIES } from './random-messages.ts';

const numRuns = Math.ceil(ORACLE_RUNS / 3);

/** The columns that must hold the rows of any request. */
const COLUMNS = {
  spans: `resource integer, scope integer, "traceId" text, "spanId" text, "parentSpanId" text, "traceState" text,
    flags bigint, name text, kind smallint, "startNano" bigint, "durationNano" bigint, "statusCode" smallint,
    "statusMessage" text, attributes jsonb, events jsonb, links jsonb, "droppedAttributes" bigint, "droppedEvents" bigint,
    "droppedLinks" bigint`,
  logs: `resource integer, scope integer, "timeNano" bigint, "observedNano" bigint, "severityNumber" smallint,
    "severityText" text, "eventName" text, body jsonb, attributes jsonb, "droppedAttributes" bigint, "traceId" text,
    "spanId" text, flags bigint`,
  points: `metric integer, attributes jsonb, "startNano" bigint, "timeNano" bigint, flags bigint, value double precision,
    count bigint, sum double precision, min double precision, max double precision, distribution jsonb, exemplars jsonb`,
};

test('rows of random messages are one jsonb parameter of one statement', { timeout: 300_000 }, async () => {
  const database = new pg.Client({ connectionString: SERVER });
  await database.connect();
  const store = async (rows: readonly object[], columns: string) => {
    const found = await database.query<{ count: number }>(
      `select count(*)::integer as count, max(md5(r::text)) from jsonb_to_recordset($1::jsonb) as r(${columns})`,
      [JSON.stringify(rows)],
    );
    expect(found.rows[0]?.count).toBe(rows.length);
  };
  try {
    const { traces, logs, metrics } = REQUEST_ARBITRARIES;
    await fc.assert(
      fc.asyncProperty(traces, logs, metrics, async (ofTraces, ofLogs, ofMetrics) => {
        await store(decodeTraces(encode(REQUESTS.traces, ofTraces), 'protobuf').spans, COLUMNS.spans);
        await store(decodeLogs(encode(REQUESTS.logs, ofLogs), 'protobuf').logs, COLUMNS.logs);
        await store(decodeMetrics(encode(REQUESTS.metrics, ofMetrics), 'protobuf').points, COLUMNS.points);
      }),
      { numRuns },
    );
  } finally {
    await database.end();
  }
});

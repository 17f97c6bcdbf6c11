/** `npm run bench -- fill`: a fill that is interrupted again and again stores what a fill at once stores. */
import { expect, test } from 'vitest';
import { fillAtSize } from '../../bench/scale/fill-at-size.ts';
import { type FillSize, readSites } from '../../bench/scale/fill-size.ts';
import type { Sql } from '../../lib/db.ts';
import { sortVisits, storedRollups, storedVisits } from '../ingest/stored.ts';
import { useDatabase } from '../services/database.ts';

const NOW = Date.parse('2026-03-11T12:00:00Z');
const SIZE: FillSize = { site: 900, sites: 2, each: 200, days: 4, signals: 300, signalDays: 1 };
/** How many statements a fill makes before it is interrupted, by turns. The longest piece needs fewer than the most of these. */
const PATIENCE = [31, 57, 90, 143, 211];
const TELEMETRY = [
  ...['spans', 'span_minutes', 'span_hours', 'service_calls', 'logs', 'otlp_resources', 'otlp_scopes'],
  ...['metric_series', 'metric_points', 'metric_minutes', 'metric_hours', 'metric_seen', 'metric_touched'],
];

const atOnce = useDatabase();
const inPieces = useDatabase();

test('interrupted and continued, nothing is missing and nothing is there twice', async () => {
  await fillAtSize(atOnce().sql, { size: SIZE, now: NOW });
  let interruptions = 0;
  for (let isDone = false; !isDone; ) {
    const { sql, wasInterrupted } = interruptedAfter(
      PATIENCE[interruptions % PATIENCE.length] as number,
      inPieces().sql,
    );
    isDone = await fillAtSize(sql, { size: SIZE, now: NOW + interruptions * 60_000 }).then(
      () => true,
      (error: unknown) => {
        if (!wasInterrupted()) throw error;
        interruptions += 1;
        return false;
      },
    );
  }
  expect(interruptions).toBeGreaterThan(5);

  const [stored, expected] = [await contentsOf(inPieces().sql), await contentsOf(atOnce().sql)];
  expect(expected.sites).toHaveLength(1 + SIZE.sites);
  for (const signal of ['spans', 'logs', 'metric_points'])
    expect(expected.telemetry[signal]).toHaveLength(SIZE.signals * SIZE.signalDays);
  expect(expected.sealed.length).toBeGreaterThan(SIZE.days);
  expect(stored).toEqual(expected);
}, 240_000);

test('a fill goes on with the size that it began with', async () => {
  await expect(fillAtSize(atOnce().sql, { size: { site: 901 }, now: NOW })).rejects.toThrow('another size');
  await fillAtSize(atOnce().sql, { size: {}, now: NOW });
});

/** Each statement after the first ones fails, as if the process had ended. */
function interruptedAfter(statements: number, sql: Sql): { sql: Sql; wasInterrupted(): boolean } {
  let left = statements;
  const proxy = new Proxy(sql, {
    apply: (target, self, args) => {
      left -= 1;
      if (left < 0) throw new Error('interrupted');
      return Reflect.apply(target, self, args);
    },
  });
  return { sql: proxy, wasInterrupted: () => left < 0 };
}

async function contentsOf(sql: Sql) {
  const sites = [];
  for (const { siteId, siteKey } of await readSites(sql)) {
    const [raw] = await sql`
      select count(*)::int as events, sum(hashtext(occurred_at::text || kind))::text as sum from events where site_key = ${siteKey}`;
    const dropped =
      await sql`select day::text, reason, events from dropped_days where site_key = ${siteKey} order by 1, 2`;
    const visits = sortVisits(await storedVisits(sql, siteId));
    sites.push({ visits, rollups: await storedRollups(sql, siteId), raw, dropped });
  }
  const telemetry: Record<string, unknown[]> = {};
  for (const table of TELEMETRY) {
    const rows = await sql.query(
      `select (to_jsonb(t) - 'environment_key')::text as row from ${table} t order by 1`,
    );
    telemetry[table] = rows.map(({ row }) => row);
  }
  const sealed = await sql`
    select number, span, bucket::text, ready
    from sealed_days join bench.sites using (site_key) order by number, span, bucket`;
  return { sites, telemetry, sealed };
}

import { expect, test } from 'vitest';
import { generateBackendDay } from '../../dev/demo/telemetry/backend-day.ts';
import { fillBackend } from '../../dev/demo/telemetry/fill-demo-backend.ts';
import { createSender } from '../lib/telemetry/ingest-sender.ts';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();
const DAY = Date.UTC(2026, 9, 7);
const NOW = DAY + 20 * 3_600_000;

test('a day is the same however often it is made, and holds nothing that isn’t over', () => {
  const made = generateBackendDay(7, DAY, NOW);
  expect(generateBackendDay(7, DAY, NOW)).toEqual(made);
  expect(made.spans.length).toBeGreaterThan(500);
  const ends = made.spans.map(({ startNano, durationNano }) => Number(startNano) + durationNano);
  expect(Math.max(...ends)).toBeLessThanOrEqual(NOW * 1e6);
});

test('every span’s parent is there, and lies around it', () => {
  const { spans } = generateBackendDay(7, DAY, NOW);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  for (const span of spans.filter(({ parentSpanId }) => parentSpanId !== null)) {
    const parent = byId.get(span.parentSpanId ?? '');
    expect(parent?.traceId).toBe(span.traceId);
    expect(BigInt(span.startNano)).toBeGreaterThanOrEqual(BigInt(parent?.startNano ?? '0'));
  }
});

test('filling again stores nothing twice', async () => {
  const ctx = await createSender(database().sql, () => NOW);
  const count = async () => {
    const [row] = await ctx.sql`
      select (select count(*)::integer from spans where environment_key = ${ctx.actor.environmentKey}) as spans,
        (select count(*)::integer from logs where environment_key = ${ctx.actor.environmentKey}) as logs,
        (select count(*)::integer from metric_points where environment_key = ${ctx.actor.environmentKey}) as points,
        (select count(*)::integer from outcomes where environment_key = ${ctx.actor.environmentKey}) as outcomes`;
    return row as { spans: number; logs: number; points: number; outcomes: number };
  };
  const fill = () => fillBackend({ ctx, days: 2, seed: 7, onDay: () => {} });
  const spans = await fill();
  const first = await count();
  expect(first).toMatchObject({ spans, logs: expect.toSatisfy((count) => count > 10) });
  expect(Math.min(first.points, first.outcomes * 100)).toBeGreaterThan(1000);
  await fill();
  expect(await count()).toEqual(first);
});

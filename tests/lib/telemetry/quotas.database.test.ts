/** The counts of a project's telemetry equal its rows, also with parallel requests and after deletions. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { IngestContext } from '../../../lib/context.ts';
import type { Sql } from '../../../lib/db.ts';
import { expireTelemetry } from '../../../lib/telemetry/maintain-telemetry.ts';
import { getQuotas, setAllQuotas, setQuotas } from '../../../lib/telemetry/quotas.ts';
import { storeMetrics } from '../../../lib/telemetry/store-metrics.ts';
import { storeTraces } from '../../../lib/telemetry/store-traces.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { asOperator } from '../../../tooling/operator.ts';
import { useDatabase } from '../../services/database.ts';
import { createSender, metrics, pointAt, spanAt, traces } from './ingest-sender.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;

const operator = (sql: Sql) => asOperator(sql, { tool: 'test' });
const quotasOf = async ({ sql, actor: { projectId } }: IngestContext) => {
  const { bytesPerDay, series, services, attributeKeys } = await getQuotas(operator(sql), { projectId });
  return {
    bytes: bytesPerDay.used,
    series: series.used,
    services: services.used,
    attributeKeys: attributeKeys.used,
  };
};

async function held({ sql, actor: { environmentKey } }: IngestContext) {
  const [row] = await sql`
    select (select count(*)::integer from metric_series where environment_key = ${environmentKey}) as series,
      (select count(*)::integer from otlp_names where environment_key = ${environmentKey} and kind = 1) as services,
      (select count(*)::integer from otlp_names where environment_key = ${environmentKey} and kind = 2) as "attributeKeys"`;
  return row as { series: number; services: number; attributeKeys: number };
}

const shelves = (from: number, count: number) =>
  metrics(
    Array.from({ length: count }, (_, n) =>
      pointAt(Date.now(), { attributes: { shelf: from + n, [`key ${from + n}`]: 1 } }),
    ),
  );

test('what expires makes room', async () => {
  const ctx = await createSender(database().sql);
  const { sql, actor } = ctx;
  const old = { ...ctx, now: () => Date.now() - 5 * DAY_MS };
  const batch = shelves(0, 4);
  const points = batch.points.map((point) => ({ ...point, timeNano: `${old.now()}000000` }));
  await storeMetrics(old, { ...batch, points });
  await storeMetrics(ctx, shelves(100, 2));
  expect(await quotasOf(ctx)).toMatchObject({ series: 6, services: 1, attributeKeys: 7 });
  await setQuotas(operator(sql), { projectId: actor.projectId, series: 6 });
  expect(await storeMetrics(ctx, shelves(200, 1))).toMatchObject({ rejected: 1 });
  await sql`
    update environments set traces_days = 1, logs_days = 1, metrics_days = 1, expired_on = '-infinity'
    where id = ${actor.environmentId}`;
  await expireTelemetry({ sql, now: Date.now });
  expect(await held(ctx)).toEqual({ series: 2, services: 1, attributeKeys: 4 });
  expect(await quotasOf(ctx)).toMatchObject(await held(ctx));
  expect(await storeMetrics(ctx, shelves(300, 4))).toBeUndefined();
  expect(await storeMetrics(ctx, shelves(400, 1))).toMatchObject({ rejected: 1 });
});

test('a request in several pieces stops at the piece that finds no room, and says so', async () => {
  const ctx = await createSender(database().sql);
  await setQuotas(operator(ctx.sql), { projectId: ctx.actor.projectId, bytesPerDay: 1 });
  const spans = Array.from({ length: 9000 }, () => spanAt(Date.now()));
  expect(await storeTraces(ctx, { ...traces(spans), bytes: 9000 })).toMatchObject({ rejected: 808 });
  const [row] = await ctx.sql`
    select count(*)::integer as spans from spans where environment_key = ${ctx.actor.environmentKey}`;
  expect(row).toEqual({ spans: 8192 });
  expect(await quotasOf(ctx)).toMatchObject({ bytes: 8192 });
});

test('the last release’s code, which tells no size, goes on storing', async () => {
  const { sql, actor } = await createSender(database().sql);
  await setQuotas(operator(sql), { projectId: actor.projectId, bytesPerDay: 0 });
  const { resources, scopes } = traces([]);
  const { traceId, spanId, startNano } = spanAt(Date.now());
  const span = {
    ...{
      traceId,
      spanId,
      startNano,
      durationNano: 1,
      resource: 0,
      scope: 0,
      kind: 2,
      statusCode: 0,
      name: 'a',
    },
    attributes: {},
  };
  const batch = JSON.stringify({ resources, scopes, spans: [span], parts: [] });
  const today = new Date().toISOString();
  const store = async () =>
    (
      await sql`select store_spans(${actor.environmentKey}, ${batch}::jsonb, ${[today.slice(0, 10)]}::date[], ${today}) as known`
    )[0];
  expect(await store()).toEqual({ known: null });
  expect(await store()).toEqual({ known: [0] });
});

test('quotas are the project’s own, else those of all projects; the audit log has them', async () => {
  const { sql } = database();
  const [one, other] = [await createSender(sql), await createSender(sql)];
  const limits = async ({ actor: { projectId } }: IngestContext) => {
    const { bytesPerDay, series } = await getQuotas(operator(sql), { projectId });
    return [bytesPerDay.limit, series.limit];
  };
  const { projectId } = one.actor;
  const [before] = [await limits(other)];
  await setQuotas(operator(sql), { projectId, series: 7 });
  await setQuotas(operator(sql), { projectId, bytesPerDay: 9 });
  await setAllQuotas(operator(sql), { series: 123_456 });
  expect([await limits(one), await limits(other)]).toEqual([
    [9, 7],
    [before?.[0], 123_456],
  ]);
  await setQuotas(operator(sql), { projectId, series: null });
  expect(await limits(one)).toEqual([9, 123_456]);
  await setAllQuotas(operator(sql), { series: before?.[1] });
  const lines =
    await sql`select action, tool, actor ->> 'kind' as kind from audit_log where project_id = ${projectId}`;
  expect(lines).toEqual(Array(3).fill({ action: 'quotas.set', tool: 'test', kind: 'operator' }));
  await expect(setQuotas(operator(sql), { projectId: crypto.randomUUID(), series: 1 })).rejects.toMatchObject(
    { code: 'NOT_FOUND' },
  );
});

describe('on a server', () => {
  test('requests at once are counted exactly, and exceed a quota by what was under way at most', async () => {
    const ctx = await createSender(database().sql);
    const { sql, actor } = ctx;
    const [senders, size, quota] = [8, 10, 55];
    await setQuotas(operator(sql), { projectId: actor.projectId, series: quota });
    let taken = 0;
    await Promise.all(
      Array.from({ length: senders }, async (_, sender) => {
        for (let round = 0; round < 4; round += 1) {
          // Other requests have half of each request's series too.
          const own = shelves(1000 + sender * 100 + round * 10, size / 2);
          const shared = shelves(round * 5, size / 2);
          const batch = { ...own, points: [...own.points, ...shared.points], bytes: 1000 };
          const partial = await storeMetrics(ctx, batch);
          taken += Math.ceil((1000 * (size - (partial?.rejected ?? 0))) / size);
        }
      }),
    );
    const counted = await quotasOf(ctx);
    expect(counted).toMatchObject(await held(ctx));
    expect(counted.bytes).toBe(taken);
    expect(counted.series).toBeGreaterThanOrEqual(quota);
    expect(counted.series).toBeLessThan(quota + senders * size);
    expect(await storeMetrics(ctx, shelves(5000, 3))).toMatchObject({ rejected: 3 });
    expect((await quotasOf(ctx)).series).toBe(counted.series);
  });

  test('npm run quotas shows and sets them', async () => {
    const { sql, server } = database();
    const { projectId } = (await createSender(sql)).actor;
    const run = async (...args: string[]) => {
      const env = { ...process.env, DATABASE_URL: server };
      const script = join(ROOT, 'scripts/quotas.ts');
      const done = promisify(execFile)(process.execPath, [script, ...args], { env });
      return done.then(
        ({ stdout }) => stdout,
        ({ code, stderr }) => [code, (stderr as string).split('\n')[0]],
      );
    };
    expect(await run('show', projectId)).toContain('bytesPerDay    0 of 20,000,000,000\n');
    expect(await run('set', projectId, '--bytes-per-day', '5GB', '--services', '3')).toMatch(
      /bytesPerDay {4}0 of 5,000,000,000\nseries {9}0 of 100,000\nservices {7}0 of 3\n/,
    );
    expect(await run('set', projectId, '--services', 'default')).toContain('services       0 of 1,000\n');
    expect(await run('show', crypto.randomUUID())).toEqual([1, 'No such project.']);
    expect(await run('set', projectId, '--series', 'many')).toEqual([
      1,
      '--series takes a number as 5000 or 20GB.',
    ]);
    expect(await run('set', 'all', '--series', 'default')).toEqual([1, expect.stringContaining('`all`')]);
  }, 300_000);
});

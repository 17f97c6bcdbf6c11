/** Previews of an environment's alerts, by the rights of the function that answers them. */
import { expect, test } from 'vitest';
import { ENVIRONMENT_METRICS, SHORT } from '../../../lib/alerts/alert-fields.ts';
import { useStack } from '../../services/use-stack.ts';
import { newBrowser } from '../account/browser.ts';
import { createWorld } from './sent-spans.ts';
import { spanIdOf, traceIdOf } from './test-environment.ts';

const stack = useStack();
const HOUR_MS = 3_600_000;

interface Preview {
  values: { time: string; value: number | null }[];
  firings: { from: string; value: number }[];
  fired: number;
}

const SUBJECTS: Partial<Record<(typeof ENVIRONMENT_METRICS)[number], object>> = {
  metric: { metricName: 'queue.depth', aggregation: 'max' },
  silence: { service: 'shop', compare: 'silent' },
  p50: { service: 'shop' },
  p95: { service: 'shop' },
  p99: { service: 'shop' },
};

async function openPreviews() {
  const world = await createWorld(stack());
  const browser = newBrowser(stack(), world.owner.cookie);
  const path = `/api/v1/telemetry/projects/${world.projectId}/environments/${world.environmentId}/alerts/preview`;
  const rule = { compare: 'above', threshold: 0, forMinutes: 5 };
  const preview = async (more: object): Promise<Preview> =>
    (await browser.json('POST', path, { ...rule, ...more })).data;
  return { ...world, preview };
}

test('every metric has a preview, and only what isn’t summed an empty one', async () => {
  const { preview, send, rollUp } = await openPreviews();
  const startMs = Date.now() - 3 * HOUR_MS;
  await send([
    { traceId: traceIdOf(1), spanId: spanIdOf(1), service: 'shop', name: 'GET /', startMs, durationMs: 9 },
  ]);
  await rollUp();
  for (const metric of ENVIRONMENT_METRICS) {
    const { values } = await preview({ metric, ...SUBJECTS[metric] });
    expect([metric, values.length > 0]).toEqual([metric, !SHORT.includes(metric)]);
  }
});

test('values are by whole hours: rates and errors as they are, counts for the rule’s minutes', async () => {
  const { preview, send, rollUp, environmentId } = await openPreviews();
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS;
  await send(
    Array.from({ length: 60 }, (_, n) => ({
      ...{ traceId: traceIdOf(n + 1), spanId: spanIdOf(n + 1), service: 'shop', name: 'GET /' },
      ...{ startMs: hour + n * 1000, durationMs: 9, status: n < 15 ? 2 : 0 },
    })),
  );
  await rollUp();
  // The group was made in the same hour.
  await stack().sql`
    update error_groups set noted_at = ${new Date(hour + 1000).toISOString()}::timestamptz
    where environment_key = (select key from environments where id = ${environmentId})`;
  const at = (found: Preview) => found.values.find(({ time }) => Date.parse(time) === hour)?.value;
  const errors = await preview({ metric: 'new_error' });
  expect([at(errors), errors.fired, errors.firings.map(({ value }) => value)]).toEqual([1, 1, [1]]);
  const rate = await preview({ metric: 'error_rate', threshold: 20 });
  expect([at(rate), rate.fired]).toEqual([25, 1]);
  expect((await preview({ metric: 'error_rate', threshold: 25 })).fired).toBe(0);
  // 60 in an hour are 5 in 5 minutes.
  expect(at(await preview({ metric: 'requests' }))).toBe(5);
  expect(at(await preview({ metric: 'requests', forMinutes: 60 }))).toBe(60);
});

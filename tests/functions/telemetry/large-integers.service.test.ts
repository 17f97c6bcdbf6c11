/** Counters beyond 2^53: no unit of what they count is lost between the sender and the answer. */
import { expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import {
  type Answer,
  counter,
  DELTA,
  gauge,
  MINUTE_MS,
  minute,
  point,
  send,
  twice,
} from './metric-points.ts';
import { createTestEnvironment, type TestEnvironment } from './test-environment.ts';

const stack = useStack();

/** 2^53: from here on a double doesn't hold every integer. */
const LIMIT = 9007199254740992n;
const HIGHEST = 2n ** 63n - 1n;

/** Values of the buckets with an observation: all digits, or the number if it is exact. */
async function sums(
  environment: TestEnvironment,
  name: string,
  interval: string,
  period = '1h',
): Promise<(number | string)[]> {
  const { data } = await environment.get<Answer>(
    `metrics?name=${name}&aggregation=sum&interval=${interval}&period=${period}`,
  );
  return data.groups.flatMap(({ values }) =>
    values.flatMap(({ value, exact }) => (value === null ? [] : [exact ?? value])),
  );
}

test('what a counter rose by is exact, however high it is, and from one minute to the next', async () => {
  const environment = await createTestEnvironment(stack());
  const at = minute(30);
  await environment.grow();
  const points = [1n, 2n, 5n, LIMIT + 6n, HIGHEST].map((value, n) =>
    point(at + n * MINUTE_MS, { asInt: String(n < 3 ? LIMIT + value : value) }, {}, at - MINUTE_MS),
  );
  await send(environment, 'shop', [counter('nanoseconds', points)]);
  await twice(stack().sql, environment, async () => {
    expect(await sums(environment, 'nanoseconds', '1m')).toEqual([
      String(LIMIT + 1n),
      1,
      3,
      1,
      String(HIGHEST - LIMIT - 6n),
    ]);
  });
});

test('increments add up to all digits, over series, minutes and hours', async () => {
  const environment = await createTestEnvironment(stack());
  const at = minute(200);
  await environment.grow();
  const parts = Array.from({ length: 40 }, (_, n) => LIMIT + BigInt(2 * n + 1));
  const points = (route: string) =>
    parts.map((value, n) => point(at + n * 4 * MINUTE_MS, { asInt: String(value) }, { route }));
  await send(environment, 'shop', [counter('bytes', [...points('/a'), ...points('/b')], DELTA)]);
  const total = 2n * parts.reduce((sum, value) => sum + value, 0n);
  await twice(stack().sql, environment, async () => {
    for (const interval of ['5m', '1h']) {
      const values = await sums(environment, 'bytes', interval, '24h');
      expect(values.reduce((sum: bigint, value) => sum + BigInt(value), 0n)).toBe(total);
      expect(values.every((value) => typeof value === 'string')).toBe(true);
    }
  });
});

test('a level’s sum is exact, and small ones and fractions stay plain numbers', async () => {
  const environment = await createTestEnvironment(stack());
  const at = minute(10);
  await send(environment, 'shop', [
    gauge('offsets', [
      point(at, { asInt: String(HIGHEST) }, { partition: 1 }),
      point(at, { asInt: String(1n - HIGHEST) }, { partition: 2 }),
      point(at + MINUTE_MS, { asInt: '-9007199254740993' }, { partition: 1 }),
    ]),
    gauge('degrees', [point(at, { asDouble: -0.1 }, { of: 'a' }), point(at, { asDouble: 0.3 }, { of: 'b' })]),
  ]);
  await twice(stack().sql, environment, async () => {
    expect(await sums(environment, 'offsets', '1m')).toEqual([1, '-9007199254740993']);
    expect(await sums(environment, 'degrees', '1m')).toEqual([-0.1 + 0.3]);
  });
  const [sizes] = await stack().sql`
    select count(p.sum)::integer as rests, count(*)::integer as points from metric_points p
    join environments e on e.key = p.environment_key where e.id = ${environment.environmentId}`;
  // What a double holds takes no room beside it.
  expect(sizes).toEqual({ rests: 3, points: 5 });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latencyBucket, latencyBucketStart } from '../../../lib/telemetry/latency.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

/** All values at the border of a bucket. */
const borders = Array.from({ length: 424 }, (_, bucket) => Math.floor(2 ** (bucket / 8))).flatMap((nano) => [
  nano - 1,
  nano,
  nano + 1,
]);

test('a duration has the same bucket here and in the database', async () => {
  const anywhere = fc.sample(fc.maxSafeNat(), 1000).flatMap((nano) => [nano, nano % 1e9]);
  const durations = [...borders, ...anywhere];
  const rows = await database().sql`
    select latency_bucket(nano) as bucket from unnest(${durations}::bigint[]) with ordinality as given(nano, n) order by n`;
  expect(rows.map(({ bucket }) => bucket)).toEqual(durations.map(latencyBucket));
});

test('a bucket begins with the shortest duration that is in it', () => {
  // Below 8 ns there are buckets in which no whole number of nanoseconds lies.
  for (let bucket = 0; bucket < 400; bucket += 1) {
    const start = latencyBucketStart(bucket);
    expect([bucket, latencyBucket(start) >= bucket]).toEqual([bucket, true]);
    if (start > 0) expect([bucket, latencyBucket(start - 1) < bucket]).toEqual([bucket, true]);
  }
});

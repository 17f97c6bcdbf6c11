/** Sums in two halves against integers of any length (schema/functions/metric-rollups.sql). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const sumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);

test('the sum of 64-bit integers has all digits, also when sums are summed again', async () => {
  const integer = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
    fc.bigInt({ min: -100n, max: 100n }),
  );
  const groups = fc.array(fc.array(integer, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(groups, async (all) => {
      // As a request has them: beyond 2^53 as digits.
      const sent = all.map((values) =>
        values.map((value) => (value > SAFE || value < -SAFE ? String(value) : Number(value))),
      );
      const [row] = await database().sql`
        with point as (
          select n, (digits #>> '{}')::double precision as value,
            metric_rest_of(digits, (digits #>> '{}')::double precision) as rest
          from jsonb_array_elements(${JSON.stringify(sent)}::jsonb) with ordinality as listed(group_, n),
            jsonb_array_elements(group_) as digits
        ), minute as (
          select metric_near(high, low) as value, metric_rest(high, low) as rest
          from (select sum(metric_high(value)) as high, sum(metric_low(value, rest)) as low from point group by n) halves
        )
        select metric_near(high, low) as near, metric_digits(high, low) as digits
        from (select sum(metric_high(value)) as high, sum(metric_low(value, rest)) as low from minute) halves`;
      const total = sumOf(all.flat());
      expect(row?.near).toBe(Number(total));
      expect(row?.digits).toBe(total > SAFE || total < -SAFE ? String(total) : null);
    }),
    { numRuns: 200 },
  );
});

test('fractions, tiny numbers and huge ones are added as doubles', async () => {
  const value = fc.oneof(
    fc.double({ min: -4e9, max: 4e9, noNaN: true }),
    fc.constantFrom(5e-324, -1e-300, 1e300, -1e300, 0.1),
  );
  await fc.assert(
    fc.asyncProperty(value, async (one) => {
      const [row] = await database().sql`
        select metric_near(metric_high(v), metric_low(v, null)) as near, metric_rest(metric_high(v), metric_low(v, null)) as rest
        from (select ${one}::double precision as v) given`;
      expect(row).toEqual({ near: one === 0 ? 0 : one, rest: null });
    }),
    { numRuns: 100 },
  );
});

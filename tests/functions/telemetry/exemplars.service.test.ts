/** Exemplars of metrics: sent to the receiver, compared with picking them from all that was sent. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exemplar } from '../../../lib/telemetry/metrics/metric-schemas.ts';
import { useStack } from '../../services/use-stack.ts';
import { gauge, minute, point, send } from './metric-points.ts';
import { attributesOf, createTestEnvironment, nano, spanIdOf, traceIdOf } from './test-environment.ts';

const stack = useStack();

const drawn = fc.array(
  fc.record({
    service: fc.constantFrom('shop', 'web'),
    route: fc.constantFrom('/a', '/b'),
    minute: fc.integer({ min: 1, max: 90 }),
    exemplars: fc.array(fc.option(fc.boolean(), { nil: undefined }), { maxLength: 3 }),
  }),
  { minLength: 5, maxLength: 25 },
);

test('the newest exemplars of what is asked for', async () => {
  for (const sample of fc.sample(drawn, 6)) {
    const environment = await createTestEnvironment(stack());
    const points = sample.map((one, n) => ({
      ...one,
      at: minute(one.minute) + n,
      exemplars: one.exemplars.map((traced, m) => ({ traced, value: n * 10 + m, id: n * 10 + m + 1 })),
    }));
    for (const { service, route, at, exemplars } of points)
      await send(environment, service, [
        gauge('size', [
          point(
            at,
            {
              asDouble: 1.5,
              exemplars: exemplars.map(({ traced, value, id }) => ({
                // Without a time of its own an exemplar has its point's.
                ...(traced !== undefined && { timeUnixNano: nano(at + 500 + value) }),
                asDouble: value,
                filteredAttributes: attributesOf({ n: value }),
                ...(traced && { traceId: traceIdOf(id), spanId: spanIdOf(id) }),
              })),
            },
            { route },
          ),
        ]),
      ]);
    for (const [query, fits] of [
      ['', () => true],
      ['&service=shop', ({ service }) => service === 'shop'],
      ['&attr.route=/b', ({ route }) => route === '/b'],
      ['&service=web&attr.route=/a', ({ service, route }) => service === 'web' && route === '/a'],
    ] satisfies [string, (one: (typeof points)[number]) => boolean][]) {
      const expected = points
        .filter((one) => one.minute < 60 && fits(one))
        .flatMap(({ service, route, at, exemplars }) =>
          exemplars.map(({ traced, value, id }) => ({
            time: new Date(traced === undefined ? at : at + 500 + value).toISOString(),
            ...{ value, service, attributes: { route }, filteredAttributes: { n: value } },
            traceId: traced ? traceIdOf(id) : null,
            spanId: traced ? spanIdOf(id) : null,
          })),
        );
      const order = ({ time, value }: { time: string; value: unknown }) => `${time} ${String(value)}`;
      const { data, meta } = await environment.get<{
        data: Exemplar[];
        meta: { searchedFrom: string; range: { from: string } };
      }>(`metric-exemplars?name=size&limit=100${query}`);
      expect(data.map(({ time }) => time)).toEqual(
        data
          .map(({ time }) => time)
          .sort()
          .reverse(),
      );
      expect([...data].sort((a, b) => (order(a) < order(b) ? -1 : 1))).toEqual(
        [...expected].sort((a, b) => (order(a) < order(b) ? -1 : 1)),
      );
      expect(meta.searchedFrom).toBe(meta.range.from);
      const few = await environment.get<{ data: Exemplar[] }>(`metric-exemplars?name=size&limit=2${query}`);
      expect(few.data).toEqual(data.slice(0, 2));
    }
  }
});

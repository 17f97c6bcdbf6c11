/** The catalogue of metrics: sent to the receiver, read over HTTP. */
import { describe, expect, test } from 'vitest';
import type { CatalogMetric } from '../../../lib/telemetry/metrics/metric-schemas.ts';
import { useStack } from '../../services/use-stack.ts';
import { counter, gauge, MINUTE_MS, minute, point, send, twice } from './metric-points.ts';
import { createTestEnvironment } from './test-environment.ts';

const stack = useStack();

interface Catalog {
  data: CatalogMetric[];
  meta: { nextCursor: string | null; coverage: { observed: boolean } };
}

describe('metric-catalog', () => {
  test('lists what was observed, with its kind, keys and the minute of its last point', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(10);
    await send(environment, 'shop', [
      counter('http.sent', [point(at, { asInt: '1' }, { route: '/a', method: 'GET' }, at - 1)]),
      counter('http.sent', [point(at + MINUTE_MS, { asInt: '1' }, { route: '/b' }, at - 1)]),
      gauge('temp_100%', [point(at, { asDouble: 1 })]),
    ]);
    await send(environment, 'web', [counter('http.sent', [point(at, { asInt: '1' }, {}, at - 1)])]);
    await send(environment, 'shop', [gauge('long.ago', [point(at - 48 * 60 * MINUTE_MS, { asDouble: 1 })])]);
    await twice(stack().sql, environment, async () => {
      const { data, meta } = await environment.get<Catalog>('metric-catalog');
      expect(data.map(({ name }) => name)).toEqual(['http.sent', 'temp_100%']);
      expect(data[0]).toEqual({
        ...{ name: 'http.sent', type: 'sum', unit: 'By', description: 'What http.sent counts.' },
        ...{
          temporalities: ['cumulative'],
          monotonic: true,
          services: ['shop', 'web'],
          serviceCount: 2,
          seriesCount: 3,
        },
        ...{ attributeKeys: ['method', 'route'], aggregations: ['sum', 'rate'] },
        lastSeenAt: new Date(at + MINUTE_MS).toISOString(),
      });
      expect(meta).toMatchObject({ nextCursor: null, coverage: { observed: true } });
      const names = async (query: string) =>
        (await environment.get<Catalog>(`metric-catalog?${query}`)).data.map(({ name }) => name);
      expect(await names('service=web')).toEqual(['http.sent']);
      expect(await names('q=HTTP')).toEqual(['http.sent']);
      expect(await names('q=0%25')).toEqual(['temp_100%']);
      expect(await names('q=p.1')).toEqual([]);
      expect(await names('period=7d')).toEqual(['http.sent', 'long.ago', 'temp_100%']);
      const past = new Date(at - 24 * 60 * MINUTE_MS).toISOString();
      const before = new Date(at - 50 * 60 * MINUTE_MS).toISOString();
      expect(await names(`from=${before}&to=${past}`)).toEqual(['long.ago']);
    });
  });

  test('pages hold each metric once', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(5);
    const names = ['a', 'b', 'c', 'd', 'e'];
    await send(
      environment,
      'shop',
      names.flatMap((name) => [
        gauge(name, [point(at, { asInt: '1' })]),
        counter(name, [point(at, { asInt: '1' })]),
      ]),
    );
    const listed: string[] = [];
    let cursor = '';
    do {
      const page = await environment.get<Catalog>(`metric-catalog?limit=3${cursor}`);
      listed.push(...page.data.map(({ name, type }) => `${name} ${type}`));
      cursor = page.meta.nextCursor === null ? '' : `&cursor=${page.meta.nextCursor}`;
    } while (cursor !== '');
    expect(listed).toEqual(names.flatMap((name) => [`${name} gauge`, `${name} sum`]));
    for (const bad of ['W10', 'WyJhIiwiYiJd', '"'])
      expect([bad, await environment.status(`metric-catalog?cursor=${bad}`)]).toEqual([bad, 400]);
  });
});

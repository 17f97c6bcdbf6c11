/** The longest names that a sender may use are stored, summed and answered like others. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CatalogMetric } from '../../../lib/telemetry/metrics/metric-schemas.ts';
import { useStack } from '../../services/use-stack.ts';
import { newOutcome } from '../receiver/backend-sender.ts';
import { DELTA, minute, point, send, twice } from './metric-points.ts';
import { createWorld, minutesAgo } from './sent-spans.ts';
import { createTestEnvironment, spanIdOf, traceIdOf } from './test-environment.ts';

const stack = useStack();

/** A text with 4 bytes per character that can't be compressed. */
const longText = (characters: number): string =>
  Array.from({ length: characters }, () =>
    String.fromCodePoint(0x10000 + (randomBytes(3).readUIntBE(0, 3) % 0xf0000)),
  ).join('');

describe('the longest names', () => {
  test('of a metric: its points are summed, and it is in the catalogue', async () => {
    const environment = await createTestEnvironment(stack());
    const at = minute(10);
    const name = `m${longText(255)}`;
    const unit = longText(256);
    const service = longText(256);
    const sum = {
      aggregationTemporality: DELTA,
      isMonotonic: true,
      dataPoints: [point(at, { asInt: '3' }, {}, at - 1)],
    };
    await send(environment, service, [{ name, unit, sum }]);
    await twice(stack().sql, environment, async () => {
      const { data } = await environment.get<{ data: CatalogMetric[] }>('metric-catalog');
      expect(data).toMatchObject([{ name, unit, services: [service], seriesCount: 1 }]);
    });
    // The same name with another unit is another metric, also in sums.
    await send(environment, service, [{ name, unit: longText(256), sum }]);
    await twice(stack().sql, environment, async () => {
      const { data } = await environment.get<{ data: CatalogMetric[] }>('metric-catalog');
      expect(data).toHaveLength(2);
    });
  });

  test('of services and operations: their spans and calls are summed', async () => {
    const world = await createWorld(stack());
    const [caller, callee] = [longText(256), longText(256)];
    const at = minutesAgo(30);
    const traceId = traceIdOf(1);
    await world.send([
      { traceId, spanId: spanIdOf(1), service: caller, name: longText(256), startMs: at },
      {
        traceId,
        spanId: spanIdOf(2),
        parentSpanId: spanIdOf(1),
        service: callee,
        name: longText(256),
        startMs: at,
      },
    ]);
    await world.rollUp();
    const { data } = await world.get<{ data: { edges: unknown[] } }>('service-map?period=24h');
    expect(data.edges).toMatchObject([{ caller, callee, calls: 1 }]);
  });

  test('of outcomes: they are recorded and listed', async () => {
    const environment = await createTestEnvironment(stack());
    const outcome = newOutcome({
      source: '語'.repeat(128),
      domainEventId: `${crypto.randomUUID()}${'語'.repeat(220)}`,
    });
    expect(await environment.tell(outcome)).toBe(201);
    expect(await environment.tell(outcome)).toBe(200);
  });
});

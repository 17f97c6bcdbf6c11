/** Quotas of a project: what is beyond them is refused and reported, the rest is stored. Through the receiver and by HTTP. */
import { describe, expect, test } from 'vitest';
import type { ProjectQuotas, SetQuotas } from '../../../lib/telemetry/quota-schemas.ts';
import { setQuotas } from '../../../lib/telemetry/quotas.ts';
import { asOperator } from '../../../tooling/operator.ts';
import { addIngestKey } from '../../security/session.ts';
import { useStack } from '../../services/use-stack.ts';
import { asMember } from '../telemetry/member.ts';
import { attributesOf } from '../telemetry/test-environment.ts';
import { newSender, type Sender, spansOf } from './backend-sender.ts';

const stack = useStack();

const limit = ({ projectId }: Sender, quotas: Omit<SetQuotas, 'projectId'>) =>
  setQuotas(asOperator(stack().sql, { tool: 'test' }), { projectId, ...quotas });

interface Answer {
  partialSuccess?: { errorMessage: string } & Record<string, string>;
}

/** The answer to a request, which always has status 200. */
async function send(sender: Sender, signal: string, body: object): Promise<Answer> {
  const response = await sender.send(`/v1/${signal}`, body);
  const answer = (await response.json()) as Answer;
  expect([response.status, answer]).toEqual([200, expect.any(Object)]);
  return answer;
}

async function statusOf(sender: Sender) {
  const [status, { data, meta }] = await asMember(stack(), sender, sender).get('connection-status');
  expect(status).toBe(200);
  return { data, quotas: meta.quotas as ProjectQuotas };
}

async function stored({ environmentKey }: Sender) {
  const [row] = await stack().sql`
    select (select count(*)::integer from spans where environment_key = ${environmentKey}) as spans,
      (select count(*)::integer from logs where environment_key = ${environmentKey}) as logs,
      (select count(*)::integer from metric_points where environment_key = ${environmentKey}) as points,
      (select count(*)::integer from metric_series where environment_key = ${environmentKey}) as series`;
  return row as Record<'spans' | 'logs' | 'points' | 'series', number>;
}

const now = () => `${Date.now()}000000`;
const logOf = (service: string, attributes: Record<string, string> = {}) => ({
  resourceLogs: [
    {
      resource: { attributes: attributesOf({ 'service.name': service }) },
      scopeLogs: [{ logRecords: [{ timeUnixNano: now(), attributes: attributesOf(attributes) }] }],
    },
  ],
});
const gaugeOf = (points: Record<string, string>[], resource: Record<string, string> = {}) => ({
  resourceMetrics: [
    {
      resource: { attributes: attributesOf({ 'service.name': 'shop', ...resource }) },
      scopeMetrics: [
        {
          metrics: [
            {
              name: 'queue',
              gauge: {
                dataPoints: points.map((attributes) => ({
                  timeUnixNano: now(),
                  asInt: '1',
                  attributes: attributesOf(attributes),
                })),
              },
            },
          ],
        },
      ],
    },
  ],
});

describe('bytes a day', () => {
  test('a request that begins below the quota is stored, and no further one of that day', async () => {
    const sender = await newSender(stack());
    const batch = () => spansOf('shop', [{}, {}, {}]);
    await limit(sender, { bytesPerDay: 1500 });
    const first = batch();
    expect(await send(sender, 'traces', first)).toEqual({});
    const bytes = JSON.stringify(first).length;
    expect((await statusOf(sender)).quotas.bytesPerDay).toEqual({
      used: bytes,
      limit: 1500,
      resetsAt: expect.stringMatching(/T00:00:00\.000Z$/),
    });
    // The same spans again are nothing new.
    expect(await send(sender, 'traces', first)).toEqual({});
    expect((await statusOf(sender)).quotas.bytesPerDay.used).toBe(bytes);

    while ((await statusOf(sender)).quotas.bytesPerDay.used < 1500)
      expect(await send(sender, 'traces', batch())).toEqual({});
    const before = await stored(sender);
    const refused = await send(sender, 'traces', batch());
    expect(refused).toEqual({
      partialSuccess: {
        rejectedSpans: '3',
        errorMessage:
          'Refused 3: the project has used its quota of 1500 bytes a day, which begins anew at 00:00 UTC.',
      },
    });
    expect(await send(sender, 'logs', logOf('shop'))).toMatchObject({
      partialSuccess: { rejectedLogRecords: '1' },
    });
    expect(await send(sender, 'metrics', gaugeOf([{}, { a: 'b' }]))).toMatchObject({
      partialSuccess: { rejectedDataPoints: '2' },
    });
    expect(await stored(sender)).toEqual(before);
    await expect
      .poll(async () => (await statusOf(sender)).data[0].lastError)
      .toMatchObject({ status: 200, message: refused.partialSuccess?.errorMessage });

    // Another environment of the project is refused too, and deleting one changes nothing.
    const [other] = await stack().sql`
      insert into environments (project_id, name) values (${sender.projectId}, 'staging') returning id, key`;
    await stack().sql`
      update ingest_keys set environment_id = ${other?.id} where environment_id = ${sender.environmentId}`;
    await stack().sql`delete from environments where id = ${sender.environmentId}`;
    const { key } = await addIngestKey(stack().sql, sender.projectId);
    const response = await stack().fetch('/v1/traces', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(batch()),
    });
    expect(await response.json()).toMatchObject({ partialSuccess: { rejectedSpans: '3' } });

    // The next day, and a raised quota.
    const { environmentId } = (await addIngestKey(stack().sql, sender.projectId)).actor;
    const renewed: Sender = { ...sender, environmentId, send: senderOf(key) };
    await stack().sql`update telemetry_usage set day = day - 1 where project_id = ${sender.projectId}`;
    expect((await statusOf(renewed)).quotas.bytesPerDay.used).toBe(0);
    expect(await send(renewed, 'traces', batch())).toEqual({});
    expect((await statusOf(renewed)).quotas.bytesPerDay.used).toBe(bytes);
    await limit(sender, { bytesPerDay: 1 });
    expect(await send(renewed, 'traces', batch())).toMatchObject({ partialSuccess: { rejectedSpans: '3' } });
    await limit(sender, { bytesPerDay: null });
    expect(await send(renewed, 'traces', batch())).toEqual({});
  });

  const senderOf =
    (key: string): Sender['send'] =>
    (path, body) =>
      stack().fetch(path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });

  test('another project’s isn’t touched', async () => {
    const [sender, other] = [await newSender(stack()), await newSender(stack())];
    await limit(sender, { bytesPerDay: 0 });
    expect(await send(sender, 'traces', spansOf('shop', [{}]))).toMatchObject({
      partialSuccess: { rejectedSpans: '1' },
    });
    expect(await send(other, 'traces', spansOf('shop', [{}]))).toEqual({});
  });
});

describe('series', () => {
  test('new ones beyond the quota are refused, known ones go on', async () => {
    const sender = await newSender(stack());
    await limit(sender, { series: 2 });
    expect(await send(sender, 'metrics', gaugeOf([{ shelf: 'a' }]))).toEqual({});
    const crowded = await send(
      sender,
      'metrics',
      gaugeOf([{ shelf: 'a' }, { shelf: 'b' }, { shelf: 'c' }, { shelf: 'd' }]),
    );
    expect(crowded).toEqual({
      partialSuccess: {
        rejectedDataPoints: '2',
        errorMessage: 'Refused 2 of new series: the project has its quota of 2 series.',
      },
    });
    expect(await stored(sender)).toMatchObject({ points: 3, series: 2 });
    expect(await send(sender, 'metrics', gaugeOf([{ shelf: 'b' }, { shelf: 'a' }]))).toEqual({});
    expect(await send(sender, 'metrics', gaugeOf([{ shelf: 'e' }]))).toMatchObject({
      partialSuccess: { rejectedDataPoints: '1' },
    });
    expect((await statusOf(sender)).quotas.series).toEqual({ used: 2, limit: 2 });
    expect(await stored(sender)).toMatchObject({ points: 5, series: 2 });
  });
});

describe('services', () => {
  test('what new ones beyond the quota send is refused, of every signal', async () => {
    const sender = await newSender(stack());
    await limit(sender, { services: 1 });
    expect(await send(sender, 'traces', spansOf('shop', [{}]))).toEqual({});
    const mixed = {
      resourceSpans: [
        ...spansOf('web', [{}, {}]).resourceSpans,
        ...spansOf('shop', [{}]).resourceSpans,
        ...spansOf('billing', [{}]).resourceSpans,
      ],
    };
    expect(await send(sender, 'traces', mixed)).toEqual({
      partialSuccess: {
        rejectedSpans: '3',
        errorMessage: 'Refused 3 of new services: the project has its quota of 1 services.',
      },
    });
    expect(await send(sender, 'logs', logOf('web'))).toMatchObject({
      partialSuccess: { rejectedLogRecords: '1' },
    });
    expect(await send(sender, 'metrics', gaugeOf([{}], { 'service.name': 'web' }))).toMatchObject({
      partialSuccess: { rejectedDataPoints: '1' },
    });
    expect(await send(sender, 'logs', logOf('shop'))).toEqual({});
    expect(await stored(sender)).toMatchObject({ spans: 2, logs: 1, points: 0 });
    const { quotas, data } = await statusOf(sender);
    expect(quotas.services).toEqual({ used: 1, limit: 1 });
    expect(data[0].services.map(({ name }: { name: string }) => name)).toEqual(['shop']);
  });
});

describe('attribute keys', () => {
  test('new ones beyond the quota are left out of spans and records, and refuse points', async () => {
    const sender = await newSender(stack());
    await limit(sender, { attributeKeys: 2 });
    const spans = spansOf('shop', [
      { attributes: attributesOf({ first: 1, second: 2 }) },
      { attributes: attributesOf({ first: 1, third: 3, ['__proto__']: 4 }) },
    ]);
    expect(await send(sender, 'traces', spans)).toEqual({
      partialSuccess: {
        errorMessage: 'Left out 2 attributes with new keys: the project has its quota of 2 attribute keys.',
      },
    });
    const rows = await stack().sql`
      select attributes from spans where environment_key = ${sender.environmentKey} order by attributes`;
    expect(rows).toEqual([{ attributes: { first: 1 } }, { attributes: { first: 1, second: 2 } }]);
    expect(await send(sender, 'logs', logOf('shop', { second: 'x', fourth: 'y' }))).toMatchObject({
      partialSuccess: { errorMessage: expect.stringContaining('Left out 1 attributes') },
    });
    expect(await send(sender, 'metrics', gaugeOf([{ first: 'a' }, { fifth: 'a' }]))).toEqual({
      partialSuccess: {
        rejectedDataPoints: '1',
        errorMessage: 'Refused 1 with new attribute keys: the project has its quota of 2 attribute keys.',
      },
    });
    expect(await send(sender, 'metrics', gaugeOf([{ first: 'a' }], { 'host.name': 'h' }))).toMatchObject({
      partialSuccess: { rejectedDataPoints: '1' },
    });
    expect(await stored(sender)).toEqual({ spans: 2, logs: 1, points: 1, series: 1 });
    expect((await statusOf(sender)).quotas.attributeKeys).toEqual({ used: 2, limit: 2 });
  });
});

test('several quotas at once: each says what it refused', async () => {
  const sender = await newSender(stack());
  await limit(sender, { series: 1, services: 1, attributeKeys: 1 });
  const [shop, web] = [
    gaugeOf([{ a: '1' }, { a: '2' }, { b: '1' }]),
    gaugeOf([{}], { 'service.name': 'web' }),
  ];
  const body = { resourceMetrics: [...shop.resourceMetrics, ...web.resourceMetrics] };
  expect(await send(sender, 'metrics', body)).toEqual({
    partialSuccess: {
      rejectedDataPoints: '3',
      errorMessage:
        'Refused 1 of new services: the project has its quota of 1 services. ' +
        'Refused 1 with new attribute keys: the project has its quota of 1 attribute keys. ' +
        'Refused 1 of new series: the project has its quota of 1 series.',
    },
  });
  expect(await stored(sender)).toMatchObject({ points: 1, series: 1 });
});

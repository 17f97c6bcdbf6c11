/** Log records: sent to the receiver, read over HTTP. */
import { expect, test } from 'vitest';
import type { LogRecord } from '../../../lib/telemetry/log-schemas.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import {
  attributesOf,
  createTestEnvironment,
  nano,
  type TestEnvironment,
  traceIdOf,
} from './test-environment.ts';

const stack = useStack();

interface List {
  data: LogRecord[];
  meta: {
    nextCursor: string | null;
    examined: number;
    searchedFrom: string;
    notes?: string[];
    range: { from: string };
    coverage: { observed: boolean };
  };
}

interface TestLog {
  ms: number;
  service?: string;
  severity?: number;
  body?: object;
  attributes?: Record<string, string | number | boolean>;
  traceId?: string;
  resource?: Record<string, string>;
}

const send = (environment: TestEnvironment, logs: readonly TestLog[]) =>
  environment.post('/v1/logs', {
    resourceLogs: logs.map(
      ({ ms, service = 'shop', severity = 9, body, attributes = {}, traceId, resource }) => ({
        resource: { attributes: attributesOf({ 'service.name': service, ...resource }) },
        scopeLogs: [
          {
            scope: { name: 'pino', version: '9.0.0' },
            logRecords: [
              {
                timeUnixNano: nano(ms),
                severityNumber: severity,
                body,
                attributes: attributesOf(attributes),
                traceId,
              },
            ],
          },
        ],
      }),
    ),
  });

const text = (stringValue: string) => ({ stringValue });
const minutesAgo = (n: number): number => Date.now() - n * 60_000;

test('what was sent is found by whatever it is, newest first', async () => {
  const environment = await createTestEnvironment(stack());
  const at = minutesAgo(5);
  await send(environment, [
    {
      ms: at,
      body: text('Card declined for order 7'),
      severity: 17,
      attributes: { 'order.id': 7, retried: false },
    },
    {
      ms: at + 1,
      body: text('Cash taken; card not needed'),
      attributes: { 'order.id': '7' },
      traceId: traceIdOf(1),
    },
    { ms: at + 2, body: text('Café geöffnet'), service: 'web', severity: 1, resource: { 'host.name': 'h1' } },
    {
      ms: at + 3,
      body: { kvlistValue: { values: [{ key: 'message', value: text('declined twice') }] } },
      severity: 21,
    },
    { ms: at + 4, attributes: { 'order.id': 8 }, severity: 0 },
    { ms: at - 90 * 60_000, body: text('card from long ago') },
  ]);
  const find = async (query: string) =>
    (await environment.get<List>(`logs?limit=100&${query}`)).data.map(({ time }) => Date.parse(time) - at);
  const expectations: [string, number[]][] = [
    ['', [4, 3, 2, 1, 0]],
    ['period=24h&text=card', [1, 0, -90 * 60_000]],
    ['severity=error', [3, 0]],
    ['severity=ERROR', [3, 0]],
    ['severity=17', [3, 0]],
    ['severity=fatal', [3]],
    ['severity=9', [3, 1, 0]],
    ['severity=trace', [3, 2, 1, 0]],
    ['service=web', [2]],
    ['service=nobody', []],
    ['text=CARD', [1, 0]],
    ['text=card%20declined', [0]],
    ['text=%22card%20declined%22', [0]],
    ['text=%22declined%20card%22', []],
    ['text=card%20-declined', [1]],
    ['text=cash%20or%20order', [1, 0]],
    ['text=declin', []],
    ['text=declin*', [3, 0]],
    ['text=%22card%20declin*%22', [0]],
    ['text=card%20-DECL*', [1]],
    ['text=clined*', []],
    ['text=declined', [3, 0]],
    ['text=caf%C3%A9', [2]],
    ['attr.order.id=7', [1, 0]],
    ['attr.order.id=7&attr.retried=false', [0]],
    ['attr.order.id=7&service=web', []],
    ['resource.host.name=h1', [2]],
    ['resource.host.name=h2', []],
    [`traceId=${traceIdOf(1).toUpperCase()}`, [1]],
    [`traceId=${traceIdOf(1)}&text=declined`, []],
    [`traceId=${traceIdOf(2)}`, []],
    [`from=${new Date(at + 1).toISOString()}&to=${new Date(at + 3).toISOString()}`, [2, 1]],
  ];
  for (const [query, expected] of expectations) expect([query, await find(query)]).toEqual([query, expected]);
});

test('writing without spaces between words is found from its beginning', async () => {
  const environment = await createTestEnvironment(stack());
  const at = minutesAgo(5);
  const bodies = ['日本語のログ', '注文：失敗しました', 'สวัสดีครับ', '서버가 죽었다', 'v日本'];
  await send(
    environment,
    bodies.map((body, n) => ({ ms: at + n, body: text(body) })),
  );
  const find = async (words: string) => {
    const { data, meta } = await environment.get<List>(`logs?text=${encodeURIComponent(words)}`);
    expect(meta.notes).toContainEqual(expect.stringContaining('Nothing is found within a word'));
    return data.map(({ body }) => body);
  };
  const expectations: [string, string[]][] = [
    ['日本語', ['日本語のログ']],
    ['日', ['日本語のログ']],
    ['日本語のログ', ['日本語のログ']],
    ['ログ', []],
    ['失敗', ['注文：失敗しました']],
    ['"注文 失敗"', ['注文：失敗しました']],
    ['สวัสดี', ['สวัสดีครับ']],
    ['서버', ['서버가 죽었다']],
    ['v日', ['v日本']],
  ];
  for (const [words, expected] of expectations) expect([words, await find(words)]).toEqual([words, expected]);
  // Whatever is asked for is a question.
  for (const words of ["a'*", 'a\\*', 'zqbeginningqz', 'a*:*&b|!c', 'a**', "zqbeginningqz'*"])
    expect(await find(words)).toEqual([]);
});

test('a record is shown as it was sent, with who sent it', async () => {
  const environment = await createTestEnvironment(stack());
  const at = minutesAgo(1);
  await environment.post('/v1/logs', {
    resourceLogs: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'shop', 'host.name': 'h1' }) },
        schemaUrl: 'https://opentelemetry.io/schemas/1.38.0',
        scopeLogs: [
          {
            scope: { name: 'pino', version: '9.0.0', attributes: attributesOf({ lib: true }) },
            logRecords: [
              {
                ...{ timeUnixNano: `${nano(at).slice(0, -6)}123456`, observedTimeUnixNano: nano(at + 2) },
                ...{
                  severityNumber: 13,
                  severityText: 'WARN',
                  eventName: 'stock.low',
                  traceId: traceIdOf(3),
                },
                ...{ spanId: '00f067aa0ba902b7', attributes: attributesOf({ left: 2 }) },
                body: {
                  arrayValue: {
                    values: [{ intValue: '9007199254740993' }, { boolValue: true }, { doubleValue: 1.5 }, {}],
                  },
                },
              },
              { timeUnixNano: nano(at - 1) },
            ],
          },
        ],
      },
    ],
  });
  const { data } = await environment.get<List>('logs');
  const ms = Number(nano(at).slice(0, -6));
  const resource = {
    attributes: { 'service.name': 'shop', 'host.name': 'h1' },
    schemaUrl: 'https://opentelemetry.io/schemas/1.38.0',
  };
  const scope = { name: 'pino', version: '9.0.0', attributes: { lib: true } };
  const complete = { droppedAttributes: 0, cutAttributes: 0, bodyCut: false };
  expect(data).toEqual([
    {
      ...{
        time: new Date(ms).toISOString(),
        timeNano: `${ms}123456`,
        observedTime: new Date(ms + 2).toISOString(),
      },
      ...{ severityNumber: 13, severityText: 'WARN', service: 'shop', eventName: 'stock.low' },
      ...{ body: ['9007199254740993', true, 1.5, null], attributes: { left: 2 }, ...complete },
      ...{ traceId: traceIdOf(3), spanId: '00f067aa0ba902b7', scope, resource },
    },
    {
      ...{ time: new Date(ms - 1).toISOString(), timeNano: `${ms - 1}000000`, observedTime: null },
      ...{
        severityNumber: 0,
        severityText: null,
        service: 'shop',
        eventName: null,
        body: null,
        attributes: {},
        ...complete,
      },
      ...{ traceId: null, spanId: null, scope, resource },
    },
  ]);
});

test('what was cut or left out of a record and a span is shown with it', async () => {
  const environment = await createTestEnvironment(stack());
  const at = minutesAgo(1);
  const [traceId, spanId] = [traceIdOf(7), '00f067aa0ba902b7'];
  const many = (count: number) =>
    Array.from({ length: count }, (_, number) => ({ key: `k${number}`, value: { intValue: number } }));
  const long = { key: 'long', value: { stringValue: 'x'.repeat(5000) } };
  const lost = { attributes: [long, ...many(130)], droppedAttributesCount: 4 };
  const ids = { traceId, spanId };
  const beyond = 'attributes beyond 128 left out';
  await environment.post(
    '/v1/logs',
    {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                { ...ids, timeUnixNano: nano(at), body: { stringValue: 'y'.repeat(70_000) }, ...lost },
              ],
            },
          ],
        },
      ],
    },
    `Shortened: 3 ${beyond}, 1 attributes cut to 4 KiB, 1 log bodies cut to 64 KiB.`,
  );
  const span = {
    ...{ ...ids, name: 'n', startTimeUnixNano: nano(at), endTimeUnixNano: nano(at + 5) },
    ...lost,
    events: Array.from({ length: 129 }, (_, number) => ({
      name: `e${number}`,
      attributes: number === 0 ? lost.attributes : [],
    })),
    links: [
      { traceId: '', spanId },
      { traceId, spanId },
    ],
    droppedLinksCount: 2,
  };
  await environment.post(
    '/v1/traces',
    { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] },
    `Shortened: 6 ${beyond}, 2 attributes cut to 4 KiB, 1 span events beyond 128 left out, 1 span links with invalid ids or beyond 128 left out.`,
  );
  const lossOfLog = { droppedAttributes: 7, cutAttributes: 1, bodyCut: true };
  expect((await environment.get<List>('logs')).data).toMatchObject([lossOfLog]);
  const { data: trace } = await environment.get<{ data: { spans: object[]; logs: object[] } }>(
    `traces/${traceId}`,
  );
  expect(trace.logs).toMatchObject([lossOfLog]);
  expect(trace.spans).toMatchObject([
    { droppedAttributes: 7, droppedEvents: 1, droppedLinks: 3, cutAttributes: 2, events: expect.any(Array) },
  ]);
  expect((trace.spans[0] as { events: object[] }).events[0]).toMatchObject({ droppedAttributes: 3 });
});

test('pages hold each record once, also those of the same instant; what comes meanwhile is not in them', async () => {
  const environment = await createTestEnvironment(stack());
  const at = minutesAgo(5);
  const bodies = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  await send(
    environment,
    bodies.map((body, n) => ({ ms: at + (n >> 1), body: text(`${body} word`) })),
  );
  const listed: unknown[] = [];
  let cursor = '';
  do {
    const page: List = await environment.get<List>(`logs?limit=2&text=word${cursor}`);
    listed.push(...page.data.map(({ body }) => body));
    if (page.meta.nextCursor === null) expect(page.meta.searchedFrom).toBe(page.meta.range.from);
    if (cursor === '') await send(environment, [{ ms: Date.now(), body: text('late word') }]);
    cursor = page.meta.nextCursor === null ? '' : `&cursor=${page.meta.nextCursor}`;
  } while (cursor !== '');
  expect([...listed].sort()).toEqual(bodies.map((body) => `${body} word`));
  const first: List = await environment.get<List>('logs?limit=2&text=word');
  const next = `cursor=${first.meta.nextCursor}`;
  expect(first.meta.notes?.join(' ')).toContain('whole words');
  expect(await environment.status(`logs?limit=3&text=word&${next}`)).toBe(200);
  for (const other of ['limit=2', 'limit=2&text=late', 'limit=2&text=word&severity=info'])
    expect([other, await environment.status(`logs?${other}&${next}`)]).toEqual([other, 409]);
  const huge = '9'.repeat(19);
  for (const bad of ['1', '1-2', `1-${huge}-1`, `1-1-${huge}`, `${'9'.repeat(13)}-1-1`])
    expect([bad, await environment.status(`logs?cursor=${bad}`)]).toEqual([bad, 400]);
});

test('nothing observed is said; nobody else sees any', async () => {
  const environment = await createTestEnvironment(stack());
  const nothing = await environment.get<List>('logs?text=card');
  expect(nothing).toMatchObject({
    data: [],
    meta: { nextCursor: null, examined: 0, coverage: { observed: false } },
  });
  const other = await createTestEnvironment(stack());
  await send(other, [{ ms: minutesAgo(1), body: text('card') }]);
  expect((await environment.get<List>('logs?text=card')).data).toEqual([]);
  expect(await other.status('logs', await createTenant(stack().sql))).toBe(404);
});

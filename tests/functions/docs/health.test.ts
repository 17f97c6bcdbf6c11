import { expect, test } from 'vitest';
import { createDocsApp } from '../../../functions/docs/app.ts';
import { MIGRATION, VERSION } from '../../../lib/version.ts';

const NAMES = [
  'TRACK',
  'SCRIPT',
  'INGEST',
  'SITES',
  'ANALYTICS',
  'ACCOUNT',
  'RECEIVER',
  'TELEMETRY',
  'ALERTS',
  'MESSAGES',
  'MCP',
  'SDK',
  'CONTENT',
  'DASHBOARD',
];
const own = { version: VERSION, migration: MIGRATION };
const database = own;

/** Bindings of functions with these answers. All other functions are healthy and have a database of their version. */
function bindings(answers: Record<string, unknown> = {}) {
  let asked = 0;
  const bound = NAMES.map((name) => {
    const fetch = async () => {
      asked += 1;
      return name in answers && answers[name] === undefined
        ? new Response(null, { status: 500 })
        : Response.json(answers[name] ?? { ...own, database });
    };
    return [name, { fetch }] as const;
  });
  return { env: Object.fromEntries(bound), asked: () => asked };
}

async function ask(env: object, status: number) {
  const response = await createDocsApp({ log: () => {} }).request('/api/health', {}, env);
  expect([response.status, response.headers.get('Retry-After')]).toEqual([
    status,
    status === 200 ? null : '5',
  ]);
  return (await response.json()) as {
    data: { status: string; database: unknown; functions: { status: string }[] };
  };
}

test('all of one version is ok', async () => {
  const { data } = await ask(
    bindings({ TRACK: { ...own, database: null }, CONTENT: { ...own, database: null } }).env,
    200,
  );
  expect(data).toMatchObject({ status: 'ok', version: VERSION, database });
  expect(data.functions).toHaveLength(NAMES.length);
});

test.each([
  ['a function of another version', { SITES: { ...own, version: '9.0.0', database } }, 'upgrading', database],
  [
    'a database with a later migration',
    { SITES: { ...own, database: { ...database, migration: 999 } } },
    'upgrading',
    database,
  ],
  [
    'a cron that has not succeeded for an hour',
    { INGEST: { ...own, database, cron: { succeededAt: null, isLate: true } } },
    'late',
    database,
  ],
  ['a function that fails', { SITES: undefined }, 'down', database],
  ['the content service, if it fails', { CONTENT: undefined }, 'down', database],
  ['a function that answers something else', { SITES: { hello: 1 } }, 'down', database],
  [
    'a database out of reach',
    Object.fromEntries(NAMES.map((name) => [name, { ...own, database: 'down' }])),
    'down',
    null,
  ],
])('%s is said, with 503', async (_, answers, status, known) => {
  const { data } = await ask(bindings(answers).env, 503);
  expect([data.status, data.database]).toEqual([status, known]);
  expect(data.functions.map((answer) => answer.status)).toContain(status);
});

test('a function with a cron says when it last succeeded', async () => {
  const succeededAt = '2026-11-24T01:00:00.000Z';
  const cron = { succeededAt, isLate: false };
  const { data } = await ask(bindings({ INGEST: { ...own, database, cron } }).env, 200);
  expect(data.functions.filter((one) => 'cronSucceededAt' in one)).toEqual([
    { name: 'ingest', version: VERSION, status: 'ok', cronSucceededAt: succeededAt },
  ]);
});

test('functions are asked every 5 seconds at most', async () => {
  let time = 0;
  const { env, asked } = bindings();
  const app = createDocsApp({ log: () => {}, now: () => time });
  for (const at of [0, 100, 4_900, 5_001]) {
    time = at;
    await app.request('/api/health', {}, env);
  }
  expect(asked()).toBe(2 * NAMES.length);
});

import { expect, test } from 'vitest';
import { createDocsApp } from '../../../functions/docs/app.ts';
import gateway from '../../../functions/gateway/index.ts';
import { answerHealth } from '../../../lib/http/service-health.ts';
import { MIGRATION, VERSION } from '../../../lib/version.ts';

const NAMES = [
  'TRACK',
  'SCRIPT',
  'SITES',
  'ANALYTICS',
  'ACCOUNT',
  'RECEIVER',
  'TELEMETRY',
  'ALERTS',
  'MESSAGES',
  'MCP',
  'SDK',
  'INGEST',
  'CONTENT',
  'DASHBOARD',
];
const healthy = {
  fetch: async () => Response.json({ version: VERSION, migration: MIGRATION, database: null }),
};

/** Sends the request to a gateway whose `docs` answers like this. */
async function ask(docs: (request: Request) => Response | Promise<Response>, method = 'GET') {
  const env = Object.fromEntries(NAMES.map((name) => [name, healthy]));
  const response = await gateway.fetch(new Request('https://stats.test/api/health', { method }), {
    ...env,
    DOCS: { fetch: async (request: Request) => docs(request) },
  } as Parameters<typeof gateway.fetch>[1]);
  return { response, text: await response.text() };
}

test('the gateway adds itself, and all other headers stay', async () => {
  const env = Object.fromEntries(NAMES.map((name) => [name, healthy]));
  const app = createDocsApp({ log: () => {} });
  const { response, text } = await ask((request) => app.request(request, {}, env));
  const { data } = JSON.parse(text);
  expect([response.status, data.status, data.functions.length]).toEqual([200, 'ok', NAMES.length + 1]);
  expect(data.functions.at(-1)).toEqual({ name: 'gateway', version: VERSION, status: 'ok' });
  expect(response.headers.get('X-Request-Id')).not.toBeNull();
});

const health = (status: 'ok' | 'down', version: string) => () =>
  answerHealth({ data: { status, version, database: null, functions: [] } });

test.each([
  ['of the version of docs: as docs says', health('ok', VERSION), 200, 'ok', 'ok'],
  ['of another version than docs', health('ok', '9.0.0'), 503, 'upgrading', 'upgrading'],
  ['while another function is down', health('down', VERSION), 503, 'down', 'ok'],
])('a gateway %s', async (_, docs, code, status, own) => {
  const { response, text } = await ask(docs);
  const { data } = JSON.parse(text);
  expect([response.status, data.status, data.functions[0].status]).toEqual([code, status, own]);
});

test('an answer that is no health passes unchanged', async () => {
  const error = await ask(() => Response.json({ error: 'UNAVAILABLE' }, { status: 503 }));
  expect([error.response.status, error.text]).toEqual([503, '{"error":"UNAVAILABLE"}']);
  const nothing = await ask(() => new Response('not json', { status: 500 }));
  expect([nothing.response.status, nothing.text]).toEqual([500, 'not json']);
  const empty = await ask(() => new Response(null, { status: 204 }), 'HEAD');
  expect([empty.response.status, empty.text]).toEqual([204, '']);
});

/** `npm run doctor`: finds nothing wrong with a service that is well, and each of the faults that are made here. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { GUIDES_KEY, HEAD_FIELD } from '../../../lib/content/guide-cache.ts';
import { connectDatabase } from '../../../lib/db.ts';
import { connectRedis } from '../../../lib/redis.ts';
import { MIGRATION, VERSION } from '../../../lib/version.ts';
import { makePlan } from '../../../scripts/deploy/make-plan.ts';
import type { Patient } from '../../../scripts/doctor/check.ts';
import { runDoctor } from '../../../scripts/doctor/run-doctor.ts';
import { connectProvider } from '../../../tooling/provider/connect-provider.ts';
import { type StandIn, startProvider } from '../../provider/start-provider.ts';
import { useOwnStack } from '../../services/use-stack.ts';

const stack = useOwnStack();
const HOUR_MS = 3_600_000;

let provider: StandIn;
let proxy: Server;
/** What stands between the doctor and the service: answers itself, changes headers, or neither. */
let between: { answer?: (request: IncomingMessage, response: ServerResponse) => boolean; without?: string } =
  {};

beforeAll(async () => {
  provider = await startProvider();
  proxy = createServer(async (request, response) => {
    if (between.answer?.(request, response)) return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(stack().baseUrl + request.url, {
      ...{ method: request.method ?? 'GET', headers, redirect: 'manual' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    for (const [name, value] of answer.headers)
      if (!['content-encoding', 'transfer-encoding', 'content-length', between.without].includes(name))
        response.setHeader(name, value);
    response.writeHead(answer.status);
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await provider.close();
});

/** Everything as it should be. */
beforeEach(async () => {
  between = {};
  const { account } = provider;
  const url = { host: undefined, url: 'https://stats.example.org' };
  const { steps, queues } = await makePlan({ main: url, content: url });
  account.queues = new Map(
    queues.map((name) => [name, { id: `id-of-${name}`, name, backlog: 0, oldest: 0, consumers: [] }]),
  );
  account.workers = new Map(
    steps.map(({ worker, secrets }) => [
      worker,
      {
        ...{ name: worker, versions: [], workersDev: false, crons: [] },
        secrets: Object.fromEntries(secrets.map((name) => [name, 'set'])),
        deployments: [{ id: 'd', at: new Date().toISOString(), version: 'v', message: undefined }],
      },
    ]),
  );
  await stack().scheduled('ingest', '*/15 * * * *');
  for (const fn of ['receiver', 'alerts', 'messages']) await stack().scheduled(fn, '* * * * *');
});

const patient = (parts: Partial<Patient> = {}): Patient => ({
  url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  contentUrl: stack().contentUrl,
  sql: stack().sql,
  redis: connectRedis(stack().upstash),
  provider: connectProvider(
    { headers: { Authorization: `Bearer ${provider.token}` }, baseUrl: provider.baseUrl },
    provider.account.id,
  ),
  roles: new Map(),
  fetch,
  now: Date.now,
  patienceMs: 20_000,
  ...parts,
});

async function examine(parts: Partial<Patient> = {}): Promise<string[]> {
  const { findings } = await runDoctor(patient(parts), () => {});
  for (const { mend } of findings)
    expect(mend).toMatch(/npm run|npx wrangler|dash\.cloudflare\.com|timedatectl/);
  return findings.map(({ fault }) => fault);
}

test('a service that is well', async () => {
  const output: string[] = [];
  const { findings, notChecked } = await runDoctor(patient(), (line) => output.push(line));
  expect(findings).toEqual([]);
  expect(notChecked).toBe(0);
  expect(output.join('\n')).toContain('ok     A page view and a span: both arrived');
  const [left] = await stack().sql`
    select (select count(*) from users where email like '%@doctor.invalid')::integer as people,
      (select count(*) from sites where domain like '%.doctor.invalid')::integer as sites`;
  expect(left).toEqual({ people: 0, sites: 0 });
});

test('nobody at the address', async () => {
  const faults = await examine({ url: 'http://127.0.0.1:1', patienceMs: 1 });
  expect(faults.join('\n')).toContain("http://127.0.0.1:1 can't be reached");
});

test('another program at the address', async () => {
  between.answer = (_, response) => {
    response.end('<h1>It works!</h1>');
    return true;
  };
  expect((await examine({ patienceMs: 1 })).join('\n')).toContain("isn't an answer of this service");
});

test('headers that something takes away', async () => {
  between.without = 'content-security-policy';
  expect(await examine()).toEqual([expect.stringContaining('lack content-security-policy')]);
});

test('a clock that is off', async () => {
  const faults = await examine({ now: () => Date.now() - 10 * 60_000 });
  expect(faults).toContainEqual('The service and this machine differ by 10 min.');
  expect(faults).toContainEqual('The database and this machine differ by 10 min.');
});

test('a database of another version', async () => {
  await stack().sql`update schema_version set migration = migration - 1`;
  try {
    const faults = (await examine()).join('\n');
    expect(faults).toContain(`this checkout of`);
    expect(faults).toContain(`migration ${MIGRATION - 1}`);
  } finally {
    await stack().sql`update schema_version set migration = ${MIGRATION}`;
    // The service remembers its health for some seconds.
    await expect
      .poll(async () => (await stack().fetch('/api/health')).status, { timeout: 20_000, interval: 300 })
      .toBe(200);
  }
});

test('a database that can’t be reached is one fault, and nothing that needs it is said to be well', async () => {
  const url = 'postgres://somebody:horse-staple@127.0.0.1:1/nothing';
  const sql = connectDatabase({ url, endpoint: 'http://127.0.0.1:1/sql' });
  between.answer = (request, response) => {
    if (request.url !== '/api/health') return false;
    const functions = [{ name: 'sites', version: VERSION, status: 'down' }];
    const data = { status: 'down', version: VERSION, database: null, functions };
    response.writeHead(503).end(JSON.stringify({ data }));
    return true;
  };
  const lines: string[] = [];
  const { findings } = await runDoctor(patient({ sql }), (line) => lines.push(line));
  expect(findings).toEqual([
    {
      fault: expect.stringContaining("The database can't be reached"),
      mend: expect.stringContaining('npm run dev'),
    },
  ]);
  const well = lines.filter((line) => line.startsWith('ok'));
  expect(well.join('\n')).not.toMatch(/dead letters|database|cron|page view/i);
  expect(lines.join('\n')).not.toContain('horse-staple');
  for (const title of ['Versions', 'Queues', 'Crons', 'A page view'])
    expect(lines).toContainEqual(expect.stringMatching(`^-      ${title}.*the database can’t be reached`));

  expect(await examine({ sql: undefined, databaseFault: 'refused' })).toEqual([
    expect.stringContaining("can't be reached (refused)"),
  ]);
});

test('a Worker without a secret, one that isn’t deployed, and a role that can’t sign in', async () => {
  delete provider.account.workers.get('vendor-mcp')?.secrets.CURSOR_KEY;
  provider.account.workers.delete('vendor-docs');
  const roles = new Map([['vendor_ingest', 'postgres://vendor_ingest:x@127.0.0.1:1/none']]);
  expect(await examine({ roles })).toEqual([
    expect.stringContaining('The role vendor_ingest can'),
    'vendor-mcp lacks CURSOR_KEY: it answers 500.',
    "vendor-docs isn't deployed.",
  ]);
});

test('a queue that is missing, and one that fills', async () => {
  const { queues } = provider.account;
  const events = queues.get('vendor-events');
  if (events) Object.assign(events, { backlog: 12, oldest: Date.now() - HOUR_MS });
  queues.delete('vendor-events-dead');
  expect(await examine()).toEqual([
    expect.stringContaining('12 messages wait in vendor-events, the oldest for 60 min'),
    'The queue vendor-events-dead is missing.',
  ]);
});

test('events that could not be stored', async () => {
  await stack().sql`insert into dead_letters (reason, message) values ('it was malformed', '{}')`;
  try {
    expect(await examine()).toEqual(['1 events could not be stored (it was malformed).']);
  } finally {
    await stack().sql`delete from dead_letters`;
  }
});

test('crons that don’t run, that never ran, and that fail', async () => {
  await stack().sql`update cron_runs set began_at = now() - interval '3 hours' where function = 'ingest'`;
  await stack().sql`delete from cron_runs where function = 'receiver'`;
  expect(await examine()).toEqual([
    'The cron of ingest last ran 3 h ago.',
    'The cron of receiver never ran.',
  ]);
  await stack().scheduled('receiver', '* * * * *');
  await stack().scheduled('ingest', '*/15 * * * *');
  await stack().sql`update cron_runs set failed_at = now() + interval '1 second' where function = 'ingest'`;
  try {
    expect(await examine()).toEqual([
      expect.stringContaining("The last run of ingest's cron left work undone"),
    ]);
  } finally {
    await stack().sql`update cron_runs set failed_at = null`;
  }
});

test('guides that are old, and guides that are gone', async () => {
  const redis = connectRedis(stack().upstash);
  const head = (await redis.hget<string>(GUIDES_KEY, HEAD_FIELD)) ?? '';
  const old = new Date(Date.now() - 30 * HOUR_MS).toISOString();
  // The content service remembers guides for a second.
  const untilAnswered = (text: string) =>
    expect
      .poll(async () => (await stack().fetchContent('/api/agent/search')).text(), { timeout: 10_000 })
      .toContain(text);
  try {
    await redis.hset(GUIDES_KEY, { [HEAD_FIELD]: JSON.stringify({ ...JSON.parse(head), cachedAt: old }) });
    await untilAnswered('guides_stale');
    expect(await examine()).toEqual([expect.stringContaining('The guides are 30 h old')]);
    await redis.hdel(GUIDES_KEY, HEAD_FIELD);
    await untilAnswered('guides_unavailable');
    expect(await examine()).toEqual([expect.stringContaining('There are no guides')]);
  } finally {
    await redis.hset(GUIDES_KEY, { [HEAD_FIELD]: head });
    await untilAnswered('"warnings":[]');
  }
});

test('a Redis that refuses', async () => {
  const redis = connectRedis({ ...stack().upstash, token: 'another' });
  expect(await examine({ redis })).toEqual([expect.stringContaining("Redis can't be asked")]);
});

test('a deployment without a content service has no guides to look for', async () => {
  const lines: string[] = [];
  const { findings } = await runDoctor(patient({ contentUrl: undefined }), (line) => lines.push(line));
  expect(findings).toEqual([]);
  expect(lines).toContainEqual(expect.stringContaining('Guides: not checked, there is no content service'));
});

test('page views and spans that are swallowed, or refused', async () => {
  const instead =
    (answerTo: (path: string) => number) => (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? '';
      const isSent = request.method === 'POST' && ['/api/v1/track', '/v1/traces'].includes(path);
      if (isSent) response.writeHead(answerTo(path)).end('{}');
      return isSent;
    };
  between.answer = instead((path) => (path === '/v1/traces' ? 200 : 202));
  expect(await examine({ patienceMs: 500 })).toEqual([
    expect.stringContaining('A page view was accepted'),
    expect.stringContaining('A span was accepted'),
  ]);
  between.answer = instead(() => 503);
  expect(await examine({ patienceMs: 500 })).toEqual([
    'A page view is answered 503, and not 202.',
    'A span is answered 503, and not 200.',
  ]);
});

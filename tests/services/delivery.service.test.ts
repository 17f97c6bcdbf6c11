/** Page views while a part of their way is unreachable, slow or faulty: each is accepted and counted once. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { type Stack, startStack } from '../../dev/stack.ts';
import { readDeployment } from '../../tooling/deployment.ts';
import { createTenant, type Tenant } from '../security/tenant.ts';
import { startTcpProxy, type TcpProxy } from '../tooling/tcp-proxy.ts';
import { SERVER } from './server.ts';
import { useOwnStack } from './use-stack.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SOON = { timeout: 30_000, interval: 50 };

/** Sends a page view, or an event of the site's own server. Resolves when it is accepted. */
async function send(stack: Stack, { siteId, token }: Tenant, path: string, asServer = false): Promise<void> {
  const event = { id: crypto.randomUUID(), url: `https://example.com${path}` };
  const visitorId = crypto.randomUUID();
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', 'User-Agent': FIREFOX } };
  const response = asServer
    ? await stack.fetch(`/api/v1/sites/${siteId}/events`, {
        ...init,
        headers: { ...init.headers, Authorization: `Bearer ${token}` },
        body: JSON.stringify({ events: [{ ...event, name: 'purchase' }] }),
      })
    : await stack.fetch('/api/v1/track', {
        ...init,
        body: JSON.stringify({
          site: siteId,
          visitorId,
          events: [{ ...event, type: 'pageview', pageId: crypto.randomUUID() }],
        }),
      });
  expect([response.status, await response.json()]).toMatchObject([
    202,
    { data: { accepted: 1, dropped: 0 } },
  ]);
}

/** The paths of a site's stored events, with repeats. */
async function stored(stack: Stack, { siteId }: Tenant): Promise<string[]> {
  const rows = await stack.sql`
    select t.value from events e join sites s on s.key = e.site_key
    join site_texts t on t.site_key = e.site_key and t.id = e.path_id where s.id = ${siteId}`;
  return rows.map(({ value }) => value).toSorted();
}

async function pageviews(stack: Stack, { siteId }: Tenant): Promise<number> {
  const [row] = await stack.sql`
    select sum(r.pageviews)::int as n from rollup_hours r join sites s on s.key = r.site_key where s.id = ${siteId}`;
  return row?.n;
}

const mentions = (lines: readonly string[], fn: string): number =>
  lines.filter((line) => line.startsWith(fn) && line.includes('folding-paused')).length;

describe('all is well', () => {
  const lines: string[] = [];
  const stack = useOwnStack({ log: (line) => lines.push(line) });

  test('an event that was accepted is in the reports already', async () => {
    const tenant = await createTenant(stack().sql);
    for (const path of ['/1', '/2', '/3']) {
      await send(stack(), tenant, path);
      expect(await stored(stack(), tenant)).toContain(path);
    }
    await send(stack(), tenant, '/4', true);
    expect([await stored(stack(), tenant), await pageviews(stack(), tenant)]).toEqual([
      ['/1', '/2', '/3', '/4'],
      3,
    ]);
    expect(lines.join('\n')).not.toContain('folding-paused');
  });
});

describe('an ingest function that fails', () => {
  const lines: string[] = [];
  const main = `${import.meta.dirname}/faulty-ingest/index.ts`;
  const functions = readDeployment().map((spec) => (spec.fn === 'ingest' ? { ...spec, main } : spec));
  const stack = useOwnStack({ functions, log: (line) => lines.push(line) });

  // The queue keeps its order: when a later event is stored, the queue has handled everything before it.
  test.each([
    ['before it stored', '/fails-before', false, 'track'],
    ['after it stored', '/fails-after', false, 'track'],
    ['before it stored, to a server', '/fails-before', true, 'sites'],
    ['after it stored, to a server', '/fails-after', true, 'sites'],
  ])(
    '%s: queued, and counted once',
    async (_, path, asServer, fn) => {
      const tenant = await createTenant(stack().sql);
      const sent: string[] = [];
      const next = async (name: string): Promise<void> => {
        sent.push(`${name}/${sent.length}`);
        await send(stack(), tenant, sent.at(-1) ?? '', asServer);
      };
      // A pause that an earlier test caused ends by itself. Until then nothing is folded at once.
      const before = mentions(lines, fn);
      const tried = async () => {
        await next(path);
        return mentions(lines, fn);
      };
      await expect.poll(tried, { ...SOON, interval: 400 }).toBe(before + 1);
      await next('/later');
      await expect.poll(() => stored(stack(), tenant), SOON).toEqual(sent.toSorted());
      expect(await pageviews(stack(), tenant)).toBe(asServer ? null : sent.length);
    },
    60_000,
  );
});

describe('a database that is away or slow', () => {
  const lines: string[] = [];
  let stack: Stack;
  let proxy: TcpProxy;
  let admin: pg.Client;
  let drop: () => Promise<void>;
  let tenant: Tenant;
  beforeAll(async () => {
    const scratch = await createScratchDatabase(SERVER ?? '', { isDurable: false });
    drop = scratch.drop;
    const url = new URL(scratch.url);
    proxy = await startTcpProxy(url.hostname, Number(url.port || 5432));
    url.host = `127.0.0.1:${proxy.port}`;
    stack = await startStack({ database: { url: url.href }, log: (line) => lines.push(line) });
    admin = new pg.Client(scratch.url);
    await admin.connect();
    tenant = await createTenant(stack.sql);
  });
  afterAll(async () => {
    await stack?.close();
    await admin?.end();
    await proxy?.stop();
    await drop?.();
  });

  const sent: string[] = [];
  async function next(name: string): Promise<void> {
    const path = `/${name}/${sent.length}`;
    sent.push(path);
    await send(stack, tenant, path);
  }

  /** Sends page views at intervals until one is folded at once, that is, until no pause is active. */
  async function untilWell(): Promise<void> {
    const foldedAtOnce = async () => {
      await next('well');
      return (await stored(stack, tenant)).includes(sent.at(-1) ?? '');
    };
    await expect.poll(foldedAtOnce, { ...SOON, interval: 400 }).toBe(true);
  }

  test.each<[string, () => Promise<void> | void, () => Promise<void> | void]>([
    ['stopped', () => proxy.stop(), () => proxy.start()],
    ['frozen', () => proxy.freeze(), () => proxy.thaw()],
    [
      'busy with another fold of the site',
      async () => {
        await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [tenant.siteId]);
      },
      async () => {
        await admin.query('select pg_advisory_unlock(hashtextextended($1, 0))', [tenant.siteId]);
      },
    ],
  ])(
    '%s: accepted by the queue, and counted once when it is back',
    async (name, begin, end) => {
      await untilWell();
      const before = mentions(lines, 'track');
      await begin();
      await Promise.all(Array.from({ length: 6 }, () => next(name.replaceAll(' ', '-'))));
      expect(mentions(lines, 'track')).toBe(before + 1);
      await end();
      await untilWell();
      await expect.poll(() => stored(stack, tenant), SOON).toEqual(sent.toSorted());
      expect(await pageviews(stack, tenant)).toBe(sent.length);
    },
    120_000,
  );

  test('a queue batch with a site that others hold: its messages come again, and the rest is stored', async () => {
    await untilWell();
    const healthy = await createTenant(stack.sql);
    const messageOf = ({ siteId }: Tenant) => ({
      ...{ version: 1, siteId, tier: 1, continued: false },
      events: [
        {
          ...{ type: 'pageview', id: crypto.randomUUID(), at: Date.now(), hostname: 'example.com' },
          ...{ path: '/queued', entry: true },
        },
      ],
    });
    const batch = [tenant, healthy, tenant, healthy].map(messageOf);
    await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [tenant.siteId]);
    try {
      const { outcome, retryBatch, retryMessages } = await stack.queue('ingest', 'vendor-events', batch);
      expect([outcome, retryBatch.retry, retryMessages.length]).toEqual(['ok', false, 2]);
      expect(await stored(stack, healthy)).toEqual(['/queued', '/queued']);
      expect(await stored(stack, tenant)).not.toContain('/queued');
    } finally {
      await admin.query('select pg_advisory_unlock(hashtextextended($1, 0))', [tenant.siteId]);
    }
    const again = await stack.queue('ingest', 'vendor-events', batch);
    expect([again.outcome, again.retryBatch.retry, again.retryMessages]).toEqual(['ok', false, []]);
    expect((await stored(stack, tenant)).filter((path) => path === '/queued')).toHaveLength(2);
  });
});

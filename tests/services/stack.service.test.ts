import { expect, test } from 'vitest';
import { awaitAnswers, isOfStart } from '../../dev/await-answers.ts';
import { ensureDemoAccount } from '../../dev/demo-account.ts';
import { startStack } from '../../dev/stack.ts';
import { ASKED } from '../../lib/http/service-health.ts';
import { MIGRATION, VERSION } from '../../lib/version.ts';
import { useStack } from './use-stack.ts';

const lines: string[] = [];
const stack = useStack({ log: (line) => lines.push(line) });

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

test('every function of the map runs and answers', async () => {
  expect(stack().functions.map(({ fn }) => fn)).toContain('gateway');
  lines.length = 0;
  await awaitAnswers(stack());
  // Their log lines are known, so that `npm run dev` can leave them out, and others aren't taken for them.
  await stack().fetch('/nothing');
  await expect.poll(() => lines.filter((line) => !isOfStart(line)).length).toBeGreaterThan(0);
  const { length: answered } = stack().functions.filter(({ fn }) => fn !== 'ingest' && fn !== 'gateway');
  await expect.poll(() => lines.filter(isOfStart).length).toBeGreaterThanOrEqual(answered - 1);
  expect(lines.filter((line) => !isOfStart(line) && line.includes('dev-start'))).toEqual([]);
});

test('a page view passes through edge, gateway, track, queue and ingest to a visit', async () => {
  const { siteId } = await ensureDemoAccount(stack().sql);
  const response = await stack().fetch('/api/v1/track', {
    method: 'POST',
    country: 'PT',
    address: '203.0.113.20',
    headers: { 'Content-Type': 'application/json', 'User-Agent': FIREFOX },
    body: JSON.stringify({
      site: siteId,
      events: [
        {
          type: 'pageview',
          id: crypto.randomUUID(),
          pageId: crypto.randomUUID(),
          url: 'http://localhost/demo/strings?utm_source=reddit',
        },
      ],
    }),
  });
  expect(response.status).toBe(202);
  const countVisits = async () => {
    const rows = await stack().sql`
      select count(*)::int as n from visits join sites on sites.key = visits.site_key where sites.id = ${siteId}`;
    return rows[0]?.n;
  };
  await expect.poll(countVisits, { timeout: 15_000, interval: 100 }).toBe(1);
});

test('the crons of the map run', async () => {
  // Webhooks of other tests wait for hosts that don't exist. If a POST finds no address, workerd says that the run ended with an exception,
  // even if the code caught it.
  await stack().sql`delete from outbox where state = 'waiting'`;
  for (const { fn, crons } of stack().functions) {
    for (const cron of crons) {
      const logged = lines.length;
      await stack()
        .scheduled(fn, cron)
        // The log has the causes.
        .catch((cause: unknown) => {
          throw new Error(lines.slice(logged).join('\n') || String(cause), { cause });
        });
    }
  }
});

test('logs bear the function, and never an address or a user agent', () => {
  expect(lines.some((line) => line.startsWith('track     | '))).toBe(true);
  expect(lines.join('\n')).not.toMatch(/203\.0\.113\.20|Firefox/);
});

test('a port in use stops the start with advice, and nothing stays open', async () => {
  const port = Number(new URL(stack().baseUrl).port);
  await expect(startStack({ port })).rejects.toThrow(`Port ${port} is in use`);
});

test('every function says of what version it is, and the database too', async () => {
  const response = await stack().fetch('/api/health');
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { functions: { name: string; status: string }[] } };
  expect(data).toMatchObject({
    status: 'ok',
    version: VERSION,
    database: { version: VERSION, migration: MIGRATION },
  });
  expect(data.functions).toMatchObject(
    [...ASKED, 'gateway'].map((name) => ({ name, version: VERSION, status: 'ok' })),
  );
  const withCrons = data.functions.filter((one) => 'cronSucceededAt' in one).map(({ name }) => name);
  expect(withCrons).toEqual(['ingest', 'receiver', 'alerts', 'messages']);
});

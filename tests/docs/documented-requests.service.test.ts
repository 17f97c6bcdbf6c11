/** The documents' examples that need the service: each is run as it stands, with this service's address and tokens, and its answer compared. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoAccount, ensureDemoAccount } from '../../dev/demo-account.ts';
import { findPort } from '../../dev/free-port.ts';
import { VitalsItem } from '../../lib/analytics/answers/measure-schemas.ts';
import { PageItem } from '../../lib/analytics/answers/schemas.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { ROOT } from '../../tooling/deployment.ts';
import { counts, pageview as stored } from '../lib/analytics/reports-world.ts';
import { useOwnStack } from '../services/use-stack.ts';
import { textOf } from './doc-examples.ts';

let account: DemoAccount;
const stack = useOwnStack({
  seed: async (sql) => {
    account = await ensureDemoAccount(sql);
    return { demoSiteId: account.siteId };
  },
});

/** Where commands run: like a checkout, with `.local/dev.json` and the installed packages. */
let folder: string;
beforeAll(async () => {
  const { baseUrl, contentUrl } = stack();
  folder = await mkdtemp(join(tmpdir(), 'docs-'));
  await mkdir(join(folder, '.local'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(
    join(folder, '.local/dev.json'),
    JSON.stringify({ ...account, baseUrl, contentBaseUrl: contentUrl }),
  );
});
afterAll(() => rm(folder, { recursive: true }));

/** The example with the addresses of this service. */
const here = (text: string): string =>
  text
    .replaceAll(/https:\/\/vendor\.example|http:\/\/127\.0\.0\.1:8787/g, stack().baseUrl)
    .replaceAll('http://127.0.0.1:8788', stack().contentUrl);

/** What the commands print. A command that fails fails the test. */
async function shell(...commands: string[]): Promise<string> {
  const { siteId, apiToken, ingestKey } = account;
  const env = { ...process.env, SITE: siteId, API_TOKEN: apiToken, INGEST_KEY: ingestKey, NO_COLOR: '1' };
  const script = ['set -eo pipefail', ...commands].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env, timeout: 60_000 });
  return stdout;
}

const json = async (command: string): Promise<unknown> => JSON.parse(await shell(here(command)));

/** Repeats a command until it prints a text. */
const until = (command: string, text: string): string =>
  `for i in $(seq 100); do [ "$(${command})" = '${text}' ] && break; sleep 0.1; done`;

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const TOUR = textOf('README.md: dev() { node -p "require(\'./.local/dev.json\').$1"; }');
/** The functions that other examples use. */
const FUNCTIONS = TOUR.split('\n\n')[0] ?? '';

const pageview = (url: string) => ({
  id: crypto.randomUUID(),
  type: 'pageview',
  pageId: crypto.randomUUID(),
  url,
});

test('the tour', async () => {
  const port = String(await findPort(0, ''));
  const visit = JSON.stringify({
    site: 'SITE',
    events: [pageview('http://localhost:8080/welcome?utm_source=newsletter')],
  });
  const printed = await shell(
    TOUR.replace('8080', port),
    "trap 'kill %1' EXIT",
    until(`curl -s http://localhost:${port}/welcome | grep -c "data-site=\\"$SITE\\"" || true`, '1'),
    // What the browser sends that opens the page.
    `curl -sS -o /dev/null -A '${BROWSER}' -H 'Content-Type: application/json' "$(dev baseUrl)/api/v1/track" -d "$(echo '${visit}' | sed "s/SITE/$SITE/")"`,
    until('api /api/v1/sites/$SITE/analytics/live | data .visitors', '1'),
    'echo ---',
    textOf('README.md: api /api/v1/sites/$SITE/analytics/live | data'),
  );
  const [before, after] = printed.split('---\n');
  expect(before).toContain("consentMode: 'required'");
  expect(after).toBe(textOf('README.md: {'));
});

test('accounts: signing up, projects, an API key', async () => {
  const text = textOf(
    "docs/accounts.md: curl -c jar -H 'Content-Type: application/json' http://127.0.0.1:8787/api/auth/sign-up \\",
  );
  const [signUp = '', ...rest] = here(text).split(/\n(?=curl -b)/);
  expect(JSON.parse(await shell(signUp))).toMatchObject({ data: { user: { email: 'you@example.org' } } });
  await stack().sql`update users set email_verified = true where email = 'you@example.org'`;
  const [projects = '', keys = ''] = await Promise.all(rest.map((command) => shell(command)));
  expect(rest).toHaveLength(2);
  expect(JSON.parse(projects)).toMatchObject({ data: [{ role: 'owner' }] });
  expect(JSON.parse(keys)).toMatchObject({
    data: { name: 'Reports', token: expect.stringMatching(/^vapi_/) },
  });
});

test('an error is as documented', async () => {
  const response = await stack().fetch('/api/v1/telemetry/outcomes', {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.ingestKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ source: 'shop', domainEventId: 'order-1', type: 'order.paid', occurredAt: '2026-11-21T09:00:00Z' },
      value: { amount: '1.00', currency: 'XYZ' },
    }),
  });
  expect([response.status, await response.json()]).toEqual([400, JSON.parse(textOf('docs/api.md: {'))]);
});

test('the content service', async () => {
  const [search = '', guide = ''] = here(
    textOf(
      "docs/content.md: curl 'http://127.0.0.1:8788/api/agent/search?query=accesibility'      # one typing error is forgiven",
    ),
  ).split('\n');
  const { items } = JSON.parse(await shell(search)) as { items: { title: string }[] };
  expect(items.map(({ title }) => title).join()).toMatch(/accessib/i);
  const found = JSON.parse(await shell(guide)) as { id: string; text: string; nextCursor: string | null };
  expect(found.id).toBe('guide:web-glossary');
  expect(found.text.length).toBeLessThanOrEqual(20_000);
  expect(found.nextCursor).not.toBeNull();
});

test('an event from a server, by curl and by Node.js', async () => {
  const answer = await shell(
    here(textOf('docs/events.md: curl https://vendor.example/api/v1/sites/$SITE/events \\')),
  );
  expect(answer).toBe(textOf('docs/events.md: {"data":{"accepted":1,"dropped":0}}').trim());
  const eventId = crypto.randomUUID();
  const order = `{ eventId: '${eventId}', paidAt: new Date(), cents: 12990 }`;
  const program = here(textOf("docs/events.md: import { setTimeout as pause } from 'node:timers/promises';"));
  await writeFile(join(folder, 'purchase.mjs'), `${program}\nawait reportPurchase(${order});\n`);
  await shell('node purchase.mjs');
  const path = `/api/v1/sites/${account.siteId}/analytics/events?period=7d`;
  const events = async () =>
    (await stack().fetch(path, { headers: { Authorization: `Bearer ${account.apiToken}` } })).json();
  await expect.poll(events).toMatchObject({
    data: [{ name: 'purchase', events: 2, revenue: [{ currency: 'EUR', amount: '259.80' }] }],
  });
});

test('an import', async () => {
  const text = here(
    textOf("docs/import.md: export VENDOR_API_TOKEN='vapi_…'      # an API key with access `write`"),
  );
  const fixture = join(ROOT, 'tests/scripts/import/fixtures/plausible');
  const printed = await shell(
    text
      .replace('vapi_…', account.apiToken)
      .replaceAll('SITE_ID', account.siteId)
      .replaceAll('example_com_20261121.zip', fixture)
      .replaceAll('npm run import -- ', `node ${ROOT}/scripts/import.ts `),
  );
  for (const said of [
    'this was a dry run',
    'Imported as',
    'plausible, 2026-03-28 to 2026-03-30',
    'is undone',
  ])
    expect(printed).toContain(said);
});

test('the policy of a visitor in another country', async () => {
  const command =
    'docs/local.md: curl -H \'X-Dev-Country: DE\' "http://127.0.0.1:8787/api/v1/policy?site=$(node -p "require(\'./.local/dev.json\').siteId")"';
  expect(await json(textOf(command))).toMatchObject({ maxTier: expect.any(Number) });
});

test('what a monitor asks: it fails when a cron is late', async () => {
  const ask = here(textOf('docs/operations.md: curl -fsS -o /dev/null https://vendor.example/api/health'));
  const asked = () =>
    shell(ask).then(
      () => 'ok',
      (error: { code: number }) => `curl ends with ${error.code}`,
    );
  const succeeded = (hoursAgo: number) => stack().sql`
    insert into cron_runs (function, began_at, ended_at)
    select unnest(array['alerts', 'ingest', 'messages', 'receiver']), now(), now() - make_interval(hours => ${hoursAgo}::integer)
    on conflict (function) do update set began_at = excluded.began_at, ended_at = excluded.ended_at`;
  // The hour begins anew with an upgrade.
  await stack().sql`update schema_version set changed_at = now() - interval '2 hours'`;
  await succeeded(0);
  await expect.poll(asked, { timeout: 60_000 }).toBe('ok');
  await succeeded(2);
  await expect.poll(asked, { timeout: 60_000 }).toBe('curl ends with 22');
  await succeeded(0);
  await expect.poll(asked, { timeout: 60_000 }).toBe('ok');
}, 200_000);

test('an outcome', async () => {
  const command =
    'docs/outcomes.md: curl -H "Authorization: Bearer $INGEST_KEY" -H \'Content-Type: application/json\' http://127.0.0.1:8787/api/v1/telemetry/outcomes \\';
  expect(await json(textOf(command))).toMatchObject({ data: { status: 'created' } });
  expect(await json(textOf(command))).toMatchObject({ data: { status: 'duplicate' } });
});

test('a Worker in front: script and endpoints are passed on, without cookies and tokens', async () => {
  await writeFile(join(folder, 'proxy.mjs'), textOf('docs/proxy.md: export default {'));
  const { default: worker } = (await import(join(folder, 'proxy.mjs'))) as {
    default: { fetch: (request: Request, env: object) => Promise<Response> };
  };
  const passed: [string, Request][] = [];
  const binding = (name: string) => ({
    fetch: async (request: Request) => {
      passed.push([name, request]);
      return fetch(stack().baseUrl + new URL(request.url).pathname + new URL(request.url).search);
    },
  });
  const env = { SCRIPT: binding('script'), TRACK: binding('track') };
  for (const path of ['s.js', 'guard.js', `api/v1/policy?site=${account.siteId}`]) {
    const headers = { Cookie: 'a=b', Authorization: 'Bearer x' };
    const response = await worker.fetch(new Request(`https://example.pt/stats/${path}`, { headers }), env);
    expect([path, response.status]).toEqual([path, 200]);
  }
  expect(passed.map(([name, { url }]) => `${name} ${new URL(url).pathname}`)).toEqual([
    'script /tracker.js',
    'script /guard.js',
    'track /api/v1/policy',
  ]);
  for (const [, { headers }] of passed) expect([...headers.keys()]).toEqual([]);
});

test('a report, and several at once', async () => {
  const pages = await json(textOf('docs/reports.md: curl -H "Authorization: Bearer $API_TOKEN" \\'));
  expect(pages).toMatchObject({ data: [], meta: { scope: { filters: { country: { values: ['PT'] } } } } });
  const path = `/api/v1/sites/${account.siteId}/analytics/reports?report=overview,pages,engagement&filter_country=PT`;
  const response = await stack().fetch(path, { headers: { Authorization: `Bearer ${account.apiToken}` } });
  const answer = (await response.json()) as { data: object; meta: object };
  const documented = JSON.parse(textOf('docs/reports.md: {')) as { data: object; meta: object };
  expect(Object.keys(answer.data)).toEqual(Object.keys(documented.data));
  expect(Object.keys(answer.meta)).toEqual(Object.keys(documented.meta));
  expect(answer.data).toMatchObject({
    overview: { data: { visits: expect.any(Number) } },
    pages: { data: expect.any(Array), meta: { nextCursor: null } },
    engagement: { error: 'VALIDATION_ERROR', details: [{ path: 'filter_country' }] },
  });
  expect(documented.data).toMatchObject({
    engagement: { error: 'VALIDATION_ERROR', details: [{ path: 'filter_country' }] },
  });
});

test('a row of web vitals', async () => {
  const row = JSON.parse(
    textOf(
      'docs/reports.md: { "value": "mobile", "measured": 131, "lcp": 2893.2, "inp": 88.4, "cls": 0.0131, "fcp": 1104.6, "ttfb": 312.5,',
    ),
  );
  expect(v.is(v.strictObject(VitalsItem.entries), row)).toBe(true);
});

test('a row beside another range', async () => {
  const row = JSON.parse(
    textOf(
      'docs/reports.md: { "path": "/pricing", "visitors": 93, "visits": 104, "pageviews": 131, "reach": 97,',
    ),
  );
  expect(v.is(v.strictObject(PageItem.entries), row)).toBe(true);
  await foldBatch(
    stack().sql,
    [{ ...counts([stored(new Date().toISOString(), row.path)]), siteId: account.siteId }],
    Date.now(),
  );
  const path = `/api/v1/sites/${account.siteId}/analytics/pages?compare=previous&filter_page=${row.path}`;
  const response = await stack().fetch(path, { headers: { Authorization: `Bearer ${account.apiToken}` } });
  const [first] = ((await response.json()) as { data: { path: string; previous: object }[] }).data;
  expect(first?.path).toBe(row.path);
  expect(Object.keys(first ?? {}).sort()).toEqual(Object.keys(row).sort());
  expect(Object.keys(first?.previous ?? {}).sort()).toEqual(Object.keys(row.previous).sort());
});

test('telemetry with the official exporters, and questions about it', async () => {
  await shell(FUNCTIONS, textOf("docs/telemetry.md: cat > .local/hello.mjs <<'END'"));
  const questions =
    'docs/telemetry.md: curl -sS -o /dev/null -c .local/jar -H \'Content-Type: application/json\' "$(dev baseUrl)/api/auth/sign-in" \\';
  // What differs from one machine and moment to another.
  const shape = (text: string) =>
    text
      .replaceAll(/(Ms|ratePerSecond): [\d.e-]+/g, '$1: N')
      .replaceAll(/'\d{4}-[^']+Z'/g, 'INSTANT')
      .replaceAll(/spanId: '[0-9a-f]{16}'/g, 'spanId: ID');
  const ask = () => shell(FUNCTIONS, textOf(questions));
  await expect
    .poll(async () => shape(await ask()), { timeout: 90_000, interval: 2000 })
    .toBe(shape(textOf('docs/telemetry.md: [')));

  // The cron puts errors into their groups.
  await stack().scheduled('receiver', '* * * * *');
  const errors = textOf("docs/errors.md: ask 'errors?state=unsolved&order=first-seen' | data '[0].title'");
  const [, functions = ''] = textOf(questions).split(/^(?=ask\(\))/m);
  expect(await shell(FUNCTIONS, functions.split('\n')[0] ?? '', errors)).toContain('card declined');
}, 300_000);

test('an alert', async () => {
  const response = await stack().fetch(`/api/v1/sites/${account.siteId}/alerts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.apiToken}`, 'Content-Type': 'application/json' },
    body: textOf('docs/alerts.md: {'),
  });
  expect([response.status, await response.json()]).toMatchObject([
    201,
    { data: JSON.parse(textOf('docs/alerts.md: {')) },
  ]);
});

test('what the tracker sends', async () => {
  const text = textOf('docs/tracker-protocol.md: {')
    .replaceAll('"…"', () => `"${crypto.randomUUID()}"`)
    .replace('0191d3a5-7c1e-4f00-8a55-3f6d1c9b7e01', account.siteId)
    .replace('https://example.pt/', 'http://localhost/');
  const response = await stack().fetch('/api/v1/track', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': BROWSER },
    body: text,
  });
  expect([response.status, await response.json()]).toMatchObject([
    202,
    { data: { accepted: 1, dropped: 0 } },
  ]);
});

test('another time zone of a site', async () => {
  const site = await json(
    textOf(
      'docs/sites.md: curl -X PATCH -H "Authorization: Bearer $API_TOKEN" -H \'Content-Type: application/json\' \\',
    ),
  );
  expect(site).toMatchObject({ data: { timezone: 'America/New_York' } });
});

test('an alias of a site', async () => {
  const site = await json(
    textOf('docs/sites.md: curl -X PATCH https://vendor.example/api/v1/sites/$SITE \\'),
  );
  expect(site).toMatchObject({ data: { aliases: ['example.com'] } });
});

test('another domain of a site', async () => {
  // The last one, since the site's events come from its old domain.
  const site = await json(
    textOf('docs/sites.md: curl https://vendor.example/api/v1/sites/$SITE -X PATCH \\'),
  );
  expect(site).toMatchObject({ data: { domain: 'example.com', domains: ['example.pt', 'shop.example'] } });
});

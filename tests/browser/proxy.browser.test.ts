/** A page that reaches the service through its own host (docs/proxy.md). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { SITE_ID, useFixtures } from './browser-fixture.ts';
import { useVisits } from './visit.ts';

const visit = useVisits();
const newFixture = useFixtures();

/** Forwards `/stats/…` to the service with the headers that docs/proxy.md names. `s.js` is the script. */
async function startProxy(service: string, page: string): Promise<string> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? '/', service);
    if (!pathname.startsWith('/stats/'))
      return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    const { method = 'GET', headers } = request;
    const passed = ['user-agent', 'content-type', 'sec-gpc', 'dnt', 'sec-purpose'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const path = pathname.replace('/stats', '').replace('/s.js', '/tracker.js');
    const body = method === 'POST' ? { body: await buffer(request) } : {};
    const answer = await fetch(service + path + search, {
      method,
      headers: Object.fromEntries(passed),
      ...body,
    });
    const type = answer.headers.get('Content-Type') ?? 'text/plain';
    response.writeHead(answer.status, { 'Content-Type': type }).end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    // The browser may leave before the answer comes, and the test may end before the service answers.
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

const PAGE = `<!doctype html><link rel="icon" href="data:,"><title>Behind</title>
<a id="out" href="https://elsewhere.example/" onclick="event.preventDefault()">Out</a>
<script defer src="/stats/s.js" data-site="${SITE_ID}" data-outbound></script>`;

test('script, parts and requests all go by the page’s own address, under the folder of the script', async () => {
  const service = await newFixture();
  const { context, page, noise } = await visit();
  const origin = await startProxy(service.origin, PAGE);
  await context.addCookies([{ name: 'session', value: 'secret', domain: 'localhost', path: '/' }]);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${origin}/`);
  await page.click('#out');
  await expect.poll(() => service.events('event')).toHaveLength(1);
  expect(service.events('pageview')).toMatchObject([{ url: `${origin}/` }]);
  expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
  await expect.poll(() => new Set(service.parts())).toEqual(new Set(['links', 'measure']));
  for (const { headers } of service.seen) expect(headers).not.toHaveProperty('cookie');
  for (const { headers } of service.calls('track')) expect(headers['user-agent']).toContain('Chrome');
  expect(noise).toEqual([]);
});

test('who objects is obeyed behind it too: in script, and by the headers that are passed on', async () => {
  const service = await newFixture();
  const { page } = await visit({ extraHTTPHeaders: { 'Sec-GPC': '1', DNT: '1' } });
  const origin = await startProxy(service.origin, PAGE);
  await page.goto(`${origin}/`);
  await expect.poll(() => service.calls('policy')).toHaveLength(1);
  expect(service.calls('policy')[0]?.headers).toMatchObject({ 'sec-gpc': '1', dnt: '1' });
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
  );
  await page.goto(`${origin}/again`);
  await page.evaluate(() => window.vendor?.track('never'));
  await page.goto(`${origin}/bare`);
  expect(service.calls('policy')).toHaveLength(1);
});

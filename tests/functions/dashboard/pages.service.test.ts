/** The dashboard's pages as a browser gets them: front page, shell, unknown paths, files. */
import { describe, expect, test } from 'vitest';
import { APP_FILES } from '../../../functions/dashboard/app-files.generated.ts';
import { TYPEFACE } from '../../../lib/http/typeface.generated.ts';
import { site } from '../../../web/app/words/en/site.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();
const COOKIE = 'vendor.session_token=of-a-session';

const open = (path: string, headers: Record<string, string> = {}) =>
  stack().fetch(path, { headers: { Accept: 'text/html', ...headers }, redirect: 'manual' });

test('signed out, / says what this is, in the language of the browser', async () => {
  const response = await open('/', { 'Accept-Language': 'pt-BR' });
  const html = await response.text();
  expect([response.status, response.headers.get('Content-Language')]).toEqual([200, 'pt-PT']);
  expect(html).toContain('<html lang="pt-PT">');
  expect(html).toContain('href="/sign-in?lang=pt-PT&amp;to=/sites"');
});

test('the rules of counting are a page in English, with an anchor for each link that leads to one', async () => {
  const response = await open('/docs/counting', { 'Accept-Language': 'es', Cookie: COOKIE });
  const html = await response.text();
  expect([response.status, response.headers.get('Content-Language')]).toEqual([200, 'en']);
  expect(response.headers.get('Content-Security-Policy')).not.toContain('script-src');
  expect(html).toContain('<html lang="en">');
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const inner = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(inner.length).toBeGreaterThan(3);
  // Those of the dashboard (web/app/views/site/tier-band.tsx) lead to each reason too.
  const reasons = Object.keys(site.tiers.reasons);
  expect(reasons).toContain('bot');
  expect(ids).toEqual(expect.arrayContaining([...inner, ...reasons, 'why-a-number-differs']));
  // Other files of the documents aren't served.
  expect(html).not.toMatch(/href="(?!#|https:|\/"|\/app\/|data:)/);
});

test('signed in, / leads to the sites', async () => {
  const response = await open('/', { Cookie: COOKIE });
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/sites']);
});

test('signed out, a view leads to the sign-in page, which leads back', async () => {
  const response = await open('/sites/1?period=7d&filter_country=PT%7CES');
  expect(response.status).toBe(302);
  const { pathname, searchParams } = new URL(response.headers.get('Location') ?? '', 'http://here.test');
  expect([pathname, searchParams.get('to')]).toEqual([
    '/sign-in',
    '/sites/1?period=7d&filter_country=PT%7CES',
  ]);
});

test('the shell runs only its own files, and holds no data', async () => {
  const response = await open('/sites', { Cookie: COOKIE });
  const html = await response.text();
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  expect(response.status).toBe(200);
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("trusted-types 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(html).not.toMatch(/<script(?! type="module" src="\/app\/[\w-]+\.js"><\/script>)/);
  expect(html).not.toContain('of-a-session');
});

test.each([
  ['cookies', '/sites', 'vendor.language=es; vendor.theme=dark', ['es', 'dark']],
  [
    'parameters',
    '/share/x?lang=pt-PT&theme=light',
    'vendor.language=es; vendor.theme=dark',
    ['pt-PT', 'light'],
  ],
  ['no known value', '/share/x?theme=%3Cb%3E', 'vendor.theme=%22%3E', ['en', 'auto']],
])('language and theme are chosen by %s', async (_, path, cookies, [language, theme]) => {
  const response = await open(path, { Cookie: `${COOKIE}; ${cookies}`, 'Accept-Language': 'fr' });
  expect(await response.text()).toContain(`<html lang="${language}" data-theme="${theme}">`);
});

test('an unknown path is a page for people, and an error for programs', async () => {
  const page = await open('/nothing/here');
  expect([page.status, page.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8']);
  for (const path of ['/.well-known/oauth-protected-resource', '/api/nothing', '/internal/nothing']) {
    const response = await stack().fetch(path);
    expect([path, response.status, (await response.json()).error]).toEqual([path, 404, 'NOT_FOUND']);
  }
  const asked = await open('/.well-known/oauth-protected-resource');
  expect([asked.status, (await asked.json()).error]).toEqual([404, 'NOT_FOUND']);
});

test('files have hashes in their names and never change', async () => {
  const { script, style, preloads, words } = APP_FILES;
  for (const path of [script, style, TYPEFACE, ...preloads, ...Object.values(words)]) {
    expect(path).toMatch(/^\/app\/[\w-]+-(?:[0-9a-f]{8}\.(?:js|css)|[0-9A-Z]{8}\.woff2)$/);
    const response = await stack().fetch(path);
    await response.arrayBuffer();
    expect([path, response.status, response.headers.get('Cache-Control')]).toEqual([
      path,
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
});

describe('a share’s page', () => {
  async function openShare(body: object) {
    const { token, siteId } = await createTenant(stack().sql);
    const made = await stack().fetch(`/api/v1/sites/${siteId}/shares`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { url } = ((await made.json()) as { data: { url: string } }).data;
    const response = await open(`/share/${url.slice(url.lastIndexOf('/') + 1)}`);
    return { policy: response.headers.get('Content-Security-Policy') ?? '', html: await response.text() };
  }

  test.each([
    ['none by default', undefined, "'none'"],
    ['every page', ['*'], '*'],
    [
      'some',
      ['https://intranet.example', 'http://localhost:8080'],
      'https://intranet.example http://localhost:8080',
    ],
  ])('its owner says whose frames it may stand in: %s', async (_, embedOrigins, ancestors) => {
    const { policy } = await openShare({ name: 'Board', embedOrigins });
    expect(policy.split('; ')).toContain(`frame-ancestors ${ancestors}`);
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  test('its title is there where the link is pasted, unless it has a password', async () => {
    const { html } = await openShare({ name: 'Board & <friends>' });
    expect(html).toMatch(/<meta property="og:title" content="Board &amp; &lt;friends&gt; · [^"]+">/);
    const locked = await openShare({ name: 'Secret plan', password: 'open sesame', embedOrigins: ['*'] });
    expect(locked.html).not.toContain('Secret plan');
    expect(locked.html).toContain('<title>Vendor</title>');
    expect(locked.policy).toContain('frame-ancestors *');
  });

  test('a picture stands beside its link, and search engines leave it out', async () => {
    const { html } = await openShare({ name: 'Board' });
    const picture = new URL(/<meta property="og:image" content="([^"]+)">/.exec(html)?.[1] ?? '');
    expect(picture.origin).toBe(stack().baseUrl);
    const response = await stack().fetch(picture.pathname);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'image/png']);
    // The signature of PNG, and the first part: 1200 by 630 pixels.
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([bytes.readUInt32BE(0), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
      0x89504e47, 1200, 630,
    ]);
    expect(html).toContain('<meta name="robots" content="noindex">');
  });

  test('an unknown share stands in nobody’s frame', async () => {
    for (const secret of ['x', 'A'.repeat(43)]) {
      const response = await open(`/share/${secret}`);
      expect(response.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    }
  });
});

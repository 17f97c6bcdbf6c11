/** The dashboard's pages as a browser gets them: front page, shell, unknown paths, files. */
import { expect, test } from 'vitest';
import { APP_FILES } from '../../../functions/dashboard/app-files.generated.ts';
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
  for (const path of [script, style, ...preloads, ...Object.values(words)]) {
    expect(path).toMatch(/^\/app\/[\w-]+-[0-9A-Z]{8}\.(?:js|css)$/);
    const response = await stack().fetch(path);
    await response.arrayBuffer();
    expect([path, response.status, response.headers.get('Cache-Control')]).toEqual([
      path,
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
});

test('a share may stand in another page’s frame; it runs only its own files as well', async () => {
  const policy = (await open('/share/x')).headers.get('Content-Security-Policy') ?? '';
  expect(policy).toContain('frame-ancestors *');
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
});

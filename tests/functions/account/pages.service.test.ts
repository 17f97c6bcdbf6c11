/** The HTML of the pages, and their words. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WORDS } from '../../../functions/account/pages/page-words-by-language.ts';
import { LANGUAGES } from '../../../lib/languages.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { bundlePages, PAGE_SCRIPTS } from '../../../web/bundle-pages.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();

test('sessions, password and second factor are in the dashboard now', async () => {
  const leadsTo = async (path: string) => {
    const response = await stack().fetch(path, { redirect: 'manual' });
    return [response.status, response.headers.get('location')];
  };
  expect(await leadsTo('/security')).toEqual([302, '/settings/account']);
  expect(await leadsTo('/security?lang=es')).toEqual([302, '/settings/account?lang=es']);
});

test.each(['/sign-in', '/confirm-email', '/reset-password', '/join'])(
  '%s runs its own script alone and is not kept',
  async (path) => {
    const response = await stack().fetch(path, { headers: { 'Accept-Language': 'es, en;q=0.5' } });
    expect(response.status).toBe(200);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=UTF-8',
      'content-language': 'es',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'x-request-id': expect.any(String),
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src data:; connect-src 'self'; font-src 'self'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    const page = await response.text();
    expect(page).toContain('<html lang="es">');
    // The page has two scripts: the file, and a block of data.
    expect(page.match(/<script[^>]*>/g)).toEqual([
      '<script type="module" src="/account-pages.js">',
      '<script type="application/json" id="data">',
    ]);
    expect(page).not.toMatch(/\son\w+=|\sstyle=|javascript:/);
  },
);

test('only whether there is a session’s cookie shows in a page, never what it is', async () => {
  const dataOf = async (headers: Record<string, string>) => {
    const page = await (await stack().fetch('/join', { headers })).text();
    expect(page).not.toContain('evil');
    return JSON.parse(/id="data">([^<]*)</.exec(page)?.[1] ?? '');
  };
  expect(await dataOf({})).toMatchObject({ hasSession: false, address: `${stack().baseUrl}/join` });
  const Cookie = 'vendor.session_token=evil';
  expect(
    await dataOf({ Cookie, 'Accept-Language': 'evil', 'X-Forwarded-Host': 'evil.example' }),
  ).toMatchObject({
    hasSession: true,
    language: 'en',
    address: `${stack().baseUrl}/join`,
  });
});

test('an unknown parameter is nothing to a page', async () => {
  for (const path of ['/sign-in?utm_source=x', '/reset-password?token=x&token=y', '/join?__proto__=1']) {
    const response = await stack().fetch(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).not.toMatch(/utm_source|token=x|__proto__/);
  }
});

test('a wrong language and another method are refused', async () => {
  for (const path of ['/sign-in?lang=fr', '/join?lang=en&lang=es']) {
    const response = await stack().fetch(path);
    expect([path, response.status]).toEqual([path, 400]);
    expect(await response.text()).toContain('"VALIDATION_ERROR"');
  }
  const posted = await stack().fetch('/sign-in', { method: 'POST', body: 'password=x' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('the script is a file beside them, within its budget, asked for anew each time', async () => {
  const { source, gzipBytes } = await bundlePages('account');
  expect(gzipBytes).toBeLessThanOrEqual(PAGE_SCRIPTS.account.budgetBytes);
  const response = await stack().fetch('/account-pages.js');
  expect(await response.text()).toBe(source);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  const etag = response.headers.get('etag') ?? '';
  const again = await stack().fetch('/account-pages.js', { headers: { 'If-None-Match': etag } });
  expect(again.status).toBe(304);
  // The script never turns text into markup or code, stores nothing, and uses no other address.
  expect(source).not.toMatch(
    /innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Storage|cookie|https?:/,
  );
});

const PAGES = join(ROOT, 'functions/account/pages');

/** All sources of the service: its sentences are in them. */
const sources = ['lib', 'functions'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.ts') && !file.parentPath.startsWith(PAGES))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8')),
);

test('each sentence that is translated is one that the service says, and all languages know the same', () => {
  for (const language of LANGUAGES) {
    const { sentences, rules } = WORDS[language].script;
    expect(Object.keys(sentences)).toEqual(Object.keys(WORDS.en.script.sentences));
    expect(Object.keys(rules)).toEqual(Object.keys(WORDS.en.script.rules));
    for (const rule of Object.values(rules)) expect(rule).not.toBe('');
  }
  for (const said of Object.keys(WORDS.en.script.sentences)) {
    expect([said, sources.some((source) => source.includes(`'${said}'`))]).toEqual([said, true]);
  }
});

test('the same placeholders are filled in every language', () => {
  const placeholdersOf = (text: string): string[] => (text.match(/\{\w+\}|#/g) ?? []).sort();
  const texts = (value: unknown, path = ''): [string, string][] =>
    typeof value === 'string'
      ? [[path, value]]
      : Object.entries(value as object).flatMap(([key, inner]) => texts(inner, `${path}/${key}`));
  const expected = texts(WORDS.en).map(([path, text]) => [path, placeholdersOf(text)]);
  for (const language of LANGUAGES) {
    expect(texts(WORDS[language]).map(([path, text]) => [path, placeholdersOf(text)])).toEqual(expected);
  }
});

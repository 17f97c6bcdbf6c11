/** The page for people, under Node. Tests in a browser check how it looks. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { WORDS } from '../../../functions/content/pages/content-words-by-language.ts';
import { MAX_TITLES } from '../../../functions/content/pages/home-page.ts';
import { keyOf } from '../../../functions/content/pages/mcp-client-setup.ts';
import { createTools } from '../../../functions/content/tools.ts';
import { chooseLanguage, LANGUAGES } from '../../../lib/languages.ts';
import { expectCommonHeaders, expectError, nextAddress } from './client.ts';
import { SAMPLE_ENTRIES, SAMPLE_GUIDES, sampleEntry } from './content-samples.ts';
import { startService } from './node-service.ts';

const { fetch } = await startService();
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(path, { headers, address: nextAddress() });
const read = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text();

test('it names the addresses, every tool, resource and endpoint, and how to connect each client', async () => {
  // A command's words stand alone, so that it breaks between them.
  const page = (await read('/')).replaceAll(/<\/?span>/g, '');
  for (const { name } of createTools()) expect(page).toContain(`<code>${name}</code>`);
  for (const part of [
    'claude mcp add --transport http sample https://content.example.com/mcp',
    'codex mcp add sample --url https://content.example.com/mcp',
    'gemini mcp add --transport http sample https://content.example.com/mcp',
    '&quot;type&quot;: &quot;http&quot;',
    'curl &#39;https://content.example.com/api/agent/search?query=accessibility&amp;language=en&#39;',
    'vendor://guides/{language}/{id}',
    'href="/llms.txt"',
    'href="/openapi.json"',
    'href="/mcp/server-card"',
    'href="https://content.example.com/api/agent/search?query=accessibility&amp;language=en"',
    '65,536 bytes',
    '60 requests',
  ]) {
    expect(page).toContain(part);
  }
});

test.each(LANGUAGES)('%s: in that language, with what there is in it', async (language) => {
  const response = await get(`/?lang=${language}`);
  const page = await response.text();
  expect(response.headers.get('Content-Language')).toBe(language);
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(page).toContain(`<html lang="${language}">`);
  expect(page).toContain(`lang="${language}" aria-current="page"`);
  const shown = [...SAMPLE_ENTRIES, ...SAMPLE_GUIDES];
  for (const { title } of shown.filter((entry) => entry.language === language)) {
    expect(page).toContain(`>${title}</a>`);
  }
  for (const { title } of shown.filter((entry) => entry.language !== language)) {
    expect(page).not.toContain(`>${title}</a>`);
  }
  // Its examples are in that language too.
  expect(page).toContain(`search?query=${WORDS[language].exampleQuery}&amp;language=${language}&#39;`);
  expect(page).toContain(`/api/agent/content/business:facts:${language}&#39;`);
  for (const text of WORDS[language].askTexts('Sample')) expect(page).toContain(`<q>${text}</q>`);
});

test('every example and every link of it to the service is answered', async () => {
  for (const language of LANGUAGES) {
    const page = await read(`/?lang=${language}`);
    const found = page
      .replaceAll(/<\/?span>/g, '')
      .matchAll(/https:\/\/content\.example\.com([^"'<&\s]*(?:&amp;[^"'<&\s]*)*)/g);
    const paths = new Set([...found].map(([, path = '']) => path.replaceAll('&amp;', '&') || '/'));
    expect(paths.size).toBeGreaterThan(8);
    for (const path of paths) {
      const { status } = await get(path);
      expect([path, status]).toEqual([path, path === '/mcp' ? 405 : 200]);
    }
  }
});

test('every language has words for every tool', () => {
  const names = createTools()
    .map(({ name }) => name)
    .sort();
  for (const language of LANGUAGES) expect(Object.keys(WORDS[language].toolTexts).sort()).toEqual(names);
});

test.each<[string | undefined, string]>([
  [undefined, 'en'],
  ['', 'en'],
  ['es', 'es'],
  ['es-MX,es;q=0.9', 'es'],
  ['pt-BR', 'pt-PT'],
  ['PT', 'pt-PT'],
  ['fr-FR, fr;q=0.9', 'en'],
  ['fr, pt;q=0.3, es;q=0.7', 'es'],
  ['en;q=0.1, es;q=0.1', 'en'],
  ['es;q=0, pt', 'pt-PT'],
  ['es;q=nonsense, pt;q=0.1', 'pt-PT'],
  ['es;q=2, pt;q=1', 'pt-PT'],
  ['*', 'en'],
  [`${'xx,'.repeat(10_000)}es`, 'en'],
])('Accept-Language %o is answered in %s', async (header, language) => {
  expect(chooseLanguage(header)).toBe(language);
});

test('the parameter goes before the header, and `Vary` names the header for caches', async () => {
  const response = await get('/?lang=pt-PT', { 'Accept-Language': 'es' });
  expect(response.headers.get('Content-Language')).toBe('pt-PT');
  expect(response.headers.get('Vary')).toBe('Accept-Language, Origin');
  const own = await get('/', { 'Accept-Language': 'es', Origin: 'https://content.example.com' });
  expect(own.headers.get('Content-Language')).toBe('es');
  expect(own.headers.get('Vary')).toBe('Accept-Language, Origin');
});

test('nothing but its own style and script is allowed', async () => {
  const response = await get('/');
  const [, style = ''] = (await response.text()).split(/<\/?style>/);
  const hash = createHash('sha256').update(style).digest('base64');
  expect(response.headers.get('Content-Security-Policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expectCommonHeaders(response);
});

test('what comes from the catalogue is escaped, and cut when it is much', async () => {
  const title = '<script>alert("1")</script> & more';
  const entries = Array.from({ length: MAX_TITLES + 3 }, (_, n) =>
    sampleEntry({ type: 'service', slug: `s-${n}`, order: n, title: `${title} ${n}` }),
  );
  const { fetch: ask } = await startService({ entries });
  const page = await (await ask('/', { address: nextAddress() })).text();
  expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/content-pages.js">']);
  expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more 0</a>');
  expect(page.match(/more \d+<\/a>/g)).toHaveLength(MAX_TITLES);
  expect(page).toContain('/api/agent/search?type=service&amp;language=en">3 more</a>');
});

test.each([
  ['/?utm_source=newsletter&utm_medium=email', 'es'],
  ['/?lang=pt&utm_source=x', 'pt-PT'],
  ['/?lang=PT-br', 'pt-PT'],
  ['/?lang=fr', 'es'],
  ['/?lang=', 'es'],
  ['/?language=fr', 'es'],
  ['/?utm_source=a&utm_source=b&q=%00', 'es'],
])('a link of people gets the page: %s', async (path, language) => {
  const response = await get(path, { 'Accept-Language': 'es-AR' });
  expect([response.status, response.headers.get('Content-Language')]).toEqual([200, language]);
});

test('without guides it says so, and caches don’t keep that', async () => {
  const away = await startService({ redisUrl: 'http://127.0.0.1:9' });
  const response = await away.fetch('/?lang=es', { address: nextAddress() });
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  const page = await response.text();
  expect(page).toContain(WORDS.es.guidesAway);
  expect(page).toContain('>Prácticos de puerto</a>');
});

test('a language that stands twice is refused', async () => {
  await expectError(await get('/?lang=es&lang=en'), 400, 'invalid_input');
});

test.each([
  ['Cais Norte', 'cais-norte'],
  ['  Ação & Cª, Lda. ', 'acao-c-lda'],
  ['漢字', 'content'],
])('clients call %o %s', (name, key) => {
  expect(keyOf(name)).toBe(key);
});

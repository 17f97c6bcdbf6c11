/** The pages of texts for people, under Node. */
import { expect, test } from 'vitest';
import { WORDS } from '../../../functions/content/pages/content-words-by-language.ts';
import { LANGUAGES } from '../../../lib/languages.ts';
import { expectCommonHeaders, expectError, nextAddress } from './client.ts';
import { SAMPLE_ENTRIES, SAMPLE_GUIDES, sampleEntry, sampleGuide } from './content-samples.ts';
import { publish, startService } from './node-service.ts';

const { fetch } = await startService();
const get = (path: string, headers: Record<string, string> = {}, ask = fetch) =>
  ask(path, { headers, address: nextAddress() });
const read = async (path: string) => (await get(path)).text();

test('a text is on a page, with its title, day and id, the same text for agents, and the website', async () => {
  const response = await get('/content/guide:tides?lang=es');
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('Content-Language')).toBe('es');
  expect(response.headers.get('Vary')).toBe('Accept-Language, Origin');
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=300');
  expectCommonHeaders(response);
  const page = await response.text();
  for (const part of [
    '<html lang="es">',
    '<h1>Leer las mareas</h1>',
    '<p>Pleamar y bajamar.</p>',
    'Actualizado el 14 de septiembre de 2026',
    '<code>guide:tides</code>',
    'href="https://content.example.com/api/agent/content/guide:tides?language=es"',
    '<link rel="canonical" href="https://www.example.com/guides/tides">',
    'href="https://content.example.com/content/guide:tides?lang=en"',
    'href="https://content.example.com/?lang=es#guide"',
  ]) {
    expect(page).toContain(part);
  }
});

test('the whole text is on one page', async () => {
  const page = await read('/content/service:harbour:en');
  const text = SAMPLE_ENTRIES[0]?.text ?? '';
  expect(text.length).toBeGreaterThan(40_000);
  expect(page.match(/<p>Paragraph \d+:/g)).toHaveLength(text.match(/Paragraph \d+:/g)?.length ?? 0);
});

test('every text of the catalogue and every guide has its page', async () => {
  for (const { type, slug, language, title } of SAMPLE_ENTRIES) {
    const page = await read(`/content/${type}:${encodeURIComponent(slug)}:${language}`);
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(`<h1>${title}</h1>`);
  }
  for (const { slug, language, title } of SAMPLE_GUIDES)
    expect(await read(`/content/guide:${slug}?lang=${language}`)).toContain(`<h1>${title}</h1>`);
});

test.each([
  ['guide:tides?lang=es', 'en', 'es'],
  ['guide:tides', 'es-AR', 'es'],
  ['guide:tides?lang=PT-br', 'es', 'en'],
  ['guide:ventos', 'es', 'pt-PT'],
  ['guide:ventos?lang=en', 'es', 'pt-PT'],
  ['service:harbour:es?lang=en', 'pt', 'es'],
  ['guide:tides?utm_source=newsletter&utm_source=b', 'es', 'es'],
  ['guide:tides?language=xx&lang=fr', 'pt', 'en'],
])('%s in a browser in %s is in %s', async (path, accepted, language) => {
  const response = await get(`/content/${path}`, { 'Accept-Language': accepted });
  expect([response.status, response.headers.get('Content-Language')]).toEqual([200, language]);
});

test('its languages are those that the text has', async () => {
  const links = async (path: string) =>
    [...(await read(path)).matchAll(/<li><a href="[^"]*" lang="([^"]+)"/g)].map(([, language]) => language);
  expect(await links('/content/guide:tides')).toEqual(['en', 'es']);
  expect(await links('/content/guide:ventos')).toEqual(['pt-PT']);
  expect(await links('/content/business:facts:es')).toEqual(LANGUAGES);
});

test.each([
  'guide:nothing',
  'service:nothing:en',
  'nothing',
  'guide:a%20b',

  'x'.repeat(300),
  '__proto__',
])('%s leads to a page that says that there is none', async (id) => {
  const response = await get(`/content/${id}?lang=es`);
  expect(response.status).toBe(404);
  expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  const page = await response.text();
  expect(page).toContain(`<h1>${WORDS.es.missing.title}</h1>`);
  expect(page).toContain('href="https://content.example.com/?lang=es"');
});

test('what isn’t public has no page, and no other page names it', async () => {
  const entries = [sampleEntry({ type: 'service', slug: 'secret', title: 'Secret', isPublic: false })];
  const { fetch: ask } = await startService({ entries });
  const response = await get('/content/service:secret:en', {}, ask);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain('Secret');
});

test('while guides are away their pages say so, and the catalogue is there', async () => {
  const away = await startService({ redisUrl: 'http://127.0.0.1:9' });
  const guide = await get('/content/guide:tides?lang=pt', {}, away.fetch);
  expect([guide.status, guide.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(await guide.text()).toContain(WORDS['pt-PT'].away.title);
  const service = await get('/content/service:harbour:es', {}, away.fetch);
  expect([service.status, service.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  expect(away.log).toContainEqual(expect.objectContaining({ event: 'guides-away' }));
});

test('a guide that was published long ago says so', async () => {
  const now = Date.now();
  const { fetch: ask } = await startService({ now: () => now });
  await publish(SAMPLE_GUIDES, now - 25 * 60 * 60 * 1000);
  const page = await (await get('/content/guide:tides?lang=es', {}, ask)).text();
  expect(page).toContain(WORDS.es.reading.stale);
  await publish(SAMPLE_GUIDES);
  expect(await read('/content/guide:tides?lang=es')).not.toContain(WORDS.es.reading.stale);
});

test('links lead to pages here, to the website, or nowhere', async () => {
  const text = [
    '[a](/guides/knots#b)',
    '[b](knots)',
    '[c](/buoy)',
    '[d](/elsewhere?x=1&y=2)',
    '[e](#part)',
    '[f](mailto:a@example.com)',
    '[g](tel:+351)',
    '[h](javascript:alert)',
    '[i](https://other.example/)',
    '<script>j()</script>',
  ].join('\n\n');
  await startService();
  await publish([...SAMPLE_GUIDES, sampleGuide('links', 'en', { text })]);
  const page = await read('/content/guide:links');
  const article = page.slice(page.indexOf('<article>'), page.indexOf('</article>'));
  expect([...article.matchAll(/<a href="([^"]*)">(.)<\/a>/g)].map(([, href, name]) => [name, href])).toEqual([
    ['a', 'https://content.example.com/content/guide:knots?lang=en#b'],
    ['b', 'https://content.example.com/content/guide:knots?lang=en'],
    ['c', 'https://content.example.com/content/product:buoy:en'],
    ['d', 'https://www.example.com/elsewhere?x=1&amp;y=2'],
    ['e', '#part'],
    ['f', 'mailto:a@example.com'],
    ['i', 'https://other.example/'],
  ]);
  expect(article).toContain('<p>g</p>\n<p>h</p>');
  expect(article).toContain('&lt;script&gt;');
  await publish(SAMPLE_GUIDES);
});

test('other methods and origins are refused as everywhere', async () => {
  await expectError(
    await get('/content/guide:tides', { Origin: 'https://evil.example' }),
    403,
    'origin_denied',
  );
  await expectError(
    await fetch('/content/guide:tides', { method: 'POST', address: nextAddress() }),
    405,
    'method_not_allowed',
  );
});

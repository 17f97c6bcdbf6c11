/** `/llms.txt` (llmstxt.org), under Node. */
import { expect, test } from 'vitest';
import { MAX_LINKS } from '../../../functions/content/llms.ts';
import { createTools } from '../../../functions/content/tools.ts';
import { expectCommonHeaders, expectError, nextAddress } from './client.ts';
import { SAMPLE_ENTRIES, SAMPLE_GUIDES, sampleEntry } from './content-samples.ts';
import { startService } from './node-service.ts';

const { fetch } = await startService();
const get = (path: string, ask = fetch) => ask(path, { address: nextAddress() });

const LINK = /^- \[((?:[^[\]\\]|\\.)+)\]\((https:\/\/[^\s)]+)\): \S/;
const linesOf = (text: string, title: string): string[] => {
  const [, section = ''] = text.split(`## ${title}\n\n`);
  return section.split('\n\n')[0]?.trimEnd().split('\n') ?? [];
};

test('a heading, a summary, then sections of links', async () => {
  const response = await get('/llms.txt');
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=300');
  expectCommonHeaders(response);
  const text = await response.text();
  expect(text).toMatch(/^# Sample: public content\n\n> Read-only .+\n\n[^#\n].+\n\n## Connect\n\n- \[/);
  expect(text.match(/^# /gm)).toHaveLength(1);
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    'Connect',
    'Tools',
    'Services',
    'Case studies',
    'Products',
    'Business facts',
    'Guides',
  ]);
  expect(linesOf(text, 'Tools').map((line) => line.split('`')[1])).toEqual(
    createTools().map(({ name }) => name),
  );
  expect(linesOf(text, 'Connect')[0]).toContain('(https://content.example.com/mcp)');
});

test('every item in every language, by an address that answers with it', async () => {
  const text = await (await get('/llms.txt')).text();
  const lines = ['Services', 'Case studies', 'Products', 'Business facts', 'Guides'].flatMap((title) =>
    linesOf(text, title),
  );
  expect(lines).toHaveLength(SAMPLE_ENTRIES.length + SAMPLE_GUIDES.length);
  for (const line of lines) {
    const [, label = '', url = ''] = line.match(LINK) ?? [];
    const answer = await (await get(url.replace('https://content.example.com', ''))).json();
    const { title, language } = answer as { title: string; language: string };
    expect(`${title} (${language})`).toBe(label);
  }
});

test('without guides it says so, and caches don’t keep that', async () => {
  const away = await startService({ redisUrl: 'http://127.0.0.1:9' });
  const response = await get('/llms.txt', away.fetch);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(linesOf(text, 'Guides')).toEqual([expect.stringContaining('out of reach')]);
  expect(linesOf(text, 'Services')).toHaveLength(3);
  expect(away.log).toContainEqual(expect.objectContaining({ event: 'guides-away' }));
});

test('a title can’t end its link, and a large catalogue is cut with a way to the rest', async () => {
  const entries = Array.from({ length: MAX_LINKS + 5 }, (_, n) =>
    sampleEntry({ type: 'product', slug: `p-${n}`, order: n, title: `[x](https://evil.example) \\${n}` }),
  );
  const { fetch: ask } = await startService({ entries });
  const lines = linesOf(await (await get('/llms.txt', ask)).text(), 'Products');
  expect(lines).toHaveLength(MAX_LINKS + 1);
  expect(lines[0]).toMatch(
    /^- \[\\\[x\\\]\(https:\/\/evil\.example\) \\\\0 \(en\)\]\(https:\/\/content\.example\.com/,
  );
  expect(lines.at(-1)).toBe(
    '- [5 more (en)](https://content.example.com/api/agent/search?type=product&language=en): by search',
  );
});

test('parameters are refused', async () => {
  await expectError(await get('/llms.txt?lang=en'), 400, 'invalid_input');
});

/** The pages of texts, in a browser. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sampleGuide } from '../functions/content/content-samples.ts';
import { useStack } from '../services/use-stack.ts';
import { useChromium } from './chromium.ts';
import { measureContrast } from './contrast.ts';

const ATTACK = [
  '<script>document.title = "taken"</script>',
  '<img src=x onerror="document.title = \'taken\'">',
  '<a href="javascript:document.title=1">a</a>',
  '[b](javascript:document.title=1) [c](&#106;avascript:document.title=1) ![d](https://elsewhere.test/d.png)',
  '<https://elsewhere.test/"onmouseover="document.title=1>',
  '<style>body { display: none }</style>',
  '<iframe srcdoc="<script>parent.document.title=1</script>"></iframe>',
  '## </h2><script>document.title = "taken"</script>',
].join('\n\n');

const TEXT = [
  'A paragraph with `code`, *emphasis* and [a link](https://elsewhere.test/).',
  '## One',
  '- an item\n- another\n  1. within',
  '```sh\na command that is far wider than a small screen, so that it scrolls inside its own block\n```',
  '## Two',
  '| A table | with a number | of columns | that is wider | than a phone |\n|---|--:|---|---|---|\n| one | 2 | three | four | five |',
  '> A quotation.',
  '## Three',
  'Text.',
  '## Four\n\n### A part of it\n\nText.',
].join('\n\n');

const stack = useStack({
  guides: [sampleGuide('all', 'en', { text: TEXT }), sampleGuide('attack', 'en', { text: ATTACK })],
});
const newContext = useChromium();

interface Opened {
  page: Page;
  complaints: string[];
  asked: string[];
}

async function open(path: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const page = await (await newContext({ viewport: { width: 1280, height: 900 }, ...options })).newPage();
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(stack().contentUrl + path, { waitUntil: 'networkidle' });
  return { page, complaints, asked };
}

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test('quiet, alone and legible', async () => {
    const { page, complaints, asked } = await open('/content/guide:all', { colorScheme });
    expect(complaints).toEqual([]);
    expect(asked).toEqual(['/content/guide:all', '/content-pages.js']);
    const { measured, faint } = await measureContrast(page);
    expect(measured).toBeGreaterThan(40);
    expect(faint).toEqual([]);
  });

  test('on a phone the page is as wide as the screen; code and tables scroll', async () => {
    const { page } = await open('/content/guide:all', { colorScheme, viewport: { width: 320, height: 800 } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const scrolling = await page
      .locator('article pre, article .wide')
      .evaluateAll((all) => all.map((one) => one.scrollWidth > one.clientWidth));
    expect(scrolling).toEqual([true, true]);
  });
});

test('its parts are listed, and lead to them', async () => {
  const { page } = await open('/content/guide:all');
  const list = page.getByRole('navigation', { name: 'On this page' });
  expect(await list.getByRole('link').allTextContents()).toEqual(['One', 'Two', 'Three', 'Four']);
  await list.getByRole('link', { name: 'Three' }).click();
  await page.waitForFunction(() => location.hash === '#three');
  expect(await page.locator(':target').textContent()).toBe('Three');
});

test('headings go down one level at a time', async () => {
  const { page } = await open('/content/guide:all');
  const levels = await page
    .locator('h1, h2, h3, h4, h5, h6')
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
  expect(levels[0]).toBe(1);
  for (const [at, level] of levels.entries())
    expect(level - (levels[at - 1] ?? level)).toBeLessThanOrEqual(1);
});

test('a text of an attacker runs nothing, loads nothing and hides nothing', async () => {
  const { page, complaints, asked } = await open('/content/guide:attack');
  expect(await page.title()).toBe('Guide to attack');
  expect(complaints).toEqual([]);
  expect(asked).toEqual(['/content/guide:attack', '/content-pages.js']);
  const found = await page.locator('article').evaluate((article) => ({
    elements: [...new Set([...article.querySelectorAll('*')].map(({ localName }) => localName))].sort(),
    attributes: [
      ...new Set([...article.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())),
    ].sort(),
    links: [...article.querySelectorAll('a')].map(({ href }) => href),
  }));
  expect(found).toEqual({
    elements: ['a', 'h2', 'p'],
    attributes: ['href', 'id'],
    links: [
      'https://www.example.com/guides/&#106;avascript:document.title=1',
      'https://elsewhere.test/d.png',
      'https://elsewhere.test/%22onmouseover=%22document.title=1',
    ],
  });
  expect(await page.locator('article').isVisible()).toBe(true);
});

test('the guide leads to the front page and back', async () => {
  const { page } = await open('/content/guide:all');
  await page.getByRole('link', { name: 'Guides', exact: true }).click();
  await page.waitForURL('**/?lang=en#guide');
  await page.getByRole('link', { name: 'Guide to all' }).click();
  await page.waitForURL('**/content/guide:all?lang=en');
});

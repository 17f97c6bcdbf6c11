/** The content service's page for people, in a browser. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { WORDS } from '../../functions/content/pages/content-words-by-language.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { useStack } from '../services/use-stack.ts';
import { useChromium } from './chromium.ts';
import { measureContrast } from './contrast.ts';

const stack = useStack();
const newContext = useChromium();

const NARROW = { width: 320, height: 800 };
const WIDE = { width: 1280, height: 900 };
/** An empty screenshot has a tenth of this size. */
const DRAWN_BYTES = 30_000;

const SCRIPT = () => `${stack().contentUrl}/content-pages.js`;

interface Opened {
  page: Page;
  /** Messages of the console and errors of the browser. */
  complaints: string[];
  /** Every address that the page requested. */
  asked: string[];
}

async function openHome(path = '/', options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await newContext({ viewport: WIDE, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(stack().contentUrl + path, { waitUntil: 'networkidle' });
  return { page, complaints, asked };
}

describe.each(LANGUAGES)('%s', (language) => {
  test.each(['light', 'dark'] as const)('%s: quiet, alone, drawn and legible', async (colorScheme) => {
    const { page, complaints, asked } = await openHome(`/?lang=${language}`, { colorScheme });
    expect(complaints).toEqual([]);
    expect(asked).toEqual([`${stack().contentUrl}/?lang=${language}`, SCRIPT()]);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    expect(await page.title()).toBe(WORDS[language].title('Cais Norte'));
    expect((await page.screenshot()).length).toBeGreaterThan(DRAWN_BYTES);
    const { measured, faint } = await measureContrast(page);
    expect(measured).toBeGreaterThan(80);
    expect(faint).toEqual([]);
  });

  test('on a phone nothing is wider than the screen', async () => {
    const { page } = await openHome(`/?lang=${language}`, { viewport: NARROW });
    const wide = await page.evaluate(() =>
      // What is wider than its own block scrolls there.
      [...document.querySelectorAll('body *:not(pre *, .wide *)')]
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
        .map(({ outerHTML }) => outerHTML.slice(0, 80)),
    );
    expect(wide).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
  });
});

test('the schemes differ', async () => {
  const grounds = await Promise.all(
    (['light', 'dark'] as const).map(async (colorScheme) => {
      const { page } = await openHome('/', { colorScheme });
      return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    }),
  );
  expect(grounds).toEqual(['rgb(251, 250, 246)', 'rgb(15, 23, 25)']);
});

test('the keyboard reaches every link and button, in the order of the page, and shows where it is', async () => {
  const { page } = await openHome();
  const all = await page.locator('a[href], button').count();
  expect(all).toBeGreaterThan(30);
  const reached: number[] = [];
  for (let count = 0; count < all; count += 1) {
    await page.keyboard.press('Tab');
    const { index, outline } = await page.evaluate(() => {
      const at = document.activeElement as Element;
      return {
        index: [...document.querySelectorAll('a[href], button')].indexOf(at),
        outline: getComputedStyle(at).outlineStyle,
      };
    });
    expect([index, outline]).toEqual([index, 'solid']);
    reached.push(index);
  }
  expect(reached).toEqual(Array.from({ length: all }, (_, index) => index));
});

test.each([WIDE, NARROW])(
  'links to languages and buttons are large enough to hit, at %o',
  async (viewport) => {
    const { page } = await openHome('/', { viewport });
    const sizes = await page.locator('header nav a, .copy button').evaluateAll((targets) =>
      targets.map((target) => {
        const { width, height } = target.getBoundingClientRect();
        return { text: target.textContent, isLarge: width >= 24 && height >= 24 };
      }),
    );
    expect(sizes.length).toBeGreaterThan(10);
    expect(sizes.filter(({ isLarge }) => !isLarge)).toEqual([]);
  },
);

test('the language switch works from the keyboard', async () => {
  const { page } = await openHome();
  await page.getByRole('link', { name: 'Português', exact: true }).focus();
  await Promise.all([page.waitForURL('**/?lang=pt-PT'), page.keyboard.press('Enter')]);
  expect(await page.textContent('h2')).toBe(WORDS['pt-PT'].connect);
  expect(await page.getByRole('link', { name: 'Português', exact: true }).getAttribute('aria-current')).toBe(
    'page',
  );
});

test.each([
  ['es-MX', 'es'],
  ['pt-BR', 'pt-PT'],
  ['fr-FR', 'en'],
])('a browser in %s gets the page in %s', async (locale, language) => {
  const { page } = await openHome('/', { locale });
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
});

test('one click selects a whole command', async () => {
  const { page } = await openHome();
  const command = page.locator('pre', { hasText: 'claude mcp add' });
  await command.click();
  expect(await page.evaluate(() => String(getSelection()).trim())).toBe(
    `claude mcp add --transport http cais-norte ${stack().contentUrl}/mcp`,
  );
});

test.each(LANGUAGES)('%s: a button copies a command whole, and says so', async (language) => {
  const { page } = await openHome(`/?lang=${language}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { copy, copied } = WORDS[language];
  const block = page.locator('.copy', { hasText: '"mcpServers"' });
  const button = block.getByRole('button', { name: new RegExp(`^${copy}: `) });
  expect(await button.textContent()).toBe(copy);
  await button.click();
  await page.waitForFunction((word) => document.querySelector('[role=status]')?.textContent === word, copied);
  expect(await button.textContent()).toBe(copied);
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(text)).toEqual({ mcpServers: { 'cais-norte': { url: `${stack().contentUrl}/mcp` } } });
  await page.waitForFunction(() => document.querySelector('[role=status]')?.textContent === '');
  expect(await button.textContent()).toBe(copy);
});

test('without scripts there is no button, and all else is there', async () => {
  const { page } = await openHome('/', { javaScriptEnabled: false });
  expect(await page.locator('button').count()).toBe(0);
  expect(await page.locator('pre').count()).toBeGreaterThan(8);
});

test.each([WIDE, { width: 375, height: 812 }, NARROW])(
  'no command breaks inside a word, at %o',
  async (viewport) => {
    const { page } = await openHome('/?lang=es', { viewport });
    const { words, broken } = await page.locator('pre').evaluateAll((blocks) => {
      const found = { words: 0, broken: [] as string[] };
      for (const block of blocks) {
        const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
          for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            found.words += 1;
            if (range.getClientRects().length > 1) found.broken.push(word);
          }
        }
      }
      return found;
    });
    expect(words).toBeGreaterThan(50);
    expect(broken).toEqual([]);
  },
);

test('every link to the service itself leads somewhere', async () => {
  const { page } = await openHome();
  const links = await page.evaluate(() => [...document.links].map(({ href }) => href));
  const own = [...new Set(links.filter((href) => href.startsWith(stack().contentUrl)))];
  const statuses: [path: string, status: number][] = [];
  // One after the other, as a reader does.
  for (const href of own) {
    const path = href.slice(stack().contentUrl.length);
    statuses.push([path, (await stack().fetchContent(path, { address: '198.51.100.7' })).status]);
  }
  expect(statuses).toEqual(own.map((href) => [href.slice(stack().contentUrl.length), 200]));
});

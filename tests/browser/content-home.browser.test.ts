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

interface Opened {
  page: Page;
  /** Messages of the console and errors of the browser. */
  complaints: string[];
  /** Every address that the page requested. */
  asked: string[];
}

async function openHome(path = '/', options: BrowserContextOptions = {}): Promise<Opened> {
  const page = await (await newContext({ viewport: WIDE, ...options })).newPage();
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
    expect(asked).toEqual([`${stack().contentUrl}/?lang=${language}`]);
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
      [...document.querySelectorAll('body *')]
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

test('the keyboard reaches every link, in the order of the page, and shows where it is', async () => {
  const { page } = await openHome();
  const links = await page.evaluate(() => [...document.links].map(({ href }) => href));
  expect(links.length).toBeGreaterThan(20);
  const reached: string[] = [];
  for (const _ of links) {
    await page.keyboard.press('Tab');
    const { href, outline } = await page.evaluate(() => {
      const at = document.activeElement;
      return {
        href: at instanceof HTMLAnchorElement ? at.href : '',
        outline: at === null ? '' : getComputedStyle(at).outlineStyle,
      };
    });
    expect([href, outline]).toEqual([href, 'solid']);
    reached.push(href);
  }
  expect(reached).toEqual(links);
});

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

test('every link to the service itself leads somewhere', async () => {
  const { page } = await openHome();
  const links = await page.evaluate(() => [...document.links].map(({ href }) => href));
  const own = [...new Set(links.filter((href) => href.startsWith(stack().contentUrl)))];
  const statuses = await Promise.all(
    own.map(async (href) => {
      const path = href.slice(stack().contentUrl.length);
      return [path, (await stack().fetchContent(path, { address: '198.51.100.7' })).status];
    }),
  );
  expect(statuses).toEqual(own.map((href) => [href.slice(stack().contentUrl.length), 200]));
});

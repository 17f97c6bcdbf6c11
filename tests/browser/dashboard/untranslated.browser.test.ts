/** No view says in Spanish or Portuguese what it says in English: its texts, and the names of its parts, are compared. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../lib/languages.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { fillAccount } from './filled-account.ts';
import { addressesOf, watchRequests } from './view-addresses.ts';

const stack = useStack();
const newContext = useChromium();

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** What people and programs named (filled-account.ts), and countries: these may be the same in each language. */
const NAMES = new Set([
  ...[
    'A new price',
    'For the board',
    'To an order',
    'card declined',
    'Card declined',
    'order given up',
    'Hong Kong',
  ],
  ...LETTERS.flatMap((first) => LETTERS.map((second) => COUNTRIES.of(first + second) ?? '')),
]);
/** A span by its service and operation. */
const SPAN = /^(?:web|shop|stock) (?:GET|POST) \//;

/** Two words or more, as sentences and labels have them. */
const SAYS_SOMETHING = /\p{L}{2,}[\s\u00a0]+\p{L}{2,}/u;

/** Every text of a page that somebody may read or hear, also in closed menus and tables. What says that it is English isn't in it. */
const readTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const spoken = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'];
    const isForeign = (element: Element | null): boolean =>
      element?.closest('[lang]') !== document.documentElement || element.closest('code, pre') !== null;
    const texts: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (!isForeign(walker.currentNode.parentElement)) texts.push(walker.currentNode.textContent ?? '');
    for (const element of document.body.querySelectorAll('*'))
      if (!isForeign(element)) texts.push(...spoken.map((name) => element.getAttribute(name) ?? ''));
    return texts.map((text) => text.trim());
  });

test('no view leaves English words in another language', async () => {
  const { baseUrl } = stack();
  // Each language has an account of its own: one person may not ask so much at once.
  const readers = await Promise.all(
    LANGUAGES.map(async (language) => {
      const account = await fillAccount(stack());
      const context = await newContext({ reducedMotion: 'reduce' });
      const [name = '', value = ''] = account.owner.cookie.split('=');
      await context.addCookies([
        { name, value, url: baseUrl },
        { name: 'vendor.language', value: language, url: baseUrl },
      ]);
      const page = await context.newPage();
      const settle = watchRequests(page);
      const texts: string[][] = [];
      for (const path of Object.values(addressesOf(account)).flat()) {
        await page.goto(baseUrl + path, { waitUntil: 'commit' });
        await settle();
        await page.evaluate(() => {
          for (const one of document.querySelectorAll('details')) one.open = true;
        });
        // What is made only when it is opened may ask for more.
        await settle();
        texts.push((await readTexts(page)).filter((text) => SAYS_SOMETHING.test(text)));
      }
      return texts;
    }),
  );
  const [english = [], ...others] = readers;
  const same = new Set<string>();
  for (const [view, texts] of english.entries()) {
    expect(texts).not.toEqual([]);
    const known = new Set(texts);
    for (const text of others.flatMap((other) => other[view] ?? [])) if (known.has(text)) same.add(text);
  }
  expect([...same].filter((text) => !NAMES.has(text) && !SPAN.test(text))).toEqual([]);
}, 120_000);

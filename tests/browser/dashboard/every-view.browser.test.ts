/**
 * Every view in each language. None breaks a rule of axe, light or dark, on a desk or on a phone: in one language all of it, in others what
 * longer words may break on a phone. None says in Spanish or Portuguese what it says in English: its texts, and the names of its parts, are compared.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../lib/languages.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { type Account, fillAccount } from './filled-account.ts';
import { addressesOf, watchRequests } from './view-addresses.ts';

const require = createRequire(import.meta.url);
const stack = useStack();
const newContext = useChromium();

const PHONE = 375;
const WIDTHS = [1280, PHONE] as const;
const HEIGHT = 900;

/** All that a colour can break. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Which {
  runOnly: { type: 'tag' | 'rule'; values: string[] };
  rules?: Record<string, { enabled: false }>;
}

const ALL: Which = { runOnly: { type: 'tag', values: TAGS } };
const WITHOUT_COLOURS: Which = {
  ...ALL,
  rules: Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: false }])),
};
const COLOURS_ALONE: Which = { runOnly: { type: 'rule', values: OF_COLOURS } };

/** What another theme, language or width can break: words that are longer need room, and a phone has least. */
function roundsOf(language: string, width: number): readonly (readonly ['light' | 'dark', Which])[] {
  if (language !== LANGUAGES[0]) return width === PHONE ? [['light', WITHOUT_COLOURS]] : [];
  return [
    ['light', ALL],
    ['dark', COLOURS_ALONE],
  ];
}

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

let filled: Promise<Account> | undefined;
/** By language, the texts of each view that was opened. */
const said = new Map<string, string[][]>();

/** The folders of `web/app/views` that an address leads to. */
async function listViews(): Promise<string[]> {
  const sources = await Promise.all(
    ['app.tsx', 'backend-pages.tsx'].map((name) => readFile(join(ROOT, 'web/app', name), 'utf8')),
  );
  return [
    ...new Set(
      sources.flatMap((source) =>
        [...source.matchAll(/'\.\/views\/([\w-]+)\//g)].map(([, name]) => name ?? ''),
      ),
    ),
  ];
}

/** As much of axe as is used here. */
interface Axe {
  run: (
    what: Document,
    options: Which & { resultTypes: ['violations']; preload: false },
  ) => Promise<{
    violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[];
  }>;
}

/** What breaks a rule, with where it stands. */
const findViolations = (page: Page, which: Which): Promise<string[]> =>
  page.evaluate(async (rules) => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(document, {
      ...rules,
      resultTypes: ['violations'],
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  }, which);

describe.each(LANGUAGES)('%s', (language) => {
  test('no view breaks a rule of axe', async () => {
    filled ??= fillAccount(stack());
    const account = await filled;
    const addresses = addressesOf(account);
    expect(Object.keys(addresses).sort()).toEqual((await listViews()).sort());
    // Nothing but the debugger puts axe onto the page, whose policy refuses foreign scripts.
    const context = await newContext({
      reducedMotion: 'reduce',
      viewport: { width: WIDTHS[0], height: HEIGHT },
    });
    const { baseUrl } = stack();
    const [name = '', value = ''] = account.owner.cookie.split('=');
    await context.addCookies([
      { name, value, url: baseUrl },
      { name: 'vendor.language', value: language, url: baseUrl },
    ]);
    const page = await context.newPage();
    await page.addInitScript({ path: require.resolve('axe-core/axe.min.js') });
    const settle = watchRequests(page);
    const found: string[] = [];
    const texts: string[][] = [];
    said.set(language, texts);
    for (const [index, path] of Object.values(addresses).flat().entries()) {
      await page.goto(baseUrl + path, { waitUntil: 'commit' });
      await settle();
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
      const ofView: string[] = [];
      // A view is opened at the width that the last one ended with.
      for (const [turn, width] of (index % 2 === 0 ? WIDTHS : WIDTHS.toReversed()).entries()) {
        if (turn > 0) {
          await page.setViewportSize({ width, height: HEIGHT });
          await settle();
        }
        for (const [theme, which] of roundsOf(language, width)) {
          await page.evaluate((chosen) => {
            document.documentElement.dataset.theme = chosen;
          }, theme);
          const broken = await findViolations(page, which);
          found.push(...broken.map((one) => `${path} ${width} ${theme}: ${one}`));
        }
        ofView.push(...(await readTexts(page)));
      }
      await page.evaluate(() => {
        for (const one of document.querySelectorAll('details')) one.open = true;
      });
      // What is made only when it is opened may ask for more.
      await settle();
      ofView.push(...(await readTexts(page)));
      texts.push(ofView.filter((text) => SAYS_SOMETHING.test(text)));
    }
    expect(found).toEqual([]);
    // Two minutes on a quiet machine: the limit only ends what hangs.
  }, 900_000);
});

test('no view leaves English words in another language', () => {
  expect([...said.keys()]).toEqual(LANGUAGES);
  const [english = [], ...others] = said.values();
  const same = new Set<string>();
  for (const [view, texts] of english.entries()) {
    expect(texts).not.toEqual([]);
    const known = new Set(texts);
    for (const other of others) for (const text of other[view] ?? []) if (known.has(text)) same.add(text);
  }
  expect([...same].filter((text) => !NAMES.has(text) && !SPAN.test(text))).toEqual([]);
});

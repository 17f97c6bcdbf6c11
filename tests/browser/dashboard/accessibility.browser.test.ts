/** Every view, in each language, light and dark, on a desk and on a phone, against the rules of axe. */
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

const WIDTHS = [1280, 375] as const;
const HEIGHT = 900;

interface Which {
  type: 'tag' | 'rule';
  values: string[];
}

const ALL: Which = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** All that another colour scheme can break. */
const OF_COLOURS: Which = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

let filled: Promise<Account> | undefined;

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
    options: { runOnly: Which; resultTypes: ['violations']; preload: false },
  ) => Promise<{
    violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[];
  }>;
}

/** What breaks a rule, with where it stands. */
const findViolations = (page: Page, which: Which): Promise<string[]> =>
  page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(document, {
      runOnly,
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
    const context = await newContext({ reducedMotion: 'reduce' });
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
    for (const path of Object.values(addresses).flat()) {
      await page.goto(baseUrl + path, { waitUntil: 'commit' });
      await settle();
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        await settle();
        for (const theme of ['light', 'dark'] as const) {
          await page.evaluate((chosen) => {
            document.documentElement.dataset.theme = chosen;
          }, theme);
          const broken = await findViolations(page, theme === 'light' ? ALL : OF_COLOURS);
          found.push(...broken.map((one) => `${path} ${width} ${theme}: ${one}`));
        }
      }
    }
    expect(found).toEqual([]);
  }, 120_000);
});

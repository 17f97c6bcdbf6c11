/** A page that checks its own requests sees no difference between a watched page and one without the tracker. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BARE, html } from './html.ts';
import { checkPage } from './page-checks.ts';
import { answerShop, useShops } from './play-shop.ts';
import { useVisits, type Visit } from './visit.ts';

const visit = useVisits();
const newShop = useShops();

type Watched = Window & { untouched: unknown };
type Calls = Record<'older' | 'newer', unknown[]>;

/** Opens the page with and without the tracker, each after the given script. */
async function both(before = ''): Promise<{ bare: Page; watched: Visit; shop: string }> {
  const visitor = await visit();
  const { fixture, context, page } = visitor;
  const { origin } = await newShop();
  fixture.answer = answerShop;
  fixture.pages['/'] = html({
    before: `${before};window.untouched = fetch`,
    attributes: `data-origins="${fixture.origin} ${origin}"`,
  });
  fixture.pages['/bare'] = BARE.replace('<title>', `<script>${before}</script><title>`).concat('<body>');
  const bare = await context.newPage();
  await bare.goto(`${fixture.origin}/bare`);
  await visitor.open();
  await page.waitForFunction(() => (window as unknown as Watched).untouched !== fetch);
  return { bare, watched: visitor, shop: origin };
}

/** The page's own address differs. */
const alike = (seen: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(seen).replaceAll('/bare', '/'));

test('answers, streams, errors, aborts and events are the same', async () => {
  const { bare, watched, shop } = await both();
  const without = alike(await bare.evaluate(checkPage, shop));
  const withTracker = alike(await watched.page.evaluate(checkPage, shop));
  expect(Object.keys(without).length).toBeGreaterThan(100);
  for (const [name, value] of Object.entries(without))
    expect.soft({ [name]: withTracker[name] }).toEqual({ [name]: value });
  await watched.mark('end');
  // It was watched all the time.
  expect(watched.fixture.events('association')).toHaveLength(50);
});

/** A wrapper as other scripts have it. It notes the calls under its name. */
const wrapper = (name: string): string => `{ const inner = fetch, calls = window.${name} = [];
window.fetch = async function (...args) {
  if (!\`\${args[0]?.href ?? args[0]}\`.includes('/api/v1/')) calls.push(['fetch', this === undefined || this === window, typeof args[0]]);
  return inner(...args);
};
const { open } = XMLHttpRequest.prototype;
XMLHttpRequest.prototype.open = function (...args) { calls.push(['open', args.length, typeof args[1]]); return open.apply(this, args) }; }`;

test('with wrappers of other scripts, older and newer, the same; they see the same calls', async () => {
  const { bare, watched, shop } = await both(wrapper('older'));
  const run = async (page: Page) => {
    const before = await page.evaluate(() => (window as unknown as Calls).older.length);
    await page.addScriptTag({ content: wrapper('newer') });
    const seen = alike(await page.evaluate(checkPage, shop));
    const { older, newer } = await page.evaluate(() => {
      const calls = window as unknown as Calls;
      return { older: calls.older, newer: calls.newer };
    });
    return { seen, older: older.slice(before), newer };
  };
  const without = await run(bare);
  const withTracker = await run(watched.page);
  for (const [name, value] of Object.entries(without.seen))
    expect.soft({ [name]: withTracker.seen[name] }).toEqual({ [name]: value });
  expect(without.newer.length).toBeGreaterThan(100);
  expect(withTracker.newer).toEqual(without.newer);
  expect(withTracker.older).toEqual(without.older);
});

test('promises with more than a promise has, and those that are none, are given back as they are', async () => {
  const { watched } = await both(`{ const inner = fetch;
window.fetch = (address, ...rest) => {
  if (address === 'own') return Object.assign(inner('/shop/ok'), { abort: () => 'aborted' });
  if (address === 'none') return 'no promise';
  if (address === 'null') return null;
  const asked = inner(address, ...rest);
  return Object.assign(asked, { __zone_symbol__state: null });
} }`);
  const seen = await watched.page.evaluate(async () => {
    const call = fetch as unknown as (address: string) => Promise<Response> & { abort?: () => string };
    const own = call('own');
    await own;
    return [own.abort?.(), call('none'), call('null'), await (await call('/shop/ok')).text()];
  });
  expect(seen).toEqual(['aborted', 'no promise', null, 'ok']);
  await watched.mark('end');
  expect(watched.fixture.events('association')).toHaveLength(1);
});

test('a page that doesn’t let its functions be replaced is as it was', async () => {
  const { fixture, page, noise, measured, mark } = await visit();
  fixture.answer = answerShop;
  fixture.pages['/'] = html({
    before: `Object.defineProperty(window, 'fetch', { value: fetch, writable: false, configurable: false });
Object.freeze(XMLHttpRequest.prototype)`,
    attributes: `data-origins="${fixture.origin}"`,
  });
  await measured();
  await expect.poll(() => fixture.parts()).toContain('association');
  expect(await page.evaluate(async () => (await fetch('/shop/ok')).text())).toBe('ok');
  await mark('end');
  expect(noise).toEqual([]);
});

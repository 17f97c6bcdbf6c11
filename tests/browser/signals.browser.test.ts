import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { html, SNIPPET } from './html.ts';
import { NOTHING_STORED, readStored, useVisits } from './visit.ts';

const visit = useVisits();

/** Sets a property of `navigator` that this Chromium lacks or has switched off. */
const setSignal = (page: Page, name: string, value: unknown): Promise<unknown> =>
  page.addInitScript(
    ([key, given]) => Object.defineProperty(Navigator.prototype, key as string, { get: () => given }),
    [name, value],
  );

test('Global Privacy Control in script: no request at all, whatever the page says', async () => {
  const visitor = await visit();
  const { fixture, page, noise, open, leave } = visitor;
  await setSignal(page, 'globalPrivacyControl', true);
  fixture.pages['/'] = html({ before: `${SNIPPET}vendor.consent('granted');vendor.track('early')` });
  await open();
  await page.waitForFunction(() => window.vendor?.q === undefined);
  await page.evaluate(() => {
    window.vendor?.consent('denied');
    window.vendor?.consent('granted');
    window.vendor?.track('late');
    window.vendor?.page();
    history.pushState({}, '', '/second');
  });
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
  await leave();
  expect([...fixture.calls('policy'), ...fixture.calls('track')]).toEqual([]);
  expect(noise).toEqual([]);
});

test('Global Privacy Control that only the server saw: consent does nothing', async () => {
  const visitor = await visit();
  const { fixture, page, hear, leave } = visitor;
  fixture.policy = () => ({ maxTier: 0, stop: 'gpc' });
  await hear();
  await page.evaluate(() => window.vendor?.consent('granted'));
  await leave();
  expect(fixture.calls('policy')).toHaveLength(1);
  expect(fixture.calls('track')).toEqual([]);
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

test('Global Privacy Control from one moment to the next: the empty answer ends it', async () => {
  const visitor = await visit();
  const { fixture, page, open, leave } = visitor;
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  fixture.policy = () => ({ maxTier: 0, stop: 'gpc' });
  const refused = page.waitForResponse((response) => response.status() === 204);
  await page.evaluate(() => window.vendor?.track('refused'));
  await refused;
  await page.waitForFunction(() => localStorage.length === 0);
  await page.evaluate(() => {
    window.vendor?.consent('granted');
    history.pushState({}, '', '/second');
  });
  await leave();
  expect(fixture.calls('track')).toHaveLength(2);
  expect(fixture.calls('policy')).toHaveLength(1);
});

for (const value of ['1', 1, 'yes']) {
  test(`Do Not Track ${JSON.stringify(value)} in script: tier 1 at most, nothing stored, after consent too`, async () => {
    const visitor = await visit();
    const { fixture, page, open, mark, leave } = visitor;
    await setSignal(page, 'doNotTrack', value);
    await open();
    await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
    await page.evaluate(() => window.vendor?.consent('granted'));
    await mark('accepted');
    expect(await readStored(visitor)).toEqual(NOTHING_STORED);
    await leave();
    for (const body of fixture.bodies()) expect(body).not.toHaveProperty('visitorId');
    expect(fixture.events('pageview')).toHaveLength(1);
    expect(fixture.events('pageview')[0]).not.toHaveProperty('title');
    expect(fixture.events('engagement')).toEqual([]);
  });
}

for (const value of ['0', 'no', 'unspecified', null]) {
  test(`Do Not Track ${JSON.stringify(value)} in script is none`, async () => {
    const { fixture, page, open } = await visit();
    await setSignal(page, 'doNotTrack', value);
    await open();
    await expect.poll(() => fixture.bodies()[0]?.visitorId).toBeDefined();
  });
}

test('Do Not Track that only the server saw: what an earlier visit stored is deleted', async () => {
  const visitor = await visit();
  const { fixture, open, leave } = visitor;
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  expect((await readStored(visitor)).local).toHaveLength(1);
  fixture.policy = () => ({ maxTier: 1, cap: 'dnt' });
  await leave();
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
  expect(fixture.bodies().at(-1)).not.toHaveProperty('visitorId');
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

test('Do Not Track and nothing before consent: consent lifts the stop, to tier 1', async () => {
  const visitor = await visit();
  const { fixture, page, hear, mark } = visitor;
  fixture.policy = (consent) =>
    consent === 'granted' ? { maxTier: 1, cap: 'dnt' } : { maxTier: 0, stop: 'policy', cap: 'dnt' };
  await hear();
  await page.evaluate(() => window.vendor?.consent('granted'));
  await mark('accepted');
  expect(fixture.events('pageview')).toHaveLength(1);
  expect(fixture.events('pageview')[0]).not.toHaveProperty('title');
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

test('Global Privacy Control switched on later: what an earlier visit stored is deleted, unread', async () => {
  const visitor = await visit();
  const { fixture, context, open } = visitor;
  await open();
  await expect.poll(() => fixture.bodies()[0]?.visitorId).toBeDefined();
  expect((await readStored(visitor)).local).toHaveLength(1);
  const later = await context.newPage();
  await setSignal(later, 'globalPrivacyControl', true);
  await later.addInitScript(() => {
    const { getItem } = Storage.prototype;
    Storage.prototype.getItem = function (...args) {
      document.documentElement.dataset.read = '';
      return Reflect.apply(getItem, this, args);
    };
  });
  await later.goto(`${fixture.origin}/`);
  await later.waitForFunction(() => window.vendor);
  expect((await context.storageState()).origins).toEqual([]);
  expect(await later.evaluate(() => document.documentElement.dataset.read)).toBeUndefined();
});

test('Global Privacy Control switched on later, which only the server saw: the same', async () => {
  const visitor = await visit();
  const { fixture, open, hear } = visitor;
  await open();
  await expect.poll(() => fixture.bodies()[0]?.visitorId).toBeDefined();
  fixture.policy = () => ({ maxTier: 0, stop: 'gpc' });
  await visitor.leave();
  await hear();
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

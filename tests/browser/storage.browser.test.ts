import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { SITE_ID } from './browser-fixture.ts';
import { html, SNIPPET } from './html.ts';
import { NOTHING_STORED, readStored, useVisits, type Visit } from './visit.ts';

const visit = useVisits();
const DAY_MS = 86_400_000;

declare global {
  interface Window {
    touched: string[];
  }
}

/** Records in `window.touched` which properties of the device the page's scripts read, and each use of storage and cookies. */
const watchReads = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.touched = [];
    const watch = (prototype: object, names: string[]): void => {
      for (const name of names) {
        const property = Object.getOwnPropertyDescriptor(prototype, name);
        if (property?.get === undefined) throw new Error(`no ${name} here`);
        const { get } = property;
        Object.defineProperty(prototype, name, {
          ...property,
          get(this: unknown) {
            window.touched.push(name);
            return get.call(this);
          },
        });
      }
    };
    watch(window, [
      'localStorage',
      'sessionStorage',
      'indexedDB',
      'innerHeight',
      'scrollY',
      'devicePixelRatio',
    ]);
    watch(Document.prototype, ['cookie', 'title']);
    watch(Screen.prototype, ['width', 'height', 'colorDepth']);
    watch(Navigator.prototype, [
      'language',
      'languages',
      'userAgent',
      'platform',
      'hardwareConcurrency',
      'plugins',
    ]);
  });

for (const [tier, allowed] of [
  // When the page is left, an id from before is deleted, unread.
  [0, ['localStorage']],
  [1, []],
  [2, ['title', 'language', 'width', 'height']],
] as const) {
  test(`tier ${tier}: no more is read of the device than ${allowed.join(', ') || 'nothing'}`, async () => {
    const { fixture, page, hear } = await visit();
    fixture.policy = () => (tier === 0 ? { maxTier: 0, stop: 'policy' } : { maxTier: tier });
    await watchReads(page);
    await hear();
    await page.evaluate(() => {
      window.vendor?.track('signup');
      history.pushState({}, '', '/second');
      dispatchEvent(new Event('scroll'));
      dispatchEvent(new Event('pagehide'));
    });
    expect([...new Set(await page.evaluate(() => window.touched))].sort()).toEqual([...allowed].sort());
  });
}

test('tier 3: localStorage alone', async () => {
  const { fixture, page, open } = await visit();
  await watchReads(page);
  await open();
  await expect.poll(() => fixture.bodies()).toHaveLength(1);
  const touched = await page.evaluate(() => window.touched);
  expect(touched).toContain('localStorage');
  for (const name of ['cookie', 'sessionStorage', 'indexedDB', 'userAgent', 'plugins'])
    expect(touched).not.toContain(name);
});

test('the id lives 395 days from its making, and use does not prolong it', async () => {
  const { fixture, page, open } = await visit();
  const start = Date.now();
  const visitOn = async (day: number): Promise<string | undefined> => {
    const before = fixture.events('pageview').length;
    await page.clock.setFixedTime(start + day * DAY_MS);
    await open();
    await expect.poll(() => fixture.events('pageview')).toHaveLength(before + 1);
    return fixture.bodies().at(-1)?.visitorId;
  };
  const first = await visitOn(0);
  expect(await visitOn(200)).toBe(first);
  expect(await visitOn(394.9)).toBe(first);
  const second = await visitOn(395.1);
  expect(second).not.toBe(first);
  expect(await visitOn(395.2)).toBe(second);
  expect(await visitOn(789)).toBe(second);
});

test('storage that holds rubbish is mended', async () => {
  const { fixture, page, open } = await visit();
  await page.addInitScript((key) => {
    localStorage[key] ??= '{"not":"ours"}';
  }, `vendorVisitor-${SITE_ID}`);
  await open();
  await expect.poll(() => fixture.bodies()).toHaveLength(1);
  expect(await page.evaluate((key) => localStorage.getItem(key), `vendorVisitor-${SITE_ID}`)).toContain(
    fixture.bodies()[0]?.visitorId,
  );
});

for (const [what, breakStorage] of [
  [
    'may not be touched',
    () => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('refused', 'SecurityError');
        },
      });
    },
  ],
  [
    'is full',
    () => {
      window.localStorage.fill = 'x'.repeat(5 * 1024 * 1024 - 8);
    },
  ],
] as const) {
  test(`storage that ${what}: page views without an id, and no error`, async () => {
    const { fixture, page, noise, open, mark } = await visit();
    await page.addInitScript(breakStorage);
    await open();
    await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
    await page.evaluate(() => window.vendor?.consent('denied'));
    await mark('still there');
    for (const body of fixture.bodies()) expect(body).not.toHaveProperty('visitorId');
    expect(noise).toEqual([]);
  });
}

test('vendor.visitorId() is the id at tier 3, and undefined otherwise', async () => {
  const { fixture, page, open, hear, mark } = await visit();
  const visitorId = (): Promise<string | undefined> => page.evaluate(() => window.vendor?.visitorId());
  fixture.policy = (consent) => ({ maxTier: consent === 'granted' ? 3 : 2 });
  fixture.pages['/'] = html({ before: `${SNIPPET}window.early = vendor.visitorId();` });
  await hear();
  expect(await visitorId()).toBeUndefined();
  expect(await page.evaluate(() => 'early' in window && window.early)).toBeUndefined();
  await page.evaluate(() => window.vendor?.consent('granted'));
  await mark('granted');
  expect(await visitorId()).toBe(fixture.bodies().at(-1)?.visitorId);
  await page.evaluate(() => window.vendor?.consent('denied'));
  expect(await visitorId()).toBeUndefined();
  await open('/');
  expect(await visitorId()).toBeUndefined();
});

/** Opens the page twice, and leaves the second time before the service has said anything. The last request, as it was sent. */
async function clickOn(
  { fixture, page, open, leave }: Visit,
  before: string,
  prepare: () => Promise<unknown> = async () => {},
): Promise<Record<string, unknown>> {
  fixture.pages['/second'] = html({ before: `${SNIPPET}${before}` });
  await watchReads(page);
  await open();
  await expect.poll(() => fixture.bodies()).toHaveLength(1);
  await leave();
  await prepare();
  fixture.policy = () => new Promise<never>(() => {});
  const calls = fixture.calls('track').length;
  await open('/second');
  await expect.poll(() => fixture.calls('policy')).toHaveLength(2);
  await page.evaluate(() => dispatchEvent(new Event('pagehide')));
  await expect.poll(() => fixture.calls('track').length).toBeGreaterThan(calls);
  return JSON.parse(fixture.calls('track').at(-1)?.body ?? '');
}

test('clicked on before the policy came, with consent passed: the stored id goes along', async () => {
  const visitor = await visit();
  const last = await clickOn(visitor, `vendor.consent('granted')`);
  expect(last).toMatchObject({ consent: 'granted', visitorId: visitor.fixture.bodies()[0]?.visitorId });
  expect(await visitor.page.evaluate(() => window.touched)).toContain('localStorage');
});

test('the same without an id: none is made', async () => {
  const visitor = await visit();
  const last = await clickOn(visitor, `vendor.consent('granted')`, () =>
    visitor.page.evaluate(() => localStorage.clear()),
  );
  expect(last).not.toHaveProperty('visitorId');
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

for (const [what, before] of [
  ['without a word of consent', ''],
  [
    'with consent and Do Not Track',
    `Object.defineProperty(Navigator.prototype,'doNotTrack',{get:()=>'1'});vendor.consent('granted')`,
  ],
] as const)
  test(`clicked on before the policy came, ${what}: storage isn't touched`, async () => {
    const visitor = await visit();
    const last = await clickOn(visitor, before);
    expect(last).not.toHaveProperty('visitorId');
    expect(await visitor.page.evaluate(() => window.touched)).toEqual([]);
  });

test('a word of consent that is none is denial', async () => {
  const visitor = await visit();
  const last = await clickOn(visitor, `vendor.consent('rejected')`);
  expect(last).toMatchObject({ consent: 'denied' });
  expect(last).not.toHaveProperty('visitorId');
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

test('an id of version 0.2 goes on, and ends when it would have', async () => {
  const { fixture, page, open } = await visit();
  const id = '0191d7a0-0000-4000-8000-00000000abcd';
  await page.addInitScript(
    (text) => {
      localStorage.vendorVisitor = text;
    },
    `${id},${Date.now() + DAY_MS}`,
  );
  await open();
  await expect.poll(() => fixture.bodies()[0]?.visitorId).toBe(id);
});

test('a policy that is tightened to nothing before consent: the id from before is deleted', async () => {
  const visitor = await visit();
  const { fixture, open, leave } = visitor;
  await open();
  await expect.poll(() => fixture.bodies()).toHaveLength(1);
  expect((await readStored(visitor)).local).toHaveLength(1);
  await leave();
  fixture.policy = () => ({ maxTier: 0, stop: 'policy' });
  await visitor.hear();
  await leave();
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

test('consent that is passed late, where nothing is stored before it: the visitor is the same', async () => {
  const visitor = await visit();
  const { fixture, page, hear, leave, mark } = visitor;
  fixture.policy = (consent) => (consent === 'granted' ? { maxTier: 3 } : { maxTier: 0, stop: 'policy' });
  for (const name of ['first', 'second']) {
    await hear();
    await page.evaluate(() => window.vendor?.consent('granted'));
    await mark(name);
    await leave();
  }
  expect(new Set(fixture.bodies().map(({ visitorId }) => visitorId)).size).toBe(1);
});

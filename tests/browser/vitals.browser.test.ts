import { expect, test } from 'vitest';
import { html } from './html.ts';
import { useVisits, type Visit } from './visit.ts';

const visit = useVisits();

const BLOCK_MS = 150;
/** A picture that is the largest visible element, an element that moves it down, and a button whose handler is slow. */
const BODY = `<div id="top"></div><p style="font-size:80px">Largest</p>
<button id="slow" onclick="const end = performance.now() + ${BLOCK_MS}; while (performance.now() < end);">Slow</button>`;

async function arrive(body = BODY): Promise<Visit> {
  const visitor = await visit({ viewport: { width: 800, height: 500 } });
  visitor.fixture.pages['/'] = html({ body });
  await visitor.measured();
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  return visitor;
}

/** Resolves when the page has been painted twice more. */
const paint = ({ page }: Visit): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );

const vitals = ({ fixture }: Visit) => fixture.events('vitals');

test('left: the vitals of the page view, as the browser has them', async () => {
  const visitor = await arrive();
  const expected = await visitor.page.evaluate(async () => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    const lcp = await new Promise<number>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? -1)).observe({
        type: 'largest-contentful-paint',
        buffered: true,
      });
    });
    return { ttfb: navigation?.responseStart, fcp: paint?.startTime, lcp };
  });
  await visitor.leave();
  await expect.poll(() => vitals(visitor)).toHaveLength(1);
  const [view] = visitor.fixture.events('pageview');
  expect(vitals(visitor)[0]).toMatchObject({ pageId: view?.pageId, url: view?.url, ...expected });
  expect(vitals(visitor)[0]).not.toHaveProperty('inp');
});

test('INP: the interaction that took longest', async () => {
  const visitor = await arrive();
  await visitor.page.click('#slow');
  await paint(visitor);
  await visitor.leave();
  await expect.poll(() => vitals(visitor)).toHaveLength(1);
  expect(vitals(visitor)[0]?.inp).toBeGreaterThanOrEqual(BLOCK_MS - 8);
  expect(vitals(visitor)[0]?.inp).toBeLessThan(5000);
});

test('INP: of more than 50 interactions the longest is left out', async () => {
  const visitor = await arrive(
    `${BODY}<input id="text"><button id="slower" onclick="const end = performance.now() + ${4 * BLOCK_MS}; while (performance.now() < end);">Slower</button>`,
  );
  await visitor.page.click('#slower');
  await visitor.page.click('#slow');
  await visitor.page.focus('#text');
  await visitor.page.keyboard.type('x'.repeat(60));
  await paint(visitor);
  await visitor.leave();
  await expect.poll(() => vitals(visitor)).toHaveLength(1);
  expect(vitals(visitor)[0]?.inp).toBeGreaterThanOrEqual(BLOCK_MS - 8);
  expect(vitals(visitor)[0]?.inp).toBeLessThan(4 * BLOCK_MS - 8);
});

test('CLS: 0 where nothing shifted', async () => {
  const visitor = await arrive();
  await paint(visitor);
  await visitor.leave();
  await expect.poll(() => vitals(visitor)).toHaveLength(1);
  expect(vitals(visitor)[0]?.cls).toBe(0);
});

test('CLS: the worst window of shifts', async () => {
  const visitor = await arrive();
  const shifts = await visitor.page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) =>
          resolve(
            list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0),
          ),
        ).observe({ type: 'layout-shift' });
        const top = document.querySelector<HTMLElement>('#top');
        if (top) top.style.height = '120px';
      }),
  );
  await visitor.leave();
  await expect.poll(() => vitals(visitor)).toHaveLength(1);
  expect(shifts).toBeGreaterThan(0);
  expect(vitals(visitor)[0]?.cls).toBeCloseTo(shifts, 6);
});

test('opened in the background: neither paints nor shifts', async () => {
  const visitor = await visit();
  const { fixture, page, open, measuring, leave } = visitor;
  await page.addInitScript(() => {
    let hidden = true;
    Object.defineProperty(Document.prototype, 'hidden', { get: () => hidden });
    addEventListener('reveal', () => {
      hidden = false;
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
  });
  fixture.pages['/'] = html({ body: BODY });
  await open();
  await page.evaluate(() => dispatchEvent(new Event('reveal')));
  await measuring();
  await leave();
  await expect.poll(() => vitals(visitor)).toHaveLength(1);
  expect(vitals(visitor)[0]).toHaveProperty('ttfb');
  for (const name of ['fcp', 'lcp', 'cls']) expect(vitals(visitor)[0]).not.toHaveProperty(name);
});

test('hidden for the first time: sent at once, and not again', async () => {
  const visitor = await arrive();
  await visitor.page.evaluate(() => {
    Object.defineProperty(Document.prototype, 'hidden', { get: () => true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  await expect.poll(() => vitals(visitor)).toHaveLength(1);
  await visitor.leave();
  expect(vitals(visitor)).toHaveLength(1);
});

test('in-app navigation ends them: one for the document, with its own address', async () => {
  const visitor = await arrive();
  await visitor.page.evaluate(() => history.pushState({}, '', '/second'));
  await visitor.page.evaluate(() => history.pushState({}, '', '/third'));
  await visitor.leave();
  expect(vitals(visitor).map(({ url }) => url)).toEqual([`${visitor.fixture.origin}/`]);
});

for (const tier of [1, 2] as const)
  test(`tier ${tier}: none, and the part that would measure is not even loaded`, async () => {
    const visitor = await visit();
    const { fixture, open, leave } = visitor;
    fixture.policy = () => ({ maxTier: tier });
    await open();
    await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
    await leave();
    expect(vitals(visitor)).toEqual([]);
    expect(fixture.parts()).toEqual([]);
  });

test('consent withdrawn before the page is left: none', async () => {
  const visitor = await arrive();
  visitor.fixture.policy = (consent) => ({ maxTier: consent === 'denied' ? 1 : 3 });
  await visitor.page.evaluate(() => window.vendor?.consent('denied'));
  await visitor.mark('refused');
  await visitor.leave();
  expect(vitals(visitor)).toEqual([]);
  expect(visitor.fixture.events('engagement')).toEqual([]);
});

test('a browser without these observers: engagement as ever, and no error', async () => {
  const visitor = await visit();
  await visitor.page.addInitScript(() => {
    Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { get: () => ['navigation'] });
  });
  await visitor.measured();
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  await visitor.leave();
  await expect.poll(() => vitals(visitor)).toHaveLength(1);
  for (const name of ['lcp', 'cls']) expect(vitals(visitor)[0]).not.toHaveProperty(name);
  expect(visitor.fixture.events('engagement')).toHaveLength(1);
  expect(visitor.noise).toEqual([]);
});

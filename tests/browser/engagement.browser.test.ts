import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { html } from './html.ts';
import { useVisits, type Visit } from './visit.ts';

const visit = useVisits();

declare global {
  interface Window {
    inFocus: boolean;
    concealed: boolean;
  }
}

const tall = (px: number): string =>
  `<div id="tall" style="height:${px}px;margin:0"></div><style>body{margin:0}</style>`;

/** Lets the test control the page's clock, focus and visibility. */
async function takeControl(page: Page): Promise<void> {
  await page.clock.install();
  await page.addInitScript(() => {
    window.inFocus = true;
    window.concealed = false;
    Document.prototype.hasFocus = () => window.inFocus;
    Object.defineProperty(Document.prototype, 'hidden', { get: () => window.concealed });
  });
}

async function begin(body = ''): Promise<Visit> {
  const visitor = await visit({ viewport: { width: 800, height: 500 } });
  visitor.fixture.pages['/'] = html({ body });
  await takeControl(visitor.page);
  await visitor.measured();
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  return visitor;
}

const setFocus = (page: Page, inFocus: boolean): Promise<void> =>
  page.evaluate((value) => {
    window.inFocus = value;
    dispatchEvent(new Event(value ? 'focus' : 'blur'));
  }, inFocus);

const setConcealed = (page: Page, concealed: boolean): Promise<void> =>
  page.evaluate((value) => {
    window.concealed = value;
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, concealed);

const scrollTo = (page: Page, px: number): Promise<void> =>
  page.evaluate(
    (top) =>
      new Promise<void>((resolve) => {
        addEventListener('scroll', () => resolve(), { once: true });
        window.scrollTo({ top });
      }),
    px,
  );

const seconds = ({ fixture }: Visit): number[] => fixture.events('engagement').map((event) => event.seconds);

/** The clock also runs by itself, so up to a second more is accepted. */
const about = (expected: number) =>
  expect.toSatisfy((value: number) => value === expected || value === expected + 1, `about ${expected}`);

test('leaving sends the engaged time, with the id of its page view', async () => {
  const visitor = await begin();
  await visitor.page.clock.fastForward(10_000);
  await visitor.leave();
  expect(seconds(visitor)).toEqual([about(10)]);
  expect(visitor.fixture.events('engagement')[0]?.pageId).toBe(visitor.fixture.events('pageview')[0]?.pageId);
});

test('in-app navigation sends that of the page before; times do not add up across pages', async () => {
  const visitor = await begin();
  await visitor.page.clock.fastForward(10_000);
  await visitor.page.evaluate(() => history.pushState({}, '', '/second'));
  await visitor.page.clock.fastForward(20_000);
  await visitor.leave();
  expect(seconds(visitor)).toEqual([about(10), about(20)]);
  const pageIds = visitor.fixture.events('pageview').map(({ pageId }) => pageId);
  expect(visitor.fixture.events('engagement').map(({ pageId }) => pageId)).toEqual(pageIds);
});

test('hidden: sent at once, and time in the background does not count', async () => {
  const visitor = await begin();
  await visitor.page.clock.fastForward(10_000);
  await setConcealed(visitor.page, true);
  await expect.poll(() => seconds(visitor)).toEqual([about(10)]);
  await visitor.page.clock.fastForward(60_000);
  await setConcealed(visitor.page, false);
  await visitor.page.clock.fastForward(5_000);
  await visitor.leave();
  expect(seconds(visitor)).toEqual([about(10), about(5)]);
});

test('without focus: sent at once, and time without it does not count', async () => {
  const visitor = await begin();
  await visitor.page.clock.fastForward(10_000);
  await setFocus(visitor.page, false);
  await expect.poll(() => seconds(visitor)).toEqual([about(10)]);
  await visitor.page.clock.fastForward(60_000);
  await setFocus(visitor.page, true);
  await visitor.page.clock.fastForward(5_000);
  await visitor.leave();
  expect(seconds(visitor)).toEqual([about(10), about(5)]);
});

test('the deepest scroll counts, not the last', async () => {
  const visitor = await begin(tall(4500));
  const height = await visitor.page.evaluate(() => document.documentElement.scrollHeight);
  await scrollTo(visitor.page, 2000);
  await scrollTo(visitor.page, 100);
  await visitor.leave();
  expect(visitor.fixture.events('engagement')[0]?.scrollDepth).toBe(Math.round((2500 / height) * 100));
});

test('to the very end is 100, a page without scrolling too', async () => {
  const long = await begin(tall(4500));
  await scrollTo(long.page, 100_000);
  await long.leave();
  expect(long.fixture.events('engagement')[0]?.scrollDepth).toBe(100);
  const short = await begin();
  await short.leave();
  expect(short.fixture.events('engagement')[0]?.scrollDepth).toBe(100);
});

test('content that arrives late makes the depth less', async () => {
  const visitor = await begin();
  await visitor.page.evaluate(() => {
    document.body.style.margin = '0';
    document.body.style.height = '5000px';
  });
  await visitor.leave();
  expect(visitor.fixture.events('engagement')[0]?.scrollDepth).toBe(10);
});

test('nothing new, nothing sent', async () => {
  const visitor = await begin();
  await visitor.page.clock.fastForward(3_000);
  await setFocus(visitor.page, false);
  await expect.poll(() => seconds(visitor)).toHaveLength(1);
  await setConcealed(visitor.page, true);
  await visitor.leave();
  expect(seconds(visitor)).toHaveLength(1);
});

test('time before consent does not count', async () => {
  const visitor = await visit();
  const { fixture, page, open, mark } = visitor;
  fixture.policy = (consent) => ({ maxTier: consent === 'granted' ? 3 : 2 });
  await takeControl(page);
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.clock.fastForward(60_000);
  await page.evaluate(() => window.vendor?.consent('granted'));
  await mark('accepted');
  await visitor.measuring();
  await page.clock.fastForward(5_000);
  await visitor.leave();
  expect(fixture.events('consent')).toHaveLength(1);
  expect(seconds(visitor)).toEqual([about(5)]);
});

test('time before a withdrawal is not sent after it', async () => {
  const visitor = await visit();
  const { fixture, page, measured, mark } = visitor;
  fixture.policy = (consent) => ({ maxTier: consent === 'denied' ? 2 : 3 });
  await takeControl(page);
  await measured();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.clock.fastForward(60_000);
  await page.evaluate(() => window.vendor?.consent('denied'));
  await mark('refused');
  await page.evaluate(() => window.vendor?.consent('granted'));
  await mark('accepted');
  await visitor.leave();
  expect(Math.max(0, ...seconds(visitor))).toBeLessThan(10);
});

test('an app whose document does not scroll: the depth of the container that does', async () => {
  const visitor = await begin(
    `<style>body{margin:0;overflow:hidden}h1{display:none}#shell{height:500px;overflow:auto}</style>
     <div id="shell"><div style="height:5000px"></div></div>`,
  );
  const scroll = (top: number) =>
    visitor.page.evaluate(
      (px) =>
        new Promise<void>((resolve) => {
          const shell = document.querySelector('#shell') as HTMLElement;
          shell.addEventListener('scroll', () => resolve(), { once: true });
          shell.scrollTop = px;
        }),
      top,
    );
  await scroll(2000);
  await scroll(0);
  await visitor.leave();
  expect(visitor.fixture.events('engagement')[0]?.scrollDepth).toBe(50);
});

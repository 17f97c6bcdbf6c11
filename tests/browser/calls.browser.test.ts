/** What `vendor.page()` and `vendor.track()` take besides a name: an address, properties, revenue, a flag, a callback. */
import { expect, test } from 'vitest';
import { html, SNIPPET } from './html.ts';
import { useVisits, type Visit } from './visit.ts';

const visit = useVisits();

async function arrive(attributes = '', before?: string): Promise<Visit> {
  const visitor = await visit();
  visitor.fixture.pages['/'] = html({ attributes, ...(before !== undefined && { before }) });
  await visitor.open();
  return visitor;
}

test('a page view with an address and properties of its own; the next one comes from there', async () => {
  const { fixture, page, noise } = await arrive('data-manual');
  const url = `${fixture.origin}/virtual/step-1?utm_source=mail`;
  await page.evaluate((address) => {
    window.vendor?.page({ url: address, props: { author: 'Ana', words: 900 } });
    window.vendor?.page();
  }, url);
  await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
  expect(fixture.events('pageview')).toMatchObject([
    { url, referrer: '', props: { author: 'Ana', words: 900 } },
    { url: `${fixture.origin}/`, referrer: url },
  ]);
  expect(fixture.events('pageview')[1]).not.toHaveProperty('props');
  expect(noise).toEqual([]);
});

test('what is measured belongs to the page view, whatever its address', async () => {
  const { fixture, page, measuring, leave } = await arrive('data-manual');
  await page.evaluate(() => window.vendor?.page({ url: new URL('/virtual', location.href).href }));
  await measuring();
  await leave();
  await expect.poll(() => fixture.events('vitals')).toHaveLength(1);
  const [view] = fixture.events('pageview');
  expect(fixture.events('vitals')).toMatchObject([{ url: view?.url, pageId: view?.pageId }]);
  expect(fixture.events('engagement')[0]?.pageId).toBe(view?.pageId);
});

test('an event with an address of its own, and one that is no interaction', async () => {
  const { fixture, page } = await arrive();
  const url = `${fixture.origin}/checkout`;
  await page.evaluate((address) => {
    window.vendor?.track('purchase', { plan: 'pro' }, '12.34 eur', { url: address });
    window.vendor?.track('shown', undefined, undefined, { interactive: false });
  }, url);
  await expect.poll(() => fixture.events('event')).toHaveLength(2);
  expect(fixture.events('event')).toMatchObject([
    { name: 'purchase', url, props: { plan: 'pro' }, revenue: { amount: '12.34', currency: 'EUR' } },
    { name: 'shown', url: `${fixture.origin}/`, interactive: false },
  ]);
});

test('an address that the page does not know is that of the page', async () => {
  const { fixture, page } = await arrive();
  await page.evaluate(() => {
    const options = { url: undefined } as unknown as VendorEvent;
    window.vendor?.track('odd', {}, undefined, options);
  });
  await expect.poll(() => fixture.events('event')).toHaveLength(1);
  expect(fixture.events('event')[0]?.url).toBe(fixture.events('pageview')[0]?.url);
});

test('before the script has loaded: the same', async () => {
  const before = `${SNIPPET}vendor.page({url:location.origin+'/a',props:{n:1}});vendor.track('b',{},undefined,{interactive:false})`;
  const { fixture } = await arrive('data-manual', before);
  await expect.poll(() => fixture.events('event')).toHaveLength(1);
  expect(fixture.events('pageview')).toMatchObject([{ url: `${fixture.origin}/a`, props: { n: 1 } }]);
  expect(fixture.events('event')).toMatchObject([{ interactive: false }]);
});

for (const [what, url, said] of [
  ['no absolute one', '/checkout', 'url must be an absolute URL; the event was dropped.'],
  ['no text', 5, 'url must be a string; the event was dropped.'],
] as const)
  test(`an address that is ${what}: dropped, and said`, async () => {
    const { fixture, page, noise, mark } = await arrive();
    await page.evaluate((given) => {
      ((window.vendor as Vendor).track as (...args: unknown[]) => void)('bad', {}, undefined, { url: given });
    }, url);
    await mark('good');
    expect(fixture.events('event').map(({ name }) => name)).toEqual(['good']);
    await expect.poll(() => noise).toEqual([`Vendor: ${said}`]);
  });

test('options that there are not are left out and said, and the event counts', async () => {
  const { fixture, page, noise } = await arrive('data-manual');
  await page.evaluate(() => {
    // As a listener it gets an event.
    addEventListener('go', (window.vendor as Vendor).page as () => void);
    dispatchEvent(new Event('go'));
    ((window.vendor as Vendor).track as (...args: unknown[]) => void)('odd', {}, undefined, {
      interactive: 'no',
      cost: 1,
    });
  });
  await expect.poll(() => fixture.events('event')).toHaveLength(1);
  expect(fixture.events('pageview')).toMatchObject([{ url: `${fixture.origin}/` }]);
  expect(fixture.events('event')[0]).not.toHaveProperty('interactive');
  await expect
    .poll(() => noise.toSorted())
    .toEqual([
      'Vendor: cost is not a known field; it was left out.',
      'Vendor: interactive must be true or false; it was left out.',
      'Vendor: isTrusted is not a known field; it was left out.',
    ]);
});

test('null for options is none', async () => {
  const { fixture, page, noise } = await arrive('data-manual');
  await page.evaluate(() => {
    ((window.vendor as Vendor).page as (given: unknown) => void)(null);
    ((window.vendor as Vendor).track as (...args: unknown[]) => void)('a', undefined, undefined, null);
  });
  await expect.poll(() => fixture.events('event')).toHaveLength(1);
  expect(fixture.events('pageview')).toHaveLength(1);
  expect(noise).toEqual([]);
});

for (const file of ['tracker.js', 'tracker-all.js'])
  test(`${file}: a callback, once the service has the event, and only then`, async () => {
    const visitor = await visit();
    const { fixture, page, open, noise } = visitor;
    fixture.pages['/'] = html({ attributes: 'data-callbacks data-exclude="/private"' }).replace(
      'tracker.js',
      file,
    );
    let failures = 0;
    fixture.fail = ({ url }) => (url.pathname.endsWith('/track') && failures++ === 0 ? 503 : undefined);
    fixture.policy = () => ({ maxTier: 1 });
    await page.clock.install();
    await open();
    await page.evaluate(() => {
      const callbacks: string[] = [];
      Object.assign(window, { callbacks });
      const tell = (what: string) => ({ callback: () => void callbacks.push(what) });
      window.vendor?.track('a', {}, undefined, tell('a'));
      window.vendor?.track('excluded', {}, undefined, {
        url: new URL('/private', location.href).href,
        ...tell('excluded'),
      });
      window.vendor?.page({
        callback: () => {
          callbacks.push('page');
          throw new Error('of the page');
        },
      });
      ((window.vendor as Vendor).track as (...args: unknown[]) => void)('no function', {}, undefined, {
        callback: 'x',
      });
    });
    const callbacks = () => page.evaluate(() => (window as unknown as { callbacks: string[] }).callbacks);
    await expect.poll(() => fixture.calls('track')).not.toHaveLength(0);
    await page.evaluate(() => window.vendor?.track('b', {}, undefined, { callback: () => undefined }));
    await page.evaluate(() => fetch('/barrier'));
    await page.clock.fastForward(60_000);
    await expect.poll(callbacks).toHaveLength(2);
    expect((await callbacks()).sort()).toEqual(['a', 'page']);
    await visitor.mark('end');
    expect(await callbacks()).toHaveLength(2);
    expect(fixture.events('event').map(({ name }) => name)).not.toContain('excluded');
    await expect
      .poll(() => noise.filter((text) => text !== 'of the page'))
      .toEqual(['Vendor: callback is not a known field; it was left out.']);
  });

test('without data-callbacks none is called, and no part is loaded for it', async () => {
  const { fixture, page, mark } = await arrive();
  await page.evaluate(() => {
    window.vendor?.track('a', {}, undefined, { callback: () => Object.assign(window, { callbacks: true }) });
  });
  await mark('b');
  expect(fixture.events('event').map(({ name }) => name)).toEqual(['a', 'b']);
  expect(await page.evaluate(() => 'callbacks' in window)).toBe(false);
  expect(fixture.parts()).not.toContain('guard');
});

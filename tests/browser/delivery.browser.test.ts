import { expect, test } from 'vitest';
import { UNKNOWN } from './browser-fixture.ts';
import { INSECURE_HOST } from './chromium.ts';
import { html, SNIPPET } from './html.ts';
import { useVisits } from './visit.ts';

const visit = useVisits();
const never = new Promise<never>(() => {});

test('left before the policy is known: the least is sent, and the server decides', async () => {
  const { fixture, open, leave } = await visit();
  fixture.pages['/'] = html({ before: `${SNIPPET}vendor.consent('granted')` });
  let asked = 0;
  fixture.policy = () => (asked++ === 0 ? never : { maxTier: 3 });
  await open();
  await expect.poll(() => fixture.calls('policy')).toHaveLength(1);
  await leave();
  await expect.poll(() => fixture.bodies()).toHaveLength(1);
  expect(JSON.parse(fixture.calls('track')[0]?.body ?? '')).toEqual({
    site: expect.any(String),
    consent: 'granted',
    events: [
      {
        id: expect.any(String),
        type: 'pageview',
        pageId: expect.any(String),
        url: `${fixture.origin}/`,
        referrer: '',
      },
    ],
  });
});

test('a slow endpoint delays nothing, and what waits goes when it answers', async () => {
  const { fixture, page, open, noise } = await visit();
  const slow = Promise.withResolvers<void>();
  fixture.policy = async () => {
    await slow.promise;
    return { maxTier: 2 };
  };
  await open();
  await page.waitForLoadState('load');
  await page.evaluate(() => window.vendor?.track('meanwhile'));
  expect(fixture.calls('track')).toEqual([]);
  slow.resolve();
  await expect.poll(() => fixture.events('event')).toHaveLength(1);
  expect(fixture.events('pageview')).toHaveLength(1);
  expect(fixture.calls('policy')).toHaveLength(1);
  expect(noise).toEqual([]);
});

for (const failure of ['cut', 503, 404] as const) {
  test(`endpoints that answer ${failure}: no error, and few requests`, async () => {
    const { fixture, page, open, leave, noise } = await visit();
    fixture.fail = () => failure;
    await open();
    await expect.poll(() => fixture.calls('policy')).toHaveLength(1);
    await page.evaluate(async () => {
      for (let count = 0; count < 30; count += 1) {
        window.vendor?.track(`event ${count}`);
        dispatchEvent(new Event('focus'));
        await fetch('/barrier');
      }
    });
    expect(fixture.calls('policy')).toHaveLength(1);
    expect(fixture.calls('track')).toEqual([]);
    await leave();
    expect(fixture.calls('track').length).toBeLessThanOrEqual(2);
    expect(noise).toEqual(failure === 404 ? [UNKNOWN] : []);
  });
}

test('the policy is asked again a minute after a failure', async () => {
  const { fixture, page, open } = await visit();
  await page.clock.install();
  fixture.fail = () => 503;
  await open();
  await expect.poll(() => fixture.calls('policy')).toHaveLength(1);
  fixture.fail = () => undefined;
  await page.evaluate(() => history.pushState({}, '', '/second'));
  await page.evaluate(() => fetch('/barrier'));
  await page.clock.fastForward(50_000);
  expect(fixture.calls('policy')).toHaveLength(1);
  await page.clock.fastForward(10_000);
  await expect
    .poll(() => fixture.events('pageview').map(({ url }) => new URL(url).pathname))
    .toEqual(['/', '/second']);
});

test('what failed goes again after a minute, under the same ids', async () => {
  const { fixture, page, open, mark } = await visit();
  await page.clock.install();
  fixture.fail = ({ url }) => (url.pathname.endsWith('/track') ? 503 : undefined);
  await open();
  await expect.poll(() => fixture.calls('track')).not.toHaveLength(0);
  const { events } = JSON.parse(fixture.calls('track')[0]?.body ?? '') as { events: { id: string }[] };
  fixture.fail = () => undefined;
  await page.evaluate(() => fetch('/barrier'));
  await page.clock.fastForward(60_000);
  await mark('next');
  expect(fixture.events('pageview').map(({ id }) => id)).toEqual([events[0]?.id]);
});

test('what failed goes at the tier that holds when it goes', async () => {
  const { fixture, page, measured, mark } = await visit();
  await page.clock.install();
  fixture.policy = (consent) => ({ maxTier: consent === 'denied' ? 1 : 3 });
  await measured();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  fixture.fail = ({ url, body }) =>
    url.pathname.endsWith('/track') && !body.includes('"denied"') ? 503 : undefined;
  await page.evaluate(() => history.pushState({}, '', '/second'));
  const tried = (part: string) => fixture.calls('track').some(({ body }) => body.includes(part));
  await expect.poll(() => tried('"engagement"')).toBe(true);
  await page.evaluate(() => fetch('/barrier'));
  await page.evaluate(() => window.vendor?.consent('denied'));
  await page.clock.fastForward(60_000);
  await mark('refused');
  expect(fixture.events('pageview')).toHaveLength(2);
  expect(fixture.events('pageview')[1]).not.toHaveProperty('title');
  expect(fixture.events('engagement')).toEqual([]);
  expect(fixture.bodies().at(-1)).not.toHaveProperty('visitorId');
});

test('a page view refused at tier 0 goes after consent, as the beginning of a visit', async () => {
  const { fixture, page, hear } = await visit();
  fixture.policy = () => ({ maxTier: 1 });
  fixture.fail = ({ url }) => {
    if (url.pathname.endsWith('/track')) fixture.policy = () => ({ maxTier: 0, stop: 'policy' });
    return undefined;
  };
  await hear();
  await expect.poll(() => fixture.bodies()).toHaveLength(1);
  await page.evaluate(() => fetch('/barrier'));
  fixture.fail = () => undefined;
  fixture.policy = () => ({ maxTier: 3 });
  await page.evaluate(() => window.vendor?.consent('granted'));
  await expect.poll(() => fixture.bodies()).toHaveLength(2);
  // The service forgets the id of what it refused.
  expect(fixture.bodies()[1]?.events).toMatchObject([
    { type: 'pageview', id: fixture.events('pageview')[0]?.id },
  ]);
  expect(fixture.bodies()[1]).toMatchObject({ consent: 'granted', visitorId: expect.any(String) });
  expect(fixture.bodies()[1]).not.toHaveProperty('continued');
});

test('what fails again and again is given up', async () => {
  const { fixture, page, open, leave } = await visit();
  fixture.fail = ({ url }) => (url.pathname.endsWith('/track') ? 503 : undefined);
  await open();
  await expect.poll(() => fixture.calls('track')).not.toHaveLength(0);
  for (let count = 0; count < 20; count += 1)
    await page.evaluate(async () => {
      dispatchEvent(new Event('focus'));
      await fetch('/barrier');
    });
  await leave();
  expect(fixture.calls('track').length).toBeLessThanOrEqual(10);
});

test('an event that is refused takes no other with it', async () => {
  const { fixture, open, leave, noise } = await visit();
  fixture.pages['/'] = html({
    before: `${SNIPPET}vendor.track('good');vendor.track('part', { plan: null, n: 1 });vendor.track('');vendor.track('fine')`,
  });
  await open();
  await expect.poll(() => fixture.events('event')).toHaveLength(3);
  expect(fixture.events('pageview')).toHaveLength(1);
  expect(fixture.events('event')).toMatchObject([
    { name: 'good' },
    { name: 'part', props: { n: 1 } },
    { name: 'fine' },
  ]);
  // The console has a warning, and it isn't sent again.
  await expect
    .poll(() => noise)
    .toEqual([
      'Vendor: props.plan must be text, a number, true or false; it was left out.',
      'Vendor: name must not be empty; the event was dropped.',
    ]);
  await leave();
  expect(fixture.calls('track').filter(({ body }) => body.includes('"part"'))).toHaveLength(1);
});

test('each kind of mistake is reported once, whatever is right goes, and no value is on the console', async () => {
  const { fixture, page, open, noise } = await visit();
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  const calls = async (round: number): Promise<void> => {
    await page.evaluate((number) => {
      const track = window.vendor?.track as (...given: unknown[]) => void;
      track(`${number} null`, { plan: null });
      track(`${number} nested`, { plan: { secret: 'value' } });
      track(`${number} long`, { text: 'secret'.repeat(100) });
      track(`${number} ${'n'.repeat(70)}`);
      track(`${number} many`, Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`p${n}`, n])));
      track(`${number} number`, {}, { amount: 12.5, currency: 'eur' });
      track(`${number} negative`, {}, { amount: '-1', currency: 'EUR' });
    }, round);
    await expect.poll(() => fixture.events('event')).toHaveLength(7 * round);
  };
  await calls(1);
  await calls(2);
  const [, , long, name, many, number, negative] = fixture.events('event');
  expect(long?.props?.text).toHaveLength(512);
  expect(name?.name).toHaveLength(64);
  expect(Object.keys(many?.props ?? {})).toHaveLength(20);
  expect(number?.revenue).toEqual({ amount: '12.5', currency: 'EUR' });
  expect(negative?.revenue).toBeUndefined();
  await expect.poll(() => noise).toHaveLength(5);
  expect(noise.join()).not.toContain('secret');
  expect(new Set(noise).size).toBe(5);
});

test('what cannot be written as JSON is dropped without an error', async () => {
  const { fixture, page, open, mark, noise } = await visit();
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.evaluate(() => {
    const loop: Record<string, unknown> = {};
    loop.loop = loop;
    window.vendor?.track('loop', loop as VendorProps);
  });
  await mark('after');
  expect(noise).toEqual([]);
});

test('many events go once each, in as few requests of at most 20 as there can be', async () => {
  const { fixture, page, open } = await visit();
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.evaluate(() => {
    for (let count = 0; count < 50; count += 1) window.vendor?.track(`event ${count}`);
  });
  await expect.poll(() => fixture.events('event')).toHaveLength(50);
  // The requests are sent at the same time and arrive in any order.
  const ids = fixture.bodies().map(({ events }) => events.map(({ id }) => id));
  expect(ids.map(({ length }) => length).sort((a, b) => a - b)).toEqual([1, 10, 20, 20]);
  expect(new Set(ids.flat()).size).toBe(51);
});

test('what waits for the policy is bounded', async () => {
  const { fixture, page, open } = await visit();
  const slow = Promise.withResolvers<void>();
  fixture.policy = async () => {
    await slow.promise;
    return { maxTier: 1 };
  };
  await open();
  await page.evaluate(() => {
    for (let count = 0; count < 1000; count += 1) window.vendor?.track('again');
  });
  slow.resolve();
  await expect.poll(() => fixture.events('event')).toHaveLength(99);
  expect(fixture.events('pageview')).toHaveLength(1);
});

test('offline nothing is sent; what waits goes when the browser is online again', async () => {
  const { fixture, context, page, open } = await visit();
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await context.setOffline(true);
  await page.clock.install();
  await page.evaluate(() => window.vendor?.track('offline'));
  await page.clock.fastForward(3_600_000);
  await context.setOffline(false);
  await expect.poll(() => fixture.events('event').map(({ name }) => name)).toEqual(['offline']);
});

test('storage that can be read but has no room, with consent: no more requests than events', async () => {
  const { fixture, page, open, mark, leave } = await visit();
  await page.addInitScript(() => {
    window.localStorage.fill = 'x'.repeat(5 * 1024 * 1024 - 8);
  });
  await page.clock.install();
  await open();
  await mark('after');
  for (let second = 0; second < 20; second += 1) {
    await page.clock.fastForward(1_000);
    await page.evaluate(() => fetch('/barrier'));
  }
  await leave();
  expect(fixture.calls('track').length).toBeLessThanOrEqual(5);
});

test('a thousand calls are cheap, on a page without TLS too', async () => {
  const { fixture, page } = await visit();
  await page.goto(`${fixture.origin.replace('localhost', INSECURE_HOST)}/`);
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  const made = await page.evaluate(() => {
    let count = 0;
    const { createObjectURL } = URL;
    URL.createObjectURL = (given) => {
      count += 1;
      return createObjectURL(given);
    };
    for (let call = 0; call < 1000; call += 1) window.vendor?.track('again');
    return count;
  });
  expect(made).toBe(0);
  await expect.poll(() => fixture.events('event')).toHaveLength(100);
});

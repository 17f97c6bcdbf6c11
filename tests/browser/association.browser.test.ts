/** Which traces of the backend the tracker tells of, and where it sends a `traceparent` (docs/tracker-protocol.md#associations). */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { html } from './html.ts';
import { type Asked, answerShop, contextOf, newTrace, type PlayedShop, useShops } from './play-shop.ts';
import { useVisits, type Visit } from './visit.ts';

const visit = useVisits();
const newShop = useShops();

/** A visit with a shop on the page's own origin and on another one. */
interface Shopping extends Visit {
  shop: PlayedShop;
  /** What the page's own origin was asked. */
  asked: Asked[];
}

interface Options {
  /** Instead of both origins. */
  origins?: string;
  propagate?: (shop: string) => string;
  script?: string;
  attributes?: string;
}

/** Makes the page: nothing is opened yet. */
async function prepare({
  origins,
  propagate,
  script = '/tracker.js',
  attributes = '',
}: Options = {}): Promise<Shopping> {
  const visitor = await visit();
  const shop = await newShop();
  const asked: Asked[] = [];
  const { fixture, page } = visitor;
  fixture.answer = (seen, response) => {
    if (seen.url.pathname.startsWith('/shop/')) asked.push(seen);
    return answerShop(seen, response);
  };
  const allowing = propagate ? `data-propagate="${propagate(shop.origin)}"` : '';
  fixture.pages['/'] = html({
    attributes: `data-origins="${origins ?? `${fixture.origin}, ${shop.origin}`}" ${allowing} ${attributes}`,
  }).replace('/tracker.js', script);
  await page.addInitScript(() => Object.assign(window, { untouched: fetch }));
  return { ...visitor, shop, asked };
}

const isWatched = (page: Page): Promise<boolean> =>
  page.evaluate(() => (window as unknown as { untouched: unknown }).untouched !== fetch);

async function watched(page: Page): Promise<void> {
  await page.waitForFunction(() => (window as unknown as { untouched: unknown }).untouched !== fetch);
}

/** Opens the page at tier 3 and waits until its requests are watched. */
async function arrive(options?: Options): Promise<Shopping> {
  const visitor = await prepare(options);
  await visitor.open();
  await watched(visitor.page);
  return visitor;
}

/** Asks by `fetch`, to the end of the answer. Resolves to the status, or to the error's name. */
const ask = ({ page }: Visit, url: string, init?: { headers: Record<string, string> }): Promise<unknown> =>
  page.evaluate(
    async ([address, given]) => {
      try {
        const response = await fetch(address, given);
        await response.text();
        return response.status;
      } catch (error) {
        return (error as Error).name;
      }
    },
    [url, init] as const,
  );

/** The same by `XMLHttpRequest`. */
const askXhr = ({ page }: Visit, url: string, headers: Record<string, string> = {}): Promise<unknown> =>
  page.evaluate(
    ([address, given]) =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.onloadend = () => resolve(request.status);
        request.open('GET', address);
        for (const [name, value] of Object.entries(given)) request.setRequestHeader(name, value);
        request.send();
      }),
    [url, headers] as const,
  );

/** The associations, after everything else that was reported before. */
async function associations({ fixture, mark }: Visit) {
  await mark('end');
  return fixture.events('association').map(({ id: _id, type: _type, pageId: _pageId, ...rest }) => rest);
}

const traceOf = (context: unknown): string | undefined =>
  /^00-([\da-f]{32})-[\da-f]{16}-01$/.exec(`${context}`)?.[1];

for (const [how, by] of [
  ['fetch', ask],
  ['XMLHttpRequest', askXhr],
] as const) {
  test(`${how}: the trace of the answer, on the page’s own origin and on another one, with the status`, async () => {
    const visitor = await arrive();
    const { fixture, shop, asked, noise } = visitor;
    const [one, two, three] = [newTrace(), newTrace(), newTrace()];
    await by(visitor, `/shop/ok?timing=traceparent;desc="${contextOf(one)}"`);
    await by(visitor, `${shop.origin}/shop/ok?cors&status=404&timing=traceparent;desc=${contextOf(two)}`);
    // The outermost server adds its own last.
    const several = `traceparent;desc="${contextOf(newTrace())}", x;desc="a, \\" b", traceparent;desc="${contextOf(three)}",db;dur=2`;
    await by(visitor, `${shop.origin}/shop/ok?cors&timing=${encodeURIComponent(several)}`);
    expect(await associations(visitor)).toEqual([
      { traceId: one, origin: fixture.origin, status: 200 },
      { traceId: two, origin: shop.origin, status: 404 },
      { traceId: three, origin: shop.origin, status: 200 },
    ]);
    const [view] = fixture.events('pageview');
    for (const { pageId } of fixture.events('association')) expect(pageId).toBe(view?.pageId);
    for (const { headers } of [...asked, ...shop.asked]) expect(headers).not.toHaveProperty('traceparent');
    expect(shop.asked.map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect(noise).toEqual([]);
  });

  test(`${how}: what isn’t sampled, isn’t a trace context, or may not be read is nothing`, async () => {
    const visitor = await arrive();
    const trace = newTrace();
    for (const timing of [
      `traceparent;desc="${contextOf(trace, '00')}"`,
      `traceparent;desc="01${contextOf(trace).slice(2)}"`,
      `traceparent;desc="${contextOf('0'.repeat(32))}"`,
      `traceparent;desc="00-${trace}-0000000000000000-01"`,
      `traceparent;desc="${contextOf(trace).toUpperCase().replace('0', 'A')}"`,
      `traceparent;desc="${contextOf(trace)}`,
      `traceparents;desc="${contextOf(trace)}"`,
      `x;desc=", traceparent;desc=${contextOf(trace)}"`,
      '',
    ])
      expect(await by(visitor, `/shop/ok?timing=${encodeURIComponent(timing)}`)).toBe(200);
    await by(visitor, `${visitor.shop.origin}/shop/ok?cors=X-Other`);
    expect(await associations(visitor)).toEqual([]);
    expect(visitor.noise).toEqual([]);
  });

  test(`${how}: origins that aren’t listed are nobody’s business`, async () => {
    const visitor = await arrive({ origins: 'https://api.example, , not an origin' });
    await by(visitor, '/shop/ok');
    await by(visitor, `${visitor.shop.origin}/shop/ok?cors`);
    expect(await associations(visitor)).toEqual([]);
  });

  test(`${how}: redirects are followed as ever, and the last answer is the one that is believed or not`, async () => {
    const visitor = await arrive();
    const { fixture, shop } = visitor;
    const stranger = await newShop();
    const trace = newTrace();
    const last = encodeURIComponent(`/shop/ok?cors&timing=traceparent;desc=${contextOf(trace)}`);
    expect(await by(visitor, `/shop/to?url=${encodeURIComponent(shop.origin)}${last}`)).toBe(200);
    expect(await by(visitor, `/shop/to?url=${encodeURIComponent(`${stranger.origin}/shop/ok?cors`)}`)).toBe(
      200,
    );
    expect(await by(visitor, '/shop/to?url=/shop/ok')).toBe(200);
    const sent = await associations(visitor);
    expect(sent).toHaveLength(2);
    expect(sent).toMatchObject([{ traceId: trace, origin: shop.origin }, { origin: fixture.origin }]);
    expect(stranger.asked[0]?.headers).not.toHaveProperty('traceparent');
  });

  test(`${how}: a request’s own traceparent stays, and its id is reported where the answer names none`, async () => {
    const visitor = await arrive({ propagate: (origin) => origin });
    const { fixture, shop, asked } = visitor;
    const [silent, named, read, unsampled] = [newTrace(), newTrace(), newTrace(), newTrace()];
    const own = (trace: string, flags?: string) => contextOf(trace, flags);
    const send = (url: string, traceparent: string) =>
      by === ask ? ask(visitor, url, { headers: { traceparent } }) : askXhr(visitor, url, { traceparent });
    await send('/shop/ok?timing=', own(silent));
    await send(`/shop/ok?timing=traceparent;desc=${contextOf(read)}`, own(named));
    await send('/shop/ok?timing=', own(unsampled, '00'));
    await send(`${shop.origin}/shop/ok?timing=&cors&allow=traceparent`, own(silent.replace(/^0/, 'a')));
    expect(asked.map(({ headers }) => headers.traceparent)).toEqual([
      own(silent),
      own(named),
      own(unsampled, '00'),
    ]);
    expect(await associations(visitor)).toEqual([
      { traceId: silent, origin: fixture.origin, status: 200, sent: true },
      { traceId: read, origin: fixture.origin, status: 200 },
      { traceId: silent.replace(/^0/, 'a'), origin: shop.origin, status: 200, sent: true },
    ]);
  });

  test(`${how}: origins of data-propagate get a traceparent, others don’t`, async () => {
    const visitor = await arrive({ propagate: (origin) => `https://other.example ${origin}` });
    const { shop, asked } = visitor;
    expect(await by(visitor, `${shop.origin}/shop/ok?timing=&cors&allow=traceparent`)).toBe(200);
    expect(await by(visitor, '/shop/ok?timing=')).toBe(200);
    expect(asked[0]?.headers).not.toHaveProperty('traceparent');
    const trace = traceOf(shop.asked.find(({ method }) => method === 'GET')?.headers.traceparent);
    expect(trace).toMatch(/^[\da-f]{32}$/);
    expect(await associations(visitor)).toEqual([
      { traceId: trace, origin: shop.origin, status: 200, sent: true },
    ]);
  });
}

test('fetch that follows no redirect gets a traceparent on its own origin, in each form of a call', async () => {
  const visitor = await arrive();
  const { page, fixture, shop, asked } = visitor;
  await page.evaluate(async (other) => {
    await fetch('/shop/ok?timing=&n=1', { redirect: 'error', headers: { 'X-Own': 'a' } });
    await fetch(new URL('/shop/ok?timing=&n=2', location.href), {
      redirect: 'manual',
      headers: [['X-Own', 'a']],
    });
    await fetch(new Request('/shop/ok?timing=&n=3', { redirect: 'error', headers: { 'X-Own': 'a' } }));
    await fetch(new Request('/shop/ok?timing=&n=4', { headers: { 'X-Own': 'b' } }), {
      redirect: 'error',
      headers: new Headers({ 'X-Own': 'a' }),
    });
    await fetch('/shop/to?url=/shop/ok', { redirect: 'manual', headers: { 'X-Own': 'a' } });
    await fetch(`${other}/shop/ok?timing=&cors`, { redirect: 'error' });
    await fetch(`${other}/shop/ok?timing=`, { redirect: 'error', mode: 'no-cors' }).catch(() => {});
  }, shop.origin);
  const traces = asked.map(({ headers }) => traceOf(headers.traceparent));
  expect(new Set(traces).size).toBe(5);
  expect(asked.map(({ headers }) => headers['x-own'])).toEqual(['a', 'a', 'a', 'a', 'a']);
  for (const { headers } of shop.asked) expect(headers).not.toHaveProperty('traceparent');
  expect(await associations(visitor)).toEqual(
    traces.map((traceId, index) => ({
      traceId,
      origin: fixture.origin,
      // The status of a redirect that wasn't followed is unknown.
      ...(index < 4 && { status: 200 }),
      sent: true,
    })),
  );
});

test('at most 50 a page view, and each trace once', async () => {
  const visitor = await arrive();
  const { fixture, page } = visitor;
  const askAll = (begin: number) =>
    page.evaluate(async (first) => {
      for (let n = first; n < first + 60; n += 1) {
        const trace = `c${n}`.padStart(32, '0');
        const timing = `traceparent;desc=00-${trace}-00f067aa0ba902b7-01`;
        await (await fetch(`/shop/ok?timing=${timing}`)).text();
        await (await fetch(`/shop/ok?timing=${timing}`)).text();
      }
    }, begin);
  await askAll(1000);
  await page.evaluate(() => history.pushState({}, '', '/second'));
  await askAll(1000);
  await askAll(2000);
  await visitor.mark('end');
  const events = fixture.events('association');
  const [first, second] = fixture.events('pageview').map(({ pageId }) => pageId);
  expect(events.filter(({ pageId }) => pageId === first)).toHaveLength(50);
  expect(events.filter(({ pageId }) => pageId === second)).toHaveLength(50);
  expect(new Set(events.map(({ traceId }) => traceId)).size).toBe(100);
});

test('an answer that comes on a later page belongs to the page that asked', async () => {
  const visitor = await prepare();
  const { fixture, page } = visitor;
  const held = Promise.withResolvers<void>();
  const { answer } = fixture;
  fixture.answer = (seen, response) => {
    if (seen.url.pathname !== '/shop/late') return answer(seen, response);
    held.promise.then(() => answer(seen, response));
    return true;
  };
  await visitor.open();
  await watched(page);
  await page.evaluate(() => {
    fetch('/shop/late');
    history.pushState({}, '', '/second');
  });
  await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
  held.resolve();
  await expect.poll(() => fixture.events('association')).toHaveLength(1);
  expect(fixture.events('association')[0]?.pageId).toBe(fixture.events('pageview')[0]?.pageId);
});

for (const maxTier of [0, 1, 2] as const)
  test(`tier ${maxTier}: nothing is loaded, wrapped or reported; with consent on the page it is`, async () => {
    const visitor = await prepare();
    const { fixture, page } = visitor;
    fixture.policy = (consent) => (consent === 'granted' ? { maxTier: 3 } : { maxTier });
    await visitor.hear();
    await ask(visitor, '/shop/ok');
    expect(await isWatched(page)).toBe(false);
    expect(fixture.parts()).not.toContain('association');
    await page.evaluate(() => window.vendor?.consent('granted'));
    await watched(page);
    await ask(visitor, '/shop/ok');
    expect(await associations(visitor)).toHaveLength(1);
  });

test('consent withdrawn on the page: calls go through, and nothing more is reported or sent along', async () => {
  const visitor = await arrive({ propagate: (origin) => origin });
  const { fixture, page, shop } = visitor;
  fixture.policy = () => ({ maxTier: 2 });
  await page.evaluate(() => window.vendor?.consent('denied'));
  await expect.poll(() => fixture.calls('policy')).toHaveLength(2);
  await visitor.mark('denied');
  await ask(visitor, '/shop/ok');
  await askXhr(visitor, `${shop.origin}/shop/ok?cors&allow=traceparent`);
  expect(shop.asked[0]?.headers).not.toHaveProperty('traceparent');
  expect(await associations(visitor)).toEqual([]);
});

test('consent withdrawn while a request is under way: its answer isn’t reported', async () => {
  const visitor = await arrive();
  const { fixture, page } = visitor;
  fixture.policy = () => ({ maxTier: 2 });
  await page.evaluate(async () => {
    const asked = fetch('/shop/ok');
    window.vendor?.consent('denied');
    await (await asked).text();
  });
  expect(await associations(visitor)).toEqual([]);
});

test.each([
  ['Global Privacy Control', 'globalPrivacyControl', true],
  ['Do Not Track', 'doNotTrack', '1'],
])('%s: nothing is loaded or wrapped, whatever the page says', async (_what, name, value) => {
  const visitor = await prepare();
  await visitor.page.addInitScript(
    ([key, given]) => Object.defineProperty(Navigator.prototype, key as string, { get: () => given }),
    [name, value],
  );
  await visitor.open();
  await visitor.page.evaluate(() => window.vendor?.consent('granted'));
  await ask(visitor, '/shop/ok');
  expect(await isWatched(visitor.page)).toBe(false);
  await visitor.leave();
  expect(visitor.fixture.parts()).not.toContain('association');
  expect(visitor.fixture.events('association')).toEqual([]);
});

test('without data-origins nothing is loaded or wrapped', async () => {
  const visitor = await prepare();
  visitor.fixture.pages['/'] = html();
  await visitor.measured();
  await ask(visitor, '/shop/ok');
  expect(await isWatched(visitor.page)).toBe(false);
  expect(await associations(visitor)).toEqual([]);
  expect(visitor.fixture.parts()).toEqual(['measure']);
});

test('a part that is kept back: everything else is as ever', async () => {
  const visitor = await prepare();
  visitor.fixture.withhold = (part) => part === 'association';
  await visitor.measured();
  await expect.poll(() => visitor.fixture.parts()).toContain('association');
  await ask(visitor, '/shop/ok');
  expect(await associations(visitor)).toEqual([]);
  expect(visitor.noise).toEqual([]);
});

test('of pages that data-exclude leaves out nothing is reported', async () => {
  const visitor = await arrive({ attributes: 'data-exclude="/private"' });
  await visitor.page.evaluate(() => history.pushState({}, '', '/private'));
  await ask(visitor, '/shop/ok');
  await visitor.page.evaluate(() => history.pushState({}, '', '/'));
  await ask(visitor, '/shop/ok');
  expect(await associations(visitor)).toHaveLength(1);
});

test('tracker-all.js loads the part once', async () => {
  const visitor = await arrive({ script: '/tracker-all.js' });
  await ask(visitor, '/shop/ok');
  expect(await associations(visitor)).toHaveLength(1);
  expect(visitor.fixture.parts().filter((part) => part === 'association')).toHaveLength(1);
});

test('what the tracker itself sends isn’t watched, with data-debug neither', async () => {
  const visitor = await prepare({ attributes: 'data-debug' });
  const { fixture } = visitor;
  // As behind a proxy on the site's own host, whose answers name a trace.
  await visitor.page.route('**/api/v1/track', async (route) => {
    const response = await route.fetch();
    const timing = { 'Server-Timing': `traceparent;desc="${contextOf(newTrace())}"` };
    await route.fulfill({ response, headers: { ...response.headers(), ...timing } });
  });
  await visitor.open();
  await watched(visitor.page);
  await visitor.mark('one');
  expect(await associations(visitor)).toEqual([]);
  expect(fixture.calls('track').length).toBeGreaterThan(1);
  // The browser closes after the test. An answer that is then still on its way would fail.
  await visitor.page.unrouteAll({ behavior: 'wait' });
});

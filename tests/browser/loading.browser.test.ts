import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { SERVED_AS } from '../../packages/tracker/bundle-tracker.ts';
import { SITE_ID, useFixtures } from './browser-fixture.ts';
import { INSECURE_HOST } from './chromium.ts';
import { BARE, html, SNIPPET, script } from './html.ts';
import { useVisits, type Visit } from './visit.ts';

const visit = useVisits('whole');
const newFixture = useFixtures();

declare global {
  interface Window {
    concealed: boolean;
  }
}

/** Makes the page report that it is in a background tab, until `window.concealed` is false. */
const conceal = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.concealed = true;
    Object.defineProperty(Document.prototype, 'hidden', { get: () => window.concealed });
  });

test('calls made before the script loads are made up for, in their order', async () => {
  const { fixture, open } = await visit();
  fixture.pages['/'] = html({
    before: `${SNIPPET}vendor.track('one', { n: 1 }); vendor.track('two', undefined, { amount: '9.90', currency: 'EUR' })`,
  });
  await open();
  await expect.poll(() => fixture.events('event')).toHaveLength(2);
  expect(fixture.events('pageview')).toHaveLength(1);
  expect(fixture.events('event')).toMatchObject([
    { name: 'one', props: { n: 1 }, pageId: fixture.events('pageview')[0]?.pageId },
    { name: 'two', revenue: { amount: '9.90', currency: 'EUR' } },
  ]);
});

test('loaded twice counts once', async () => {
  const { fixture, hear, mark, leave } = await visit();
  fixture.pages['/'] = html({ body: script() + script() });
  await hear();
  await mark('end');
  await leave();
  expect(fixture.events('pageview')).toHaveLength(1);
  expect(fixture.events('event')).toHaveLength(1);
  expect(fixture.calls('policy')).toHaveLength(1);
});

test('included late', async () => {
  const { fixture, page, open } = await visit();
  fixture.pages['/'] = BARE;
  await open();
  await page.evaluate((site) => {
    const element = document.createElement('script');
    element.src = '/tracker.js';
    element.dataset.site = site;
    document.head.append(element);
  }, SITE_ID);
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
});

test('an element of the page named vendor is in no way', async () => {
  const { fixture, open, mark } = await visit();
  fixture.pages['/'] = html({ body: '<div id="vendor">Our vendor</div>' });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await mark('end');
});

test('without data-site it does nothing, and says so', async () => {
  const { fixture, page, noise, open, leave } = await visit();
  fixture.pages['/'] = '<!doctype html><script defer src="/tracker.js"></script>';
  await open();
  await page.evaluate(() => {
    window.vendor?.consent('granted');
    window.vendor?.track('nothing');
    window.vendor?.page();
  });
  await leave();
  expect(fixture.calls('policy')).toEqual([]);
  expect(noise).toEqual(['Vendor: no data-site']);
});

test('a page without TLS', async () => {
  const { fixture, page } = await visit();
  await page.goto(`${fixture.origin.replace('localhost', INSECURE_HOST)}/`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.evaluate(() => history.pushState({}, '', '/second'));
  await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
  const [one, two] = fixture.events('pageview');
  expect(one?.id).not.toBe(two?.id);
});

test('from another origin: no preflight, no cookie, text', async () => {
  const service = await newFixture();
  const { fixture, context, open, leave } = await visit();
  fixture.pages['/'] = html({ service: service.origin });
  await context.addCookies([{ name: 'session', value: 'secret', domain: 'localhost', path: '/' }]);
  await open();
  await expect.poll(() => service.events('pageview')).toHaveLength(1);
  await leave();
  const calls = [...service.calls('policy'), ...service.calls('track')];
  expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']));
  for (const { headers } of calls) expect(headers).not.toHaveProperty('cookie');
  for (const { headers } of service.calls('track'))
    expect(headers['content-type']).toBe('text/plain;charset=UTF-8');
  expect(fixture.calls('track')).toEqual([]);
});

test('data-api names another address for the requests', async () => {
  const service = await newFixture();
  const { fixture, open } = await visit();
  fixture.pages['/'] = html({ attributes: `data-api="${service.origin}"` });
  await open();
  await expect.poll(() => service.events('pageview')).toHaveLength(1);
  expect(fixture.calls('policy')).toEqual([]);
});

/** Visits the page, leaves it by `away`, and returns to it from the back/forward cache. */
async function returnToPage(away: (visitor: Visit) => Promise<void>): Promise<Visit> {
  const visitor = await visit();
  const { fixture, page, open } = visitor;
  fixture.pages['/'] = html({
    before: 'addEventListener("pageshow", (e) => fetch("/shown?again=" + e.persisted, { method: "POST" }))',
  });
  fixture.pages['/from'] = '<a href="/">in</a>';
  await open('/from');
  await page.click('a');
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await away(visitor);
  return visitor;
}

async function expectAnotherView({ fixture }: Visit): Promise<void> {
  await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
  const [first, second] = fixture.events('pageview');
  expect(first?.referrer).toBe(`${fixture.origin}/from`);
  expect(second?.referrer).toBe(`${fixture.origin}/`);
  expect(second?.pageId).not.toBe(first?.pageId);
}

test('from the back/forward cache: a page view of its own, which is no new arrival', async (context) => {
  const shown = ({ fixture }: Visit) => fixture.seen.filter(({ url }) => url.pathname === '/shown');
  const visitor = await returnToPage(async ({ page, open }) => {
    await open('/bare');
    // Playwright's `goBack` waits for a load event, which doesn't come here.
    await page.evaluate(() => history.back());
  });
  await expect.poll(() => shown(visitor)).toHaveLength(2);
  // The Chromium from npm has no back/forward cache. CI has a complete Chromium.
  context.skip(
    !process.env.CI && shown(visitor)[1]?.url.search === '?again=false',
    'no back/forward cache here',
  );
  expect(shown(visitor)[1]?.url.search).toBe('?again=true');
  await expectAnotherView(visitor);
});

test('an event says that the page comes from the back/forward cache: the same, in every browser', async () => {
  const visitor = await returnToPage(async ({ page }) => {
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
  });
  await expectAnotherView(visitor);
});

test('in a background tab: nothing until it is looked at, and nothing if it never is', async () => {
  const { fixture, page, open, leave } = await visit();
  await conceal(page);
  await open();
  await page.evaluate(() => window.vendor?.track('early'));
  await leave();
  expect([...fixture.calls('policy'), ...fixture.calls('track')]).toEqual([]);
  await open();
  await page.evaluate(() => {
    window.concealed = false;
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
});

for (const [what, source, nonce] of [
  ['by its folder', (origin: string) => `${origin}/stats/`, ''],
  [
    'by all three paths',
    (origin: string) =>
      (['core', 'links', 'measure'] as const).map((file) => `${origin}/stats/${SERVED_AS[file]}`).join(' '),
    '',
  ],
  ['by a nonce', () => "'nonce-abc'", 'nonce="abc"'],
] as const)
  test(`a content security policy that lets the script through ${what} lets its parts through`, async () => {
    const { fixture, noise, measured, leave } = await visit();
    fixture.pages['/'] = `<!doctype html><link rel="icon" href="data:,"><title>Strict</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; script-src ${source(fixture.origin)}; connect-src ${fixture.origin}">
${script(`data-outbound ${nonce} data-api="${fixture.origin}/"`, '/stats')}`;
    await measured();
    await expect.poll(() => new Set(fixture.parts())).toEqual(new Set(['links', 'measure']));
    await leave();
    await expect.poll(() => fixture.events('vitals')).toHaveLength(1);
    expect(noise).toEqual([]);
  });

test('a part that is slow holds the load of the page back no more than a slow endpoint does', async () => {
  const { fixture, page, noise } = await visit();
  const slow = Promise.withResolvers<boolean>();
  fixture.withhold = (part) => part !== 'core' && slow.promise;
  fixture.pages['/'] = html({ attributes: 'data-outbound' });
  await page.goto(`${fixture.origin}/`, { waitUntil: 'load' });
  await expect.poll(() => fixture.parts()).toContain('links');
  expect(await page.evaluate(() => document.readyState)).toBe('complete');
  slow.resolve(false);
  expect(noise).toEqual([]);
});

test('as a module', async () => {
  const { fixture, page, open, mark } = await visit();
  fixture.pages['/'] = html().replace('<script defer', '<script type="module"');
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.evaluate(() => history.pushState({}, '', '/second'));
  await mark('end');
  expect(fixture.events('pageview')).toHaveLength(2);
});

const OTHER_SITE = '0191d7a0-0000-7000-8000-000000000002';

test('two sites on one page: each gets everything under its own id, and no visitor is shared', async () => {
  const { fixture, page, open, leave, noise } = await visit();
  const button = '<button id="b" type="button" data-vendor-event="Tagged">b</button>';
  fixture.pages['/'] = html({
    before: `${SNIPPET}vendor.consent('granted');vendor.track('early')`,
    body: script('', '', OTHER_SITE) + script('', '', OTHER_SITE) + button,
  });
  await open();
  const of = (site: string) => fixture.bodies().filter((body) => body.site === site);
  const sent = (site: string) =>
    of(site)
      .flatMap(({ events }) => events)
      .flatMap((event) => (event.type === 'event' ? event.name : event.type === 'pageview' ? event.url : []));
  await expect.poll(() => fixture.parts().filter((part) => part === 'links').length).toBeGreaterThan(0);
  for (const site of [SITE_ID, OTHER_SITE]) await expect.poll(() => sent(site)).toContain('early');
  await expect
    .poll(async () => {
      await page.click('#b');
      return [SITE_ID, OTHER_SITE].every((site) => sent(site).includes('Tagged'));
    })
    .toBe(true);
  await page.evaluate(() => history.pushState({}, '', '/second'));
  await page.evaluate(() => window.vendor?.track('late'));
  await leave();
  for (const site of [SITE_ID, OTHER_SITE]) await expect.poll(() => sent(site)).toContain('late');
  expect(sent(SITE_ID).sort()).toEqual(sent(OTHER_SITE).sort());
  expect(sent(SITE_ID).filter((what) => what.startsWith('http'))).toHaveLength(2);
  const visitors = [SITE_ID, OTHER_SITE].map((site) => [
    ...new Set(of(site).map(({ visitorId }) => visitorId)),
  ]);
  expect(visitors).toEqual([[expect.any(String)], [expect.any(String)]]);
  expect(visitors[0]).not.toEqual(visitors[1]);
  for (const site of [SITE_ID, OTHER_SITE])
    await expect
      .poll(() =>
        of(site)
          .flatMap(({ events }) => events)
          .some(({ type }) => type === 'vitals'),
      )
      .toBe(true);
  expect(noise).toEqual([]);
});

test('consent that was denied before the script of another site came holds for that too', async () => {
  const { fixture, page, open } = await visit();
  fixture.policy = (consent) => ({ maxTier: consent === 'denied' ? 1 : 3 });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.evaluate((site) => {
    window.vendor?.consent('denied');
    const element = document.createElement('script');
    element.src = '/tracker.js';
    element.dataset.site = site;
    document.head.append(element);
  }, OTHER_SITE);
  await expect.poll(() => fixture.bodies().filter(({ site }) => site === OTHER_SITE)).toHaveLength(1);
  expect(fixture.bodies().find(({ site }) => site === OTHER_SITE)).toMatchObject({ consent: 'denied' });
});

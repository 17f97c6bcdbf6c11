import { expect, test } from 'vitest';
import { html, SNIPPET } from './html.ts';
import { NOTHING_STORED, readStored, useVisits, type Visit } from './visit.ts';

const visit = useVisits();

const tell = ({ page }: Visit, consent: VendorConsent): Promise<void> =>
  page.evaluate((value) => window.vendor?.consent(value), consent);

test('granted at tier 0: the held page view goes, on the same page, and begins a visit', async () => {
  const visitor = await visit();
  const { fixture, page, hear } = visitor;
  fixture.policy = (consent) => (consent === 'granted' ? { maxTier: 3 } : { maxTier: 0, stop: 'policy' });
  await hear();
  await page.evaluate(() => window.vendor?.track('before consent'));
  await tell(visitor, 'granted');
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  expect(fixture.bodies()[0]).toMatchObject({ consent: 'granted', visitorId: expect.any(String) });
  expect(fixture.bodies()[0]).not.toHaveProperty('continued');
  await visitor.leave();
  expect(fixture.events('event')).toEqual([]);
  expect(fixture.calls('policy').map(({ url }) => url.searchParams.get('consent'))).toEqual([
    null,
    'granted',
  ]);
});

test('granted at tier 0 after in-app navigation: only the page that is open is sent', async () => {
  const visitor = await visit();
  const { fixture, page, hear } = visitor;
  fixture.policy = (consent) => (consent === 'granted' ? { maxTier: 3 } : { maxTier: 0, stop: 'policy' });
  await hear();
  await page.evaluate(() => history.pushState({}, '', '/now'));
  await tell(visitor, 'granted');
  await visitor.mark('end');
  await visitor.leave();
  expect(fixture.events('pageview').map(({ url }) => url)).toEqual([`${fixture.origin}/now`]);
});

for (const tier of [1, 2] as const) {
  test(`granted at tier ${tier}: no second page view; the session continues the visit, as its first events say`, async () => {
    const visitor = await visit();
    const { fixture, open, mark, leave } = visitor;
    fixture.policy = (consent) => ({ maxTier: consent === 'granted' ? 3 : tier });
    fixture.pages['/second'] = html({ before: `${SNIPPET}vendor.consent('granted')` });
    await open();
    await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
    await tell(visitor, 'granted');
    await mark('accepted');
    await open('/second');
    await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
    await leave();
    const [first, ...later] = fixture.bodies();
    expect(first).not.toHaveProperty('visitorId');
    expect(first).not.toHaveProperty('continued');
    for (const body of later)
      expect(body).toMatchObject({ consent: 'granted', visitorId: later[0]?.visitorId });
    // The service takes all of a session for continued if any of it is.
    expect(later[0]?.continued).toBe(true);
    const [view] = fixture.events('pageview');
    expect(later[0]?.events.filter(({ type }) => type === 'consent')).toEqual([
      { type: 'consent', id: expect.any(String), pageId: view?.pageId, url: view?.url },
    ]);
    expect(fixture.events('consent')).toHaveLength(1);
    expect(later.at(-1)).not.toHaveProperty('continued');
    expect(fixture.events('pageview')).toHaveLength(2);
  });
}

test('granted with an event at once: both go in one request', async () => {
  const visitor = await visit();
  const { fixture, page, open } = visitor;
  fixture.policy = (consent) => ({ maxTier: consent === 'granted' ? 3 : 1 });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.evaluate(() => {
    window.vendor?.consent('granted');
    window.vendor?.track('accepted');
  });
  await expect.poll(() => fixture.events('event')).toHaveLength(1);
  const [request] = fixture.bodies().filter((body) => body.visitorId);
  expect(request?.events.map(({ type }) => type)).toEqual(expect.arrayContaining(['consent', 'event']));
});

test('only the first events after consent continue the visit: after a pause what follows is a visit of its own', async () => {
  const visitor = await visit();
  const { fixture, page, open, mark } = visitor;
  fixture.policy = (consent) => ({ maxTier: consent === 'granted' ? 3 : 1 });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await tell(visitor, 'granted');
  await mark('accepted');
  await page.clock.setFixedTime(Date.now() + 31 * 60_000);
  await mark('after the pause');
  const continued = fixture.bodies().filter((body) => body.continued);
  expect(continued.length).toBeGreaterThan(0);
  expect(fixture.bodies().at(-1)).toMatchObject({ events: [{ name: 'after the pause' }] });
  expect(fixture.bodies().at(-1)).not.toHaveProperty('continued');
});

test('consent before any page view: nothing is continued, and nothing is sent for it', async () => {
  const visitor = await visit();
  const { fixture, open, mark } = visitor;
  fixture.policy = (consent) => ({ maxTier: consent === 'granted' ? 3 : 1 });
  fixture.pages['/'] = html({ attributes: 'data-manual' });
  await open();
  await mark('before');
  await tell(visitor, 'granted');
  await mark('after');
  expect(fixture.events('engagement')).toEqual([]);
  expect(fixture.bodies().at(-1)).toMatchObject({ continued: true, visitorId: expect.any(String) });
});

test('granted before the script loads: the first page view is a consented one', async () => {
  const { fixture, open, leave } = await visit();
  fixture.policy = (consent) => ({ maxTier: consent === 'granted' ? 3 : 1 });
  fixture.pages['/'] = html({
    before: `${SNIPPET}vendor.consent('granted');vendor.track('early',{plan:'pro'})`,
  });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await leave();
  expect(fixture.calls('policy')).toHaveLength(1);
  expect(fixture.bodies()[0]).toMatchObject({
    consent: 'granted',
    visitorId: expect.any(String),
    events: [{ type: 'pageview' }, { type: 'event', name: 'early', props: { plan: 'pro' } }],
  });
  expect(fixture.bodies().some(({ continued }) => continued)).toBe(false);
});

test('withdrawn: what was stored is deleted, and it goes on at the tier before consent', async () => {
  const visitor = await visit();
  const { fixture, page, open, mark, leave } = visitor;
  fixture.policy = (consent) => ({ maxTier: consent === 'denied' ? 1 : 3 });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  expect((await readStored(visitor)).local).toHaveLength(1);
  await tell(visitor, 'denied');
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
  await mark('refused');
  await page.evaluate(() => history.pushState({}, '', '/second'));
  await leave();
  const [first, ...later] = fixture.bodies();
  expect(first).toHaveProperty('visitorId');
  for (const body of later) {
    expect(body.consent).toBe('denied');
    expect(body).not.toHaveProperty('visitorId');
  }
  expect(fixture.events('pageview')[1]).not.toHaveProperty('title');
  expect(fixture.events('engagement')).toEqual([]);
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

test('withdrawn on a later page, before the script loads: deleted there', async () => {
  const visitor = await visit();
  const { fixture, open } = visitor;
  fixture.policy = (consent) => ({ maxTier: consent === 'denied' ? 1 : 3 });
  fixture.pages['/second'] = html({ before: `${SNIPPET}vendor.consent('denied')` });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await open('/second');
  await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

test('withdrawn and granted again: another id, and no other visit', async () => {
  const visitor = await visit();
  const { fixture, open, mark } = visitor;
  fixture.policy = (consent) => ({ maxTier: consent === 'denied' ? 1 : 3 });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await tell(visitor, 'denied');
  await tell(visitor, 'granted');
  await mark('again');
  const [first, last] = [fixture.bodies()[0], fixture.bodies().at(-1)];
  expect(last).toMatchObject({ consent: 'granted', visitorId: expect.any(String) });
  expect(last?.visitorId).not.toBe(first?.visitorId);
  const again = fixture.bodies().filter(({ visitorId }) => visitorId === last?.visitorId);
  expect(again[0]).toMatchObject({ continued: true });
  expect(fixture.events('pageview')).toHaveLength(1);
});

test('withdrawn before the page view is answered, and granted again: no other visit', async () => {
  const visitor = await visit();
  const { fixture, open, mark } = visitor;
  const answered = Promise.withResolvers<void>();
  fixture.policy = async (consent) => {
    if (fixture.calls('track').length === 1) await answered.promise;
    return { maxTier: consent === 'denied' ? 1 : 3 };
  };
  await open();
  await expect.poll(() => fixture.calls('track')).toHaveLength(1);
  await tell(visitor, 'denied');
  answered.resolve();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await tell(visitor, 'granted');
  await mark('again');
  const [first, ...later] = fixture.bodies();
  expect(later[0]).toMatchObject({ continued: true, visitorId: expect.any(String) });
  expect(later[0]?.visitorId).not.toBe(first?.visitorId);
  expect(fixture.events('pageview')).toHaveLength(1);
});

test('withdrawn in another tab: this one makes no new id', async () => {
  const visitor = await visit();
  const { fixture, context, open, mark } = visitor;
  fixture.policy = (consent) => ({ maxTier: consent === 'denied' ? 1 : 3 });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  const other = await context.newPage();
  await other.goto(`${fixture.origin}/`);
  await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
  await other.evaluate(() => window.vendor?.consent('denied'));
  await mark('in the first tab');
  expect(fixture.bodies().at(-1)).toMatchObject({ consent: 'denied' });
  expect(fixture.bodies().at(-1)).not.toHaveProperty('visitorId');
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

test('an answer about a consent that was overtaken is void', async () => {
  const visitor = await visit();
  const { fixture, open, mark } = visitor;
  const slow = Promise.withResolvers<void>();
  fixture.policy = async (consent) => {
    if (consent === 'granted') await slow.promise;
    return { maxTier: consent === 'granted' ? 3 : 1 };
  };
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await tell(visitor, 'granted');
  await expect.poll(() => fixture.calls('policy')).toHaveLength(2);
  await tell(visitor, 'denied');
  await mark('refused');
  const answered = visitor.page.waitForResponse((response) => response.url().includes('consent=granted'));
  slow.resolve();
  await answered;
  await mark('still refused');
  expect(fixture.bodies().every(({ visitorId }) => visitorId === undefined)).toBe(true);
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

import { expect, test } from 'vitest';
import { html } from './html.ts';
import { NOTHING_STORED, readStored, useVisits } from './visit.ts';

const visit = useVisits();
const UUID = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);

test('tier 0: the policy is asked and nothing is sent', async () => {
  const visitor = await visit();
  const { fixture, page, hear, leave } = visitor;
  fixture.policy = () => ({ maxTier: 0, stop: 'policy' });
  await hear();
  await page.evaluate(() => {
    window.vendor?.track('signup');
    history.pushState({}, '', '/second');
  });
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
  await leave();
  expect(fixture.calls('policy')).toHaveLength(1);
  expect(fixture.calls('track')).toEqual([]);
});

test('tier 1: the address and the referrer, and nothing else of the device', async () => {
  const visitor = await visit();
  const { fixture, page, open, leave } = visitor;
  fixture.policy = () => ({ maxTier: 1 });
  fixture.pages['/from'] = `<a href="/">in</a>`;
  await open('/from');
  await page.click('a');
  await expect.poll(() => fixture.bodies()).toHaveLength(1);
  expect(JSON.parse(fixture.calls('track')[0]?.body ?? '')).toEqual({
    site: expect.any(String),
    events: [
      {
        id: UUID,
        type: 'pageview',
        pageId: UUID,
        url: `${fixture.origin}/`,
        referrer: `${fixture.origin}/from`,
      },
    ],
  });
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
  await leave();
  expect(fixture.events('engagement')).toEqual([]);
});

test('tier 2: title, language and screen as well, and still nothing stored', async () => {
  const visitor = await visit({ locale: 'pt-PT', screen: { width: 1234, height: 567 } });
  const { fixture, open, leave } = visitor;
  fixture.policy = () => ({ maxTier: 2 });
  await open();
  await expect.poll(() => fixture.bodies()).toHaveLength(1);
  expect(JSON.parse(fixture.calls('track')[0]?.body ?? '')).toEqual({
    site: expect.any(String),
    events: [
      {
        id: UUID,
        type: 'pageview',
        pageId: UUID,
        url: `${fixture.origin}/`,
        referrer: '',
        title: 'Home',
        language: 'pt-PT',
        screen: '1234x567',
      },
    ],
  });
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
  await leave();
  expect(fixture.events('engagement')).toEqual([]);
});

test('tier 3: an id of the site itself, the same on the next page', async () => {
  const visitor = await visit();
  const { fixture, open, leave } = visitor;
  fixture.pages['/second'] = html({ title: 'Second' });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await open('/second');
  await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
  await leave();
  const ids = new Set(fixture.bodies().map(({ visitorId }) => visitorId));
  expect([...ids]).toEqual([UUID]);
  expect(fixture.bodies().some(({ continued }) => continued)).toBe(false);
  expect((await readStored(visitor)).cookies).toEqual([]);
});

test('an answer to track lowers the tier at once', async () => {
  const { fixture, page, open, mark, leave } = await visit();
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  fixture.policy = () => ({ maxTier: 1 });
  await mark('lowering');
  await page.waitForFunction(() => localStorage.length === 0);
  await page.evaluate(() => history.pushState({}, '', '/second'));
  await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
  await leave();
  expect(fixture.bodies().at(-1)).not.toHaveProperty('visitorId');
  expect(fixture.events('pageview')[1]).not.toHaveProperty('title');
  expect(fixture.events('engagement').length).toBeLessThanOrEqual(1);
});

test('an answer to track raises the tier, and the visit counted below it is continued', async () => {
  const { fixture, open, mark } = await visit();
  fixture.policy = () => ({ maxTier: 1 });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  fixture.policy = () => ({ maxTier: 3 });
  await mark('raising');
  await mark('raised');
  expect(fixture.events('pageview')).toHaveLength(1);
  expect(fixture.bodies().find(({ visitorId }) => visitorId)).toMatchObject({
    visitorId: UUID,
    continued: true,
  });
});

/** Snippets of Plausible and Umami whose `src` names `compat.js`: what pages of these tools say goes on to count. */
import { expect, test } from 'vitest';
import { SITE_ID, UNKNOWN } from './browser-fixture.ts';
import { SNIPPET } from './html.ts';
import { useVisits, type Visit } from './visit.ts';

const visit = useVisits();

async function arrive(attributes: string, { before = '', body = '' } = {}): Promise<Visit> {
  const visitor = await visit();
  visitor.fixture.pages['/'] =
    `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>Peer</title>
<script defer ${attributes} src="/compat.js"></script><script>${before}</script></head><body>${body}</body></html>`;
  await visitor.open();
  return visitor;
}

const PLAUSIBLE =
  'window.plausible=window.plausible||function(){(window.plausible.q=window.plausible.q||[]).push(arguments)};';
const AT_PLAUSIBLE = `data-domain="${SITE_ID}"`;
const AT_UMAMI = `data-website-id="${SITE_ID}"`;
const STAY = 'onclick="event.preventDefault()"';

test('Plausible: the page view, calls from before the script, properties, revenue, address, callback', async () => {
  const { fixture, page, noise } = await arrive(`${AT_PLAUSIBLE} event-author="Ana"`, {
    before: `${PLAUSIBLE}plausible('Early',{props:{plan:'pro'}})`,
  });
  await expect.poll(() => fixture.events('event')).toHaveLength(1);
  expect(fixture.events('pageview')).toMatchObject([{ url: `${fixture.origin}/`, props: { author: 'Ana' } }]);
  expect(fixture.events('event')).toMatchObject([{ name: 'Early', props: { plan: 'pro' } }]);
  const called = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const plausible = Reflect.get(window, 'plausible') as (name: string, options?: object) => void;
        plausible('pageview', { u: `${location.origin}/virtual`, props: { n: 1 } });
        plausible('Quiet', { interactive: false });
        plausible('Purchase', {
          revenue: { currency: 'EUR', amount: 12.34 },
          callback: () => resolve('called'),
        });
      }),
  );
  expect(called).toBe('called');
  await expect.poll(() => fixture.events('event')).toHaveLength(3);
  expect(fixture.events('pageview')[1]).toMatchObject({ url: `${fixture.origin}/virtual`, props: { n: 1 } });
  expect(fixture.events('event').slice(1)).toMatchObject([
    { name: 'Quiet', interactive: false },
    { name: 'Purchase', revenue: { amount: '12.34', currency: 'EUR' } },
  ]);
  expect(noise).toEqual([]);
});

test('Plausible: classes of links, of what is around them, and of forms', async () => {
  const visitor = await arrive(AT_PLAUSIBLE, {
    body: `<a id="a" href="/x" ${STAY} class="button plausible-event-name=Sign+Up plausible-event-plan=pro">x</a>
      <div class="plausible-event-name--Card"><i id="b">x</i></div>
      <button id="c" class="plausible-event-name=Buy plausible-event-revenue-amount=9.90 plausible-event-revenue-currency=EUR"></button>
      <form class="plausible-event-name=Letter" onsubmit="event.preventDefault()"><input id="d"><button id="e">Go</button></form>`,
  });
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  for (const id of ['a', 'b', 'c', 'd', 'e']) await visitor.page.click(`#${id}`);
  await expect
    .poll(() => visitor.sent())
    .toEqual([
      { name: 'Sign Up', props: { plan: 'pro' } },
      { name: 'Card', props: {} },
      { name: 'Buy', props: {} },
      { name: 'Letter', props: {} },
    ]);
  expect(visitor.fixture.events('event')[2]?.revenue).toEqual({ amount: '9.90', currency: 'EUR' });
});

test('a tagged link to elsewhere is one event, and a menu on it is none', async () => {
  const visitor = await arrive(`${AT_PLAUSIBLE} data-outbound`, {
    body: `<a id="a" href="https://elsewhere.example/" ${STAY} class="plausible-event-name=Partner">x</a>`,
  });
  await expect.poll(() => visitor.fixture.parts()).toContain('peers');
  await visitor.page.click('#a', { button: 'right' });
  await visitor.page.click('#a');
  await visitor.mark('end');
  expect(visitor.sent().map(({ name }) => name)).toEqual(['Partner', 'end']);
});

test('where peers.js is kept back, all but tagged elements counts', async () => {
  const visitor = await visit();
  visitor.fixture.withhold = (part) => part === 'peers';
  visitor.fixture.pages['/'] =
    `<!doctype html><link rel="icon" href="data:,"><script defer ${AT_PLAUSIBLE} data-outbound src="/compat.js"></script>
    <a id="a" href="https://elsewhere.example/" ${STAY}>x</a>`;
  await visitor.open();
  await expect.poll(() => visitor.fixture.parts()).toContain('peers');
  await visitor.page.click('#a');
  await expect.poll(() => visitor.sent().map(({ name }) => name)).toEqual(['Outbound link']);
});

test('attributes of theirs that mean something else have no effect', async () => {
  const { fixture, noise } = await arrive(
    `${AT_UMAMI} data-api="https://elsewhere.example/api/event" data-before-send="handle" data-tag="a" data-exclude="/private"`,
    { before: 'handle = () => false' },
  );
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  expect(fixture.parts()).toContain('guard');
  expect(noise).toEqual([]);
});

test('Umami: track in all its forms, and identify', async () => {
  const visitor = await arrive(AT_UMAMI);
  const { fixture, page } = visitor;
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.evaluate(async () => {
    interface Umami {
      track: (...given: unknown[]) => Promise<void>;
      identify: (...given: unknown[]) => Promise<void>;
    }
    const umami = Reflect.get(window, 'umami') as Umami;
    await umami.identify('somebody', { plan: 'pro' });
    await umami.track();
    await umami.track('Signup', { plan: 'pro' });
    await umami.track({ url: '/virtual' });
    await umami.track((payload: object) => ({
      ...payload,
      name: 'Changed',
      url: '/elsewhere',
      data: { n: 1 },
    }));
    await umami.track(() => false);
    await umami.track('Paid', { revenue: 19.9, currency: 'USD' });
  });
  await expect.poll(() => fixture.events('event')).toHaveLength(3);
  expect(fixture.events('pageview').map(({ url }) => url.replace(fixture.origin, ''))).toEqual([
    '/',
    '/',
    '/virtual',
  ]);
  expect(fixture.events('event')).toMatchObject([
    { name: 'Signup', props: { plan: 'pro' } },
    { name: 'Changed', url: `${fixture.origin}/elsewhere`, props: { n: 1 } },
    { name: 'Paid', revenue: { amount: '19.9', currency: 'USD' } },
  ]);
  expect(visitor.noise).toEqual([]);
});

test('Umami: tagged elements, in a shadow root too', async () => {
  const visitor = await arrive(AT_UMAMI, {
    body: '<button id="b" data-umami-event="Buy" data-umami-event-plan="pro"></button><div id="host" data-umami-event="Outer"></div>',
  });
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  await visitor.page.click('#b');
  await visitor.page.evaluate(() => {
    const root = document.querySelector('#host')?.attachShadow({ mode: 'open' });
    const inner = document.createElement('button');
    root?.append(inner);
    inner.click();
  });
  await expect
    .poll(() => visitor.sent())
    .toEqual([
      { name: 'Buy', props: { plan: 'pro' } },
      { name: 'Outer', props: {} },
    ]);
});

test('Umami: not on other domains than its own, and by hand', async () => {
  const elsewhere = await arrive(`${AT_UMAMI} data-domains="example.com"`);
  await elsewhere.leave();
  expect(elsewhere.fixture.calls('policy')).toEqual([]);
  const byHand = await arrive(`${AT_UMAMI} data-auto-track="false"`);
  await byHand.page.evaluate(() =>
    (Reflect.get(window, 'umami') as { track: (name: string) => void }).track('only'),
  );
  await expect.poll(() => byHand.sent().map(({ name }) => name)).toEqual(['only']);
  expect(byHand.fixture.events('pageview')).toEqual([]);
});

test('what the page said to the tracker before holds', async () => {
  const { fixture } = await arrive(AT_PLAUSIBLE, { before: `${SNIPPET}vendor.consent('denied')` });
  await expect.poll(() => fixture.bodies()).toHaveLength(1);
  expect(fixture.bodies()[0]).toMatchObject({ consent: 'denied' });
});

test('a name that no site has: said, once', async () => {
  const visitor = await visit();
  visitor.fixture.fail = () => 404;
  visitor.fixture.pages['/'] =
    '<!doctype html><link rel="icon" href="data:,"><script defer data-domain="peer.example" src="/compat.js"></script>';
  await visitor.open();
  await expect.poll(() => visitor.noise).toEqual([UNKNOWN]);
});

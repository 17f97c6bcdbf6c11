/**
 * `tracker-all.js`: all but vitals and what few pages use in one file. The details are tested with `tracker.js`, which is built from the same
 * sources.
 */
import { expect, test } from 'vitest';
import { html } from './html.ts';
import { NOTHING_STORED, readStored, useVisits, type Visit } from './visit.ts';

const visit = useVisits();

const BODY = `<a id="out" href="https://elsewhere.example/there?private=1" onclick="event.preventDefault()">out</a>
<a id="file" href="/report.pdf?private=1" onclick="event.preventDefault()">file</a>
<form id="letter" action="/send" onsubmit="event.preventDefault()"><button id="send">send</button></form>
<button id="tagged" data-vendor-event="Tagged" data-vendor-prop-plan="pro">tagged</button>`;

/** Opens a page with every kind of element that can be clicked. */
async function arrive(maxTier: 0 | 1 | 2 | 3, attributes = 'data-outbound data-downloads data-forms') {
  const visitor = await visit();
  visitor.fixture.policy = (consent) => ({ maxTier: consent === 'granted' ? 3 : maxTier });
  visitor.fixture.pages['/'] = html({ attributes, body: BODY }).replace('/tracker.js', '/tracker-all.js');
  await visitor.hear();
  for (const id of ['out', 'file', 'send', 'tagged']) await visitor.page.click(`#${id}`);
  return visitor;
}

const scripts = ({ fixture }: Visit) =>
  fixture.seen.map(({ url }) => url.pathname).filter((path) => path.endsWith('.js'));

test('tier 3: every event and what is measured; vitals by a part of their own', async () => {
  const visitor = await arrive(3);
  const { fixture, leave, noise } = visitor;
  await expect.poll(() => visitor.sent()).toHaveLength(4);
  await leave();
  await expect.poll(() => fixture.events('vitals')).toHaveLength(1);
  expect(visitor.sent()).toEqual([
    { name: 'Outbound link', props: { url: 'https://elsewhere.example/there' } },
    { name: 'Download', props: { url: `${fixture.origin}/report.pdf` } },
    { name: 'Form', props: { form: 'letter', action: '/send' } },
    { name: 'Tagged', props: { plan: 'pro' } },
  ]);
  const [view] = fixture.events('pageview');
  expect(fixture.events('vitals')[0]).toMatchObject({ pageId: view?.pageId, url: view?.url });
  expect(fixture.events('vitals')[0]).toHaveProperty('lcp');
  expect(fixture.events('engagement').map(({ pageId }) => pageId)).toContain(view?.pageId);
  expect(scripts(visitor)).toEqual(['/tracker-all.js', '/vitals.js']);
  expect(noise).toEqual([]);
});

for (const tier of [1, 2] as const)
  test(`tier ${tier}: the same events, nothing measured, nothing stored`, async () => {
    const visitor = await arrive(tier);
    await expect.poll(() => visitor.sent()).toHaveLength(4);
    expect(await readStored(visitor)).toEqual(NOTHING_STORED);
    await visitor.leave();
    expect(scripts(visitor)).toEqual(['/tracker-all.js']);
    expect(visitor.fixture.events('vitals')).toEqual([]);
    expect(visitor.fixture.events('engagement')).toEqual([]);
  });

test('tier 0: nothing; with consent, the page and what comes after', async () => {
  const visitor = await arrive(0);
  expect(visitor.fixture.calls('track')).toEqual([]);
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
  await visitor.page.evaluate(() => window.vendor?.consent('granted'));
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  await visitor.mark('after');
  expect(visitor.sent()).toEqual([{ name: 'after', props: undefined }]);
});

test('without their attributes links, downloads and forms are nobody’s business; tagged elements are', async () => {
  const visitor = await arrive(3, '');
  await visitor.mark('end');
  expect(visitor.sent().map(({ name }) => name)).toEqual(['Tagged', 'end']);
});

test('vitals that are kept back: everything else is as ever', async () => {
  const visitor = await visit();
  const { fixture, open, leave, noise } = visitor;
  fixture.withhold = (part) => part === 'vitals';
  fixture.pages['/'] = html().replace('/tracker.js', '/tracker-all.js');
  await open();
  await expect.poll(() => fixture.parts()).toContain('vitals');
  await visitor.mark('end');
  await leave();
  await expect.poll(() => fixture.events('engagement')).not.toEqual([]);
  expect(fixture.events('vitals')).toEqual([]);
  expect(noise).toEqual([]);
});

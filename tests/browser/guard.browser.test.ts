/** Attributes that ask for `guard.js`, besides `data-exclude`: a browser that is left out, properties, the page's own function, debug. */
import { expect, test } from 'vitest';
import { html, SNIPPET } from './html.ts';
import { useVisits, type Visit } from './visit.ts';

const visit = useVisits();
const FILES = ['tracker.js', 'tracker-all.js'] as const;

interface Arrival {
  attributes: string;
  before?: string;
  body?: string;
  file?: string;
  prepare?: (visitor: Visit) => unknown;
}

async function arrive({ attributes, before, body, file = 'tracker.js', prepare }: Arrival): Promise<Visit> {
  const visitor = await visit();
  visitor.fixture.pages['/'] = html({
    attributes,
    title: 'Home',
    ...(before !== undefined && { before }),
    ...(body !== undefined && { body }),
  }).replace('tracker.js', file);
  await prepare?.(visitor);
  await visitor.open();
  return visitor;
}

const requests = ({ fixture }: Visit) => [...fixture.calls('policy'), ...fixture.calls('track')];

for (const file of FILES)
  test(`data-exclude-self, ${file}: nothing is sent of a browser that asked for it, until it asks again`, async () => {
    const visitor = await arrive({ attributes: 'data-exclude-self', file });
    const { fixture, page, leave, open, noise } = visitor;
    await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
    await page.evaluate(() => window.vendor?.ignore?.());
    const sent = requests(visitor).length;
    await page.evaluate(() => {
      window.vendor?.track('ignored');
      history.pushState({}, '', '/second');
      window.vendor?.consent('granted');
    });
    await leave();
    await open();
    await expect.poll(() => fixture.parts().filter((part) => part === 'guard')).not.toEqual([]);
    await page.waitForFunction(() => window.vendor?.ignore);
    await page.evaluate(() => window.vendor?.track('ignored'));
    await leave();
    expect(requests(visitor)).toHaveLength(sent);
    await open();
    await page.waitForFunction(() => window.vendor?.ignore);
    await page.evaluate(() => window.vendor?.ignore?.(false));
    await leave();
    await open();
    await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
    await leave();
    expect(fixture.events('event')).toEqual([]);
    expect(fixture.events('pageview').map(({ url }) => new URL(url).pathname)).toEqual(['/', '/']);
    expect(noise).toEqual([]);
  });

test('set by hand: the same, whatever the text', async () => {
  const visitor = await arrive({
    attributes: 'data-exclude-self',
    prepare: ({ page }) => page.addInitScript(() => Object.assign(localStorage, { vendorIgnore: '1' })),
  });
  await visitor.page.waitForFunction(() => window.vendor?.ignore);
  await visitor.leave();
  expect(requests(visitor)).toEqual([]);
});

test('without the attribute the entry is not read, and excludes nobody', async () => {
  const visitor = await arrive({
    attributes: '',
    prepare: ({ page, fixture }) => {
      fixture.policy = () => ({ maxTier: 1 });
      return page.addInitScript(() => Object.assign(localStorage, { vendorIgnore: 'true' }));
    },
  });
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  expect(await visitor.page.evaluate(() => window.vendor?.ignore)).toBeUndefined();
});

test('a browser that stores nothing counts, and a warning says that it can not be left out', async () => {
  const { fixture, page, noise, mark } = await arrive({
    attributes: 'data-exclude-self',
    prepare: (visitor) =>
      visitor.page.addInitScript(() =>
        Object.defineProperty(window, 'localStorage', {
          get() {
            throw new DOMException('refused', 'SecurityError');
          },
        }),
      ),
  });
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.evaluate(() => window.vendor?.ignore?.());
  await mark('still there');
  await expect.poll(() => noise).toEqual(['Vendor: this browser stores nothing, so it can’t be left out.']);
});

for (const file of FILES)
  test(`data-prop-…, ${file}: properties of every page view, and of no event`, async () => {
    const { fixture, page, mark } = await arrive({
      attributes: 'data-prop-author="Ana" data-prop-plan-type="pro"',
      file,
    });
    await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
    await page.evaluate(() => window.vendor?.page({ props: { author: 'Rui', words: 5 } }));
    await mark('plain');
    expect(fixture.events('pageview').map(({ props }) => props)).toEqual([
      { author: 'Ana', 'plan-type': 'pro' },
      { author: 'Rui', 'plan-type': 'pro', words: 5 },
    ]);
    expect(fixture.events('event')[0]).not.toHaveProperty('props');
  });

const CHANGE = `function change(event) {
  (self.seen ??= []).push(event.type);
  if (event.name === 'secret') return null;
  if (event.name === 'gone') return;
  if (event.name === 'broken') throw new Error('of the page');
  if (event.type === 'pageview') event.title = 'Changed';
  return { ...event, ...(event.name && { props: { changed: true } }) };
}`;

for (const file of FILES)
  test(`data-before-send, ${file}: the page's function changes what is sent, or drops it`, async () => {
    const { fixture, page, noise, mark } = await arrive({
      attributes: 'data-before-send="change"',
      before: `${SNIPPET}${CHANGE}`,
      file,
    });
    await expect.poll(() => fixture.events('pageview')).toMatchObject([{ title: 'Changed' }]);
    await page.evaluate(() => {
      for (const name of ['kept', 'secret', 'gone', 'broken', 'broken']) window.vendor?.track(name);
    });
    await mark('end');
    expect(fixture.events('event')).toMatchObject([
      { name: 'kept', props: { changed: true } },
      { name: 'end', props: { changed: true } },
    ]);
    for (const { body } of fixture.calls('track')) expect(body).not.toMatch(/secret|gone|broken/);
    await expect.poll(() => noise).toHaveLength(1);
    expect(noise[0]).toMatch(
      /^Vendor: the function of data-before-send failed; the event was dropped\. Error: of the page/,
    );
    expect(await page.evaluate(() => (self as unknown as { seen: string[] }).seen)).toContain('event');
  });

test('a page view that the function drops takes what was measured of it along', async () => {
  const { fixture, leave, measuring } = await arrive({
    attributes: 'data-before-send="change"',
    before: 'function change(event) { return event.type !== "pageview" && event; }',
  });
  await measuring();
  await leave();
  expect(fixture.events('pageview')).toEqual([]);
  expect(fixture.events('engagement')).toEqual([]);
});

for (const [what, attributes, before, body] of [
  ['nothing', 'data-before-send="missing"', '', ''],
  ['no function', 'data-before-send="change"', 'var change = {}', ''],
  ['an element of the content', 'data-before-send="change"', '', '<img name="change" id="change" alt="">'],
  [
    'an element that can be called',
    'data-before-send="change"',
    '',
    '<object id="change"></object><embed name="change">',
  ],
  ['a function that every object has', 'data-before-send="toString"', '', ''],
] as const)
  test(`data-before-send names ${what}: nothing is sent, and the console says why`, async () => {
    const { fixture, noise, leave } = await arrive({ attributes, before, body });
    await expect
      .poll(() => noise)
      .toEqual(['Vendor: data-before-send names no function; nothing is sent without it.']);
    await leave();
    expect(fixture.calls('track')).toEqual([]);
  });

/** What stands in the console, one text a message. */
async function listen(arrival: Arrival): Promise<Visit & { said: () => string }> {
  const visitor = await arrive(arrival);
  return { ...visitor, said: () => visitor.noise.join('\n') };
}

for (const file of FILES)
  test(`data-debug, ${file}: what is called, sent and answered`, async () => {
    const { fixture, page, said, mark } = await listen({
      attributes: 'data-debug data-exclude="/private"',
      file,
    });
    await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
    await page.evaluate(() => {
      window.vendor?.track('hidden', {}, undefined, { url: new URL('/private', location.href).href });
    });
    await mark('shown');
    await expect.poll(said).toMatch(/the service answers 202.*the service answers 202/s);
    await expect.poll(said).toContain('Vendor: asks for the policy');
    await expect.poll(said).toContain('Vendor: tier 3');
    await expect.poll(said).toContain('Vendor: track shown');
    await expect.poll(said).toContain('Vendor: not sent: data-exclude has its page');
  });

test('data-debug: nothing before consent, and after it', async () => {
  const { fixture, page, said } = await listen({
    attributes: 'data-debug',
    prepare: (visitor) => {
      visitor.fixture.policy = (consent) =>
        consent === 'granted' ? { maxTier: 3 } : { maxTier: 0, stop: 'policy' };
    },
  });
  await expect.poll(said).toContain('Vendor: nothing is sent before consent: the policy of the site');
  await page.evaluate(() => window.vendor?.track('early'));
  await expect.poll(said).toMatch(/Vendor: track early\nVendor: nothing is sent before consent/);
  await page.evaluate(() => window.vendor?.consent('granted'));
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await expect.poll(said).toMatch(/Vendor: consent granted.*Vendor: tier 3/s);
});

for (const [signal, value, expected] of [
  ['globalPrivacyControl', true, 'Vendor: nothing is sent: Global Privacy Control'],
  ['doNotTrack', '1', 'Vendor: no more than tier 1: Do Not Track'],
] as const)
  test(`data-debug: ${signal}`, async () => {
    const { said, fixture } = await listen({
      attributes: 'data-debug',
      prepare: ({ page }) =>
        page.addInitScript(
          ([key, given]) => Object.defineProperty(Navigator.prototype, key as string, { get: () => given }),
          [signal, value],
        ),
    });
    await expect.poll(said).toContain(expected);
    if (signal === 'globalPrivacyControl') expect(fixture.calls('policy')).toEqual([]);
  });

test('data-debug: what only the server saw', async () => {
  const { said } = await listen({
    attributes: 'data-debug',
    prepare: ({ fixture }) => {
      fixture.policy = () => ({ maxTier: 1, cap: 'dnt' });
    },
  });
  await expect.poll(said).toContain('Vendor: tier 1, no more than 1: Do Not Track');
});

test('data-debug: a browser that is left out, and a function that drops', async () => {
  const { page, said, open } = await listen({
    attributes: 'data-debug data-exclude-self data-before-send="drop"',
    before: 'function drop() {}',
  });
  await expect.poll(said).toContain('Vendor: not sent: the function of data-before-send gave no event back');
  await page.evaluate(() => window.vendor?.ignore?.());
  await open();
  await expect.poll(said).toContain('Vendor: nothing is sent: this browser has localStorage.vendorIgnore');
});

test('data-debug: no answer, and one that refuses', async () => {
  const { fixture, said, page } = await listen({
    attributes: 'data-debug',
    prepare: (visitor) => {
      visitor.fixture.fail = ({ url }) => (url.pathname.endsWith('/track') ? 503 : undefined);
      return visitor.page.clock.install();
    },
  });
  await expect.poll(said).toContain('Vendor: the service answers 503');
  fixture.fail = () => 'cut';
  await page.evaluate(() => fetch('/barrier').catch(() => undefined));
  await page.clock.fastForward(60_000);
  await expect.poll(said).toContain('Vendor: no answer; what was to be sent goes again later');
});

test('the page is counted where debug.js is kept back', async () => {
  const { fixture } = await arrive({
    attributes: 'data-debug',
    prepare: (visitor) => {
      visitor.fixture.withhold = (part) => part === 'debug';
    },
  });
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
});

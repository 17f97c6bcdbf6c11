/**
 * What Plausible's own browser tests (plausible/analytics, tracker/test, read in November 2026) try and what applies to this tracker, in our
 * words, with the test that tries it here. Those without another home are below, and `NOT_HERE` says which don't apply. Umami
 * (umami-software/umami, the same month) has no browser tests of its tracker.
 */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ELSEWHERE } from './chromium.ts';
import { html } from './html.ts';
import { awaitLinks, useVisits, type Visit } from './visit.ts';

const CASES: readonly (readonly [what: string, file: string, title: string])[] = [
  ['a page view on load', 'navigation', 'one page view on load'],
  ['page views by history calls', 'navigation', 'pushState, replaceState, back and forward each count once'],
  ['page views of hash routes', 'navigation', 'data-hash: routes count once each'],
  ['page views by hand alone', 'navigation', 'data-manual: only what the page says'],
  [
    'a page view with another address and properties',
    'calls',
    'a page view with an address and properties of its own',
  ],
  [
    'time measured belongs to that view',
    'calls',
    'what is measured belongs to the page view, whatever its address',
  ],
  ['no time without a page view', 'peers', 'by hand and without a page view: nothing is measured'],
  ['time when the page is left', 'engagement', 'leaving sends the engaged time'],
  ['time by view in an app of one page', 'engagement', 'in-app navigation sends that of the page before'],
  ['time in the background', 'engagement', 'hidden: sent at once'],
  ['time without focus', 'engagement', 'without focus: sent at once'],
  ['the deepest scroll', 'engagement', 'the deepest scroll counts, not the last'],
  ['content that comes later', 'engagement', 'content that arrives late makes the depth less'],
  ['excluded pages, with routes too', 'exclude', 'routes in the fragment are pages here too'],
  ['time around excluded pages', 'exclude', 'in-app navigation through an excluded page'],
  ['outbound links, by each click', 'links', 'outbound, left click'],
  ['outbound links, not asked for', 'links', 'without its attribute nothing is sent of a link'],
  ['a link is not delayed by a slow service', 'peers', 'a slow service delays no link'],
  ['a child of a link to a new tab', 'peers', 'a child of a link that opens a new tab'],
  ['a link that the page stops', 'links', 'the event goes, and nothing else happens'],
  ['links in drawings', 'links', 'what a drawing is made of is no link'],
  ['downloads by extension', 'links', 'downloads by extension, without the query, once'],
  ['downloads of own extensions', 'links', 'downloads of the extensions that the page names'],
  [
    'an outbound download is one event',
    'peers',
    'a download from elsewhere is one event, and tagged its own',
  ],
  ['tagged elements', 'tagged', 'a tagged element sends its event with its properties'],
  ['tagged forms', 'tagged', 'a tagged form sends when it is submitted'],
  ['a form in a tagged element', 'tagged', 'a form in a tagged element sends the event when it is submitted'],
  ['revenue of tagged elements', 'tagged', 'revenue of a tagged element'],
  ['forms by GET', 'forms', 'by GET: its name and the path of its action'],
  ['forms that the page handles', 'forms', 'whose page stops the event'],
  ['forms added later', 'forms', 'added later'],
  ['invalid forms', 'forms', 'invalid: not submitted, not sent'],
  ['invalid forms that say novalidate', 'peers', 'an invalid form with novalidate is submitted, and sent'],
  ['several forms of a page', 'peers', 'two forms of a page: each by its own name'],
  ['a form that a script submits', 'peers', 'a form that a script submits is not seen'],
  ['callbacks', 'calls', 'a callback, once the service has the event, and only then'],
  ['events that are no interaction', 'calls', 'one that is no interaction'],
  ['no callback of what is refused or not sent', 'calls', 'once the service has the event, and only then'],
  ['revenue by a call', 'calls', 'an event with an address of its own'],
  [
    'calls before the script',
    'loading',
    'calls made before the script loads are made up for, in their order',
  ],
  ['two snippets of a page', 'loading', 'loaded twice counts once'],
  ['excluded by the fragment', 'exclude', 'routes in the fragment are pages here too'],
  [
    'properties of every page view, and those of a call',
    'guard',
    'properties of every page view, and of no event',
  ],
  [
    'a function that changes or drops events',
    'guard',
    "the page's function changes what is sent, or drops it",
  ],
  ['no function where one is named', 'guard', 'nothing is sent, and the console says why'],
  ['what is dropped is measured no more', 'guard', 'takes what was measured of it along'],
  ['the console says why nothing is sent', 'guard', 'a browser that is left out, and a function that drops'],
  ['the console is silent unless asked', 'peers', 'what is left out is not said without data-debug'],
  ['a download is fetched once, however it is clicked', 'peers', 'one event and one request'],
  ['a download of no listed extension', 'links', 'downloads of the extensions that the page names'],
  ['a tagged form where forms are asked for', 'peers', 'a tagged form sends its own event alone'],
  ['events by hand after a view with another address', 'peers', 'an event is of the page that is open'],
  ['an address without its campaign', 'peers', 'the function writes the address: without its query'],
  ['the canonical address', 'peers', 'the function writes the address: the canonical one'],
  ['depth by route', 'peers', 'each route has a depth of its own'],
];

/** What they try and why it isn't tried here. */
const NOT_HERE: readonly (readonly [what: string, why: string])[] = [
  ['script variants by file name', 'there is one script; attributes say what it does'],
  ['the installation check', 'the dashboard waits for the first page view instead'],
  ['properties of the page view with measured time', 'they are stored with its view'],
  ['a callback with a status or an error', 'a callback means that the service has it; nothing else calls it'],
  ['properties of every event', 'attributes are those of page views; a call names its own'],
  ['properties by a function', 'data-before-send may add them'],
  ['a changed event that is no object is sent', 'it is dropped: no text may leave a page that way'],
  ['outbound before download', 'here the download counts'],
  ['disk images are no downloads', 'here they are; data-downloads names others'],
  ['any fragment as a page', 'anchors are no pages; routes begin with #/ or #!/'],
  [
    'page views with a relative address',
    'an address is absolute; others are dropped, and the console says so',
  ],
  ['localhost is ignored', 'a policy names the domains that count'],
  ['settings given twice', 'a page has one script, and its attributes are the settings'],
  ['properties by the name meta', 'an old form of theirs'],
];

test.each(CASES)('%s: there is a test', async (_, file, title) => {
  const text = await readFile(new URL(`${file}.browser.test.ts`, import.meta.url), 'utf8');
  expect(text.replaceAll(/\$\{[^}]*\}/g, '')).toContain(title);
});

test.each(NOT_HERE)('%s: not here, since %s', (what) => {
  expect(CASES.map(([tried]) => tried)).not.toContain(what);
});

const visit = useVisits();
const STAY = 'onsubmit="event.preventDefault()"';

async function arrive(attributes: string, body: string): Promise<Visit> {
  const visitor = await visit();
  visitor.fixture.pages['/'] = html({ attributes, body });
  await visitor.open();
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  await awaitLinks(visitor.page);
  return visitor;
}

test('by hand and without a page view: nothing is measured', async () => {
  const visitor = await visit();
  visitor.fixture.pages['/'] = html({ attributes: 'data-manual' });
  await visitor.open();
  await visitor.mark('only');
  await visitor.leave();
  expect(visitor.sent().map(({ name }) => name)).toEqual(['only']);
  expect([visitor.fixture.events('pageview'), visitor.fixture.events('engagement')]).toEqual([[], []]);
});

test('a slow service delays no link', async () => {
  const visitor = await arrive('data-outbound', `<a id="link" href="${ELSEWHERE}/there">There</a>`);
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  visitor.fixture.policy = async () => {
    await held;
    return { maxTier: 3 };
  };
  await visitor.page.click('#link');
  await visitor.page.waitForURL(/elsewhere/);
  await expect
    .poll(() => visitor.fixture.calls('track').some(({ body }) => body.includes('Outbound link')))
    .toBe(true);
  expect(visitor.sent()).toEqual([]);
  answer();
  await expect.poll(() => visitor.sent().map(({ name }) => name)).toEqual(['Outbound link']);
});

test('a child of a link that opens a new tab', async () => {
  const visitor = await arrive(
    'data-outbound',
    `<a target="_blank" href="${ELSEWHERE}/there"><b id="child">There</b></a>`,
  );
  const [opened] = await Promise.all([visitor.context.waitForEvent('page'), visitor.page.click('#child')]);
  await opened.waitForURL(/elsewhere/);
  await expect.poll(() => visitor.sent().map(({ name }) => name)).toEqual(['Outbound link']);
});

test('a download from elsewhere is one event, and tagged its own', async () => {
  const link = (more: string) =>
    `<a ${more} onclick="event.preventDefault()" href="${ELSEWHERE}/file.pdf">File</a>`;
  const visitor = await arrive(
    'data-outbound data-downloads',
    link('id="plain"') + link('id="tagged" data-vendor-event="Price list"'),
  );
  await visitor.page.click('#plain');
  await visitor.page.click('#tagged');
  await visitor.mark('end');
  expect(visitor.sent().map(({ name }) => name)).toEqual(['Download', 'Price list', 'end']);
});

test('an invalid form with novalidate is submitted, and sent', async () => {
  const visitor = await arrive(
    'data-forms',
    `<form id="loose" novalidate ${STAY}><input id="mail" type="email" required><button>Go</button></form>`,
  );
  await visitor.page.fill('#mail', 'nonsense');
  await visitor.page.click('button');
  await expect.poll(() => visitor.sent().map(({ props }) => props?.form)).toEqual(['loose']);
});

test('two forms of a page: each by its own name', async () => {
  const visitor = await arrive(
    'data-forms',
    `<form id="one" ${STAY}><button>Go</button></form><form id="two" ${STAY}><input id="mail" type="email"></form>`,
  );
  await visitor.page.click('button');
  await visitor.page.fill('#mail', 'ana@example.pt');
  await visitor.page.press('#mail', 'Enter');
  await expect.poll(() => visitor.sent().map(({ props }) => props?.form)).toEqual(['one', 'two']);
});

test('a form that a script submits is not seen', async () => {
  const visitor = await arrive('data-forms', '<form id="form" action="/bare"></form>');
  await visitor.page.evaluate(() => {
    document.querySelector('form')?.submit();
    window.vendor?.track('end');
  });
  await visitor.page.waitForURL(/bare/);
  await expect.poll(() => visitor.sent().map(({ name }) => name)).toEqual(['end']);
});

test('what is left out is not said without data-debug', async () => {
  const visitor = await visit();
  visitor.fixture.pages['/'] = html({ attributes: 'data-exclude="/"' });
  await visitor.open();
  await visitor.page.waitForFunction(() => window.vendor?.q === undefined);
  await visitor.page.evaluate(() => window.vendor?.track('a'));
  await visitor.leave();
  expect([visitor.fixture.calls('track'), visitor.noise]).toEqual([[], []]);
});

test.each([
  ['a click', 'href="/file.csv"', 'File', {}],
  ['a click, in a new tab', 'href="/file.csv" target="_blank"', 'File', {}],
  ['a click with Control', 'href="/file.csv"', 'File', { modifiers: ['Control' as const] }],
  ['a click on a child', 'href="/file.csv"', '<div><b>File</b></div>', {}],
  ['a click, with a broken query', 'href="/file.csv?user=a%secret=1"', 'File', {}],
])('a download by %s: one event and one request', async (_, attributes, body, options) => {
  const visitor = await arrive('data-downloads', `<a id="link" ${attributes}>${body}</a>`);
  const { fixture, page } = visitor;
  fixture.pages['/file.csv'] = 'a,b';
  await page.locator('#link :last-child, #link').last().click(options);
  await expect
    .poll(() => visitor.sent())
    .toEqual([{ name: 'Download', props: { url: `${fixture.origin}/file.csv` } }]);
  await expect.poll(() => fixture.seen.map(({ url }) => url.pathname)).toContain('/file.csv');
  expect(fixture.seen.filter(({ url }) => url.pathname === '/file.csv')).toHaveLength(1);
  expect(visitor.sent()).toHaveLength(1);
});

test('a tagged form sends its own event alone, where forms are asked for', async () => {
  const visitor = await arrive(
    'data-forms',
    `<form id="form" data-vendor-event="Sign up" ${STAY}><input><button>Go</button></form>`,
  );
  await visitor.page.click('button');
  await visitor.mark('end');
  expect(visitor.sent().map(({ name }) => name)).toEqual(['Sign up', 'end']);
});

test('by hand: an event is of the page that is open, unless it names another', async () => {
  const visitor = await visit();
  const { fixture, page } = visitor;
  fixture.pages['/'] = html({ attributes: 'data-manual' });
  await visitor.open();
  const custom = 'https://example.com/custom/location';
  await page.evaluate((url) => {
    window.vendor?.page();
    window.vendor?.track('here');
    window.vendor?.track('there', {}, undefined, { url });
    window.vendor?.page({ url });
    window.vendor?.track('here');
    window.vendor?.track('there', {}, undefined, { url });
  }, custom);
  await expect.poll(() => fixture.events('event')).toHaveLength(4);
  const here = `${fixture.origin}/`;
  expect(fixture.events('pageview').map(({ url }) => url)).toEqual([here, custom]);
  expect(fixture.events('event').map(({ url }) => url)).toEqual([here, custom, here, custom]);
});

test.each([
  ['without its query', 'event.url.split("?")[0]', '/'],
  [
    'the canonical one',
    'document.querySelector("link[rel=canonical]").href + location.search',
    '/shoe?utm_source=mail',
  ],
])('the function writes the address: %s', async (_, address, expected) => {
  const visitor = await visit();
  const { fixture } = visitor;
  fixture.pages['/'] = html({
    attributes: 'data-before-send="change"',
    before: `function change(event) { return { ...event, url: event.url && ${address} }; }`,
    body: '<link rel="canonical" href="/shoe">',
  });
  await visitor.open('/?utm_source=mail');
  await expect
    .poll(() => fixture.events('pageview').map(({ url }) => url))
    .toEqual([fixture.origin + expected]);
});

test('each route has a depth of its own', async () => {
  const visitor = await visit();
  const { fixture, page } = visitor;
  fixture.pages['/'] = html({ attributes: 'data-hash', body: '<div id="more"></div>' });
  await visitor.measured('/#/short');
  await page.evaluate(() => {
    location.hash = '#/long';
    (document.querySelector('#more') as HTMLElement).style.height = '5000px';
  });
  await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
  await page.evaluate(() => scrollTo(0, 100));
  await visitor.leave();
  await expect.poll(() => new Set(fixture.events('engagement').map(({ pageId }) => pageId)).size).toBe(2);
  const [short, long] = fixture.events('pageview').map(({ pageId }) =>
    Math.max(
      ...fixture
        .events('engagement')
        .filter((event) => event.pageId === pageId)
        .map(({ scrollDepth = 0 }) => scrollDepth),
    ),
  );
  expect(short).toBe(100);
  expect(long).toBeLessThan(50);
});

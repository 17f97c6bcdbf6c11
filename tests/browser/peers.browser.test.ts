/**
 * What Plausible's own browser tests (plausible/analytics, tracker/test, read in November 2026) try and what applies to this tracker, in our
 * words, with the test that tries it here. Those without another home are below. Cases that don't apply: its script variants by file name,
 * its installation check, and that measured time carries the properties of the page view, which is stored with its view here.
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
];

test.each(CASES)('%s: there is a test', async (_, file, title) => {
  const text = await readFile(new URL(`${file}.browser.test.ts`, import.meta.url), 'utf8');
  expect(text.replaceAll(/\$\{[^}]*\}/g, '')).toContain(title);
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

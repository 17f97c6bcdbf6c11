import { expect, test } from 'vitest';
import { html } from './html.ts';
import { useVisits, type Visit } from './visit.ts';

const visit = useVisits();
const EXCLUDE = 'data-exclude="/private, /admin/*,/*/draft"';

async function arrive(path: string, attributes = EXCLUDE): Promise<Visit> {
  const visitor = await visit();
  visitor.fixture.pages[path] = html({ attributes, body: '<a id="next" href="/bare">next</a>' });
  await visitor.open(path);
  return visitor;
}

const viewed = ({ fixture }: Visit): string[] =>
  fixture.events('pageview').map(({ url }) => url.slice(fixture.origin.length));

for (const path of [
  '/private',
  '/private/',
  '/admin',
  '/admin/',
  '/admin/users/7',
  '/blog/draft',
  '/es/blog/draft',
])
  test(`${path} is excluded: no page view, no event, no engagement`, async () => {
    const visitor = await arrive(path);
    await visitor.page.evaluate(() => window.vendor?.track('there'));
    await visitor.page.evaluate(() => window.vendor?.page());
    await visitor.leave();
    expect(visitor.fixture.calls('track')).toEqual([]);
  });

for (const path of [
  '/',
  '/privately',
  '/private/x',
  '/administration',
  '/es/private',
  '/draft',
  '/p.ivate',
  '/x//y/private',
])
  test(`${path} is not`, async () => {
    const visitor = await arrive(path);
    await expect.poll(() => viewed(visitor)).toEqual([path]);
  });

for (const [pattern, excluded, counted] of [
  ['/a.html', '/a.html', '/axhtml'],
  ['/private/', '/private', '/private/x'],
  ['/', '/', '/x'],
  ['/c++/(1)[2]$', '/c++/(1)[2]$', '/c/1'],
  ['/café/*', '/caf%C3%A9/menu', '/cafe/menu'],
  ['/caf%C3%A9', '/caf%C3%A9', '/caf'],
  ['/100%/*', '/100%/x', '/100'],
  ['/private,', '/private', '/'],
] as const)
  test(`data-exclude="${pattern}" is ${excluded}, and not ${counted}`, async () => {
    const visitor = await arrive(counted, `data-exclude="${pattern}"`);
    await expect.poll(() => viewed(visitor)).toEqual([counted]);
    visitor.fixture.pages[excluded] = html({ attributes: `data-exclude="${pattern}"` });
    await visitor.open(excluded);
    await visitor.page.evaluate(() => window.vendor?.track('there'));
    await visitor.leave();
    expect(viewed(visitor)).toEqual([counted]);
    expect(visitor.fixture.events('event')).toEqual([]);
    expect(visitor.noise).toEqual([]);
  });

test('an excluded path in the query excludes nothing', async () => {
  const visitor = await visit();
  visitor.fixture.pages['/'] = html({ attributes: EXCLUDE });
  await visitor.open('/?from=https://localhost/private');
  await expect.poll(() => viewed(visitor)).toHaveLength(1);
});

test('nothing is sent where the part that excludes is kept back', async () => {
  const visitor = await visit();
  visitor.fixture.withhold = (part) => part === 'guard';
  visitor.fixture.pages['/'] = html({ attributes: EXCLUDE });
  await visitor.open();
  await expect.poll(() => visitor.fixture.parts()).toContain('guard');
  await visitor.leave();
  expect([...visitor.fixture.calls('policy'), ...visitor.fixture.calls('track')]).toEqual([]);
  expect(visitor.noise).toEqual([]);
});

test('who comes from an excluded page by a link is not said to have come from there', async () => {
  const visitor = await visit();
  const { fixture, page } = visitor;
  fixture.pages['/private'] = html({ attributes: EXCLUDE, body: '<a id="next" href="/after">next</a>' });
  fixture.pages['/after'] = html({ attributes: EXCLUDE });
  await visitor.open('/private');
  await page.click('#next');
  await expect.poll(() => viewed(visitor)).toEqual(['/after']);
  expect(fixture.events('pageview')[0]?.referrer).toBe(`${fixture.origin}/`);
});

test('an arrival on an excluded page keeps where it came from for the next page', async () => {
  const visitor = await visit();
  const { fixture, page } = visitor;
  fixture.pages['/from'] = '<a href="/private">in</a>';
  fixture.pages['/private'] = html({ attributes: EXCLUDE });
  await visitor.open('/from');
  await page.click('a');
  await expect.poll(() => fixture.calls('policy')).toHaveLength(1);
  await page.evaluate(() => history.pushState({}, '', '/after'));
  await expect.poll(() => viewed(visitor)).toEqual(['/after']);
  expect(fixture.events('pageview')[0]?.referrer).toBe(`${fixture.origin}/from`);
});

test('with everything in one file too', async () => {
  const visitor = await visit();
  const { fixture } = visitor;
  for (const path of ['/private', '/open'])
    fixture.pages[path] = html({ attributes: EXCLUDE }).replace('/tracker.js', '/tracker-all.js');
  await visitor.open('/private');
  await visitor.open('/open');
  await expect.poll(() => viewed(visitor)).toEqual(['/open']);
});

test('the query does not matter', async () => {
  const visitor = await visit();
  visitor.fixture.pages['/private'] = html({ attributes: EXCLUDE });
  await visitor.open('/private?x=/public');
  await visitor.leave();
  expect(visitor.fixture.calls('track')).toEqual([]);
});

test('in-app navigation through an excluded page: nothing of it, not even as a referrer', async () => {
  const visitor = await visit();
  const { fixture, page, measured, leave } = visitor;
  fixture.pages['/'] = html({ attributes: EXCLUDE });
  await measured();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.evaluate(() => history.pushState({}, '', '/private'));
  await page.evaluate(() => window.vendor?.track('there'));
  await page.evaluate(() => history.pushState({}, '', '/after'));
  await leave();
  expect(viewed(visitor)).toEqual(['/', '/after']);
  expect(fixture.events('pageview')[1]?.referrer).toBe(`${fixture.origin}/`);
  expect(fixture.events('event')).toEqual([]);
  const pageIds = fixture.events('pageview').map(({ pageId }) => pageId);
  for (const { pageId } of fixture.events('engagement')) expect(pageIds).toContain(pageId);
  for (const { body } of fixture.calls('track')) expect(body).not.toContain('/private');
});

test('routes in the fragment are pages here too', async () => {
  const visitor = await visit();
  const { fixture, page, open, leave } = visitor;
  fixture.pages['/'] = html({ attributes: 'data-hash data-exclude="/#/admin*"' });
  await open();
  await expect.poll(() => viewed(visitor)).toEqual(['/']);
  await page.evaluate(() => {
    location.hash = '#/admin/x';
  });
  await page.evaluate(() => {
    location.hash = '#/open';
  });
  await leave();
  expect(viewed(visitor)).toEqual(['/', '/#/open']);
});

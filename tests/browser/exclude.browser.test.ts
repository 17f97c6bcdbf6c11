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

for (const path of ['/private', '/admin/', '/admin/users/7', '/blog/draft', '/es/blog/draft'])
  test(`${path} is excluded: no page view, no event, no engagement`, async () => {
    const visitor = await arrive(path);
    await visitor.page.evaluate(() => window.vendor?.track('there'));
    await visitor.page.evaluate(() => window.vendor?.page());
    await visitor.leave();
    expect(visitor.fixture.calls('track')).toEqual([]);
  });

for (const path of ['/', '/privately', '/private/x', '/admin', '/es/private', '/draft', '/p.ivate'])
  test(`${path} is not`, async () => {
    const visitor = await arrive(path);
    await expect.poll(() => viewed(visitor)).toEqual([path]);
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

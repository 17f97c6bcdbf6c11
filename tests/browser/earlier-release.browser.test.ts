/** Browsers keep the script for some hours: that of the release before meets the parts of this one. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { html } from './html.ts';
import { useVisits } from './visit.ts';

const visit = useVisits();

test('the script of version 0.2 with the parts of today: clicks, attention and vitals', async () => {
  const visitor = await visit();
  const { fixture, page, noise } = visitor;
  const script = await readFile(new URL('releases/tracker-0.2.0.js', import.meta.url), 'utf8');
  fixture.answer = ({ url }, response) => {
    if (url.pathname !== '/earlier.js') return false;
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
    return true;
  };
  fixture.pages['/'] = html({
    attributes: 'data-exclude="/private"',
    body: '<button id="b" type="button" data-vendor-event="Tagged">b</button>',
  }).replace('/tracker.js', '/earlier.js');
  await visitor.measured();
  await page.click('#b');
  await expect.poll(() => visitor.sent().map(({ name }) => name)).toEqual(['Tagged']);
  await page.evaluate(() => history.pushState({}, '', '/private'));
  await page.evaluate(() => history.pushState({}, '', '/public'));
  await visitor.mark('end');
  await visitor.leave();
  expect(fixture.events('pageview').map(({ url }) => url.slice(fixture.origin.length))).toEqual([
    '/',
    '/public',
  ]);
  await expect.poll(() => fixture.events('vitals')).toHaveLength(1);
  expect(fixture.events('engagement').length).toBeGreaterThan(0);
  expect(noise).toEqual([]);
});

test('parts of an earlier version that the browser still has aren’t taken', async () => {
  const visitor = await visit();
  await visitor.measured();
  const asked = visitor.fixture.seen.filter(({ url }) => url.pathname === '/measure.js');
  expect(new Set(asked.map(({ url }) => url.search))).toEqual(new Set(['?3']));
});

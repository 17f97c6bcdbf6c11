/** The documents' examples that belong on a page, in a browser. */
import { expect, test } from 'vitest';
import { SITE_ID } from '../browser/browser-fixture.ts';
import { useVisits } from '../browser/visit.ts';
import { textOf } from './doc-examples.ts';

const visit = useVisits();
const TAG = textOf(
  'packages/tracker/README.md: <script defer src="https://vendor.example/tracker.js" data-site="SITE_ID"></script>',
);

const page = (tag: string, body = ''): string =>
  `<!doctype html><link rel="icon" href="data:,"><title>Page</title>${tag
    .replace('https://vendor.example', '')
    .replace('SITE_ID', SITE_ID)}<body>${body}`;

test('the script tag, the calls of the page, and the visitor’s id', async () => {
  const { fixture, page: tab, open, noise } = await visit();
  fixture.pages['/'] = page(TAG);
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await tab.addScriptTag({
    content: textOf(
      "packages/tracker/README.md: vendor.consent('granted'); // or 'denied'; works on the same page, without reloading",
    ),
  });
  await expect
    .poll(() => fixture.events('event').map(({ name }) => name))
    .toEqual(['signup', 'purchase', 'shown', 'signup']);
  expect(fixture.events('event')).toMatchObject([
    { props: { plan: 'pro' } },
    { revenue: { amount: '12.34', currency: 'EUR' } },
    { interactive: false },
    { url: 'https://example.com/join' },
  ]);
  expect(fixture.events('pageview')).toMatchObject([
    {},
    {},
    { url: 'https://example.com/step-2', props: { author: 'Ana' } },
  ]);
  const sent = fixture.bodies().at(-1)?.visitorId;
  const code = textOf(
    'docs/events.md: const visitorId = window.vendor?.visitorId?.(); // undefined below tier 3, and before the tier is known',
  );
  expect(await tab.evaluate(`(() => { ${code}\nreturn visitorId; })()`)).toBe(sent);
  expect(sent).toBeDefined();
  expect(noise).toEqual([]);
});

test('a tagged element', async () => {
  const { fixture, page: tab, open } = await visit();
  const link = textOf(
    'packages/tracker/README.md: <a href="/pricing" data-vendor-event="Pricing" data-vendor-prop-plan="pro">Prices</a>',
  );
  fixture.pages['/'] = page(TAG, link);
  fixture.pages['/pricing'] = page(TAG);
  await open();
  await expect.poll(() => fixture.parts()).toContain('links');
  await tab.getByRole('link', { name: 'Prices' }).click();
  await tab.waitForURL('**/pricing');
  await expect
    .poll(() => fixture.events('event'))
    .toMatchObject([{ name: 'Pricing', props: { plan: 'pro' } }]);
});

test('a script tag behind the page’s own path', async () => {
  const { fixture, open } = await visit();
  const tag = textOf('docs/proxy.md: <script defer src="/stats/s.js" data-site="SITE_ID"></script>');
  // The proxy that gives the script another name.
  fixture.pages['/'] = page(tag.replace('s.js', 'tracker.js'));
  await open();
  await expect.poll(() => fixture.seen.map(({ url }) => url.pathname)).toContain('/stats/api/v1/policy');
});

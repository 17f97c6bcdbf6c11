import { expect, onTestFinished, test } from 'vitest';
import { useFixtures } from './browser-fixture.ts';
import { openUnattended } from './chromium.ts';
import { html } from './html.ts';

const newFixture = useFixtures();

test('a prerendered page sends nothing before it is shown, and then one page view', async () => {
  const fixture = await newFixture();
  const from = (path: string) => fixture.seen.filter(({ url }) => url.pathname === path);
  const askedBy = (path: string) =>
    fixture.calls('policy').filter(({ headers }) => headers.referer === fixture.origin + path);
  fixture.pages['/'] = html({
    before: `const watch = setInterval(async () => {
  if ((await fetch('/go')).ok) { clearInterval(watch); location.href = '/next'; }
}, 50);`,
    body: '<script type="speculationrules">{"prerender":[{"urls":["/next"],"eagerness":"immediate"}]}</script>',
  });
  fixture.pages['/next'] = html({
    title: 'Next',
    before: `addEventListener('pageshow', () => fetch('/prepared?ahead=' + document.prerendering));
document.addEventListener('prerenderingchange', () => fetch('/shown'));`,
  });
  onTestFinished(await openUnattended(`${fixture.origin}/`));
  await expect.poll(() => fixture.events('pageview'), { timeout: 20_000 }).toHaveLength(1);
  await expect.poll(() => from('/prepared'), { timeout: 20_000 }).toHaveLength(1);
  expect(from('/prepared')[0]?.url.search).toBe('?ahead=true');
  expect(askedBy('/next')).toEqual([]);
  fixture.pages['/go'] = 'now';
  await expect.poll(() => from('/shown')).toHaveLength(1);
  await expect.poll(() => fixture.events('pageview').map(({ title }) => title)).toEqual(['Page', 'Next']);
  expect(askedBy('/next')).toHaveLength(1);
  // The service treats requests of prerendered pages as robots' requests.
  for (const { headers } of fixture.calls('track')) expect(headers).not.toHaveProperty('sec-purpose');
});

/** The package for bundlers: built as it would be published, bundled into a page's own script, run in the browser. */
import { fileURLToPath } from 'node:url';
import type { Settings } from '@vendor/tracker';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { bundlePackage } from '../../packages/tracker/bundle-package.ts';
import { SITE_ID } from './browser-fixture.ts';
import { NOTHING_STORED, readStored, useVisits, type Visit } from './visit.ts';

const visit = useVisits();

beforeAll(() => bundlePackage(fileURLToPath(new URL('../../packages/tracker/dist', import.meta.url))));

/** A module as a page's author would write it, bundled with the package. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'js' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
  });
  return outputFiles[0]?.text ?? '';
}

/** A page with the bundled script `app`. In `app`, `settings` has the given settings, with the fixture as the service. */
async function arrive(app: string, settings: Partial<Settings> = {}, body = ''): Promise<Visit> {
  const visitor = await visit();
  const all: Settings = { site: SITE_ID, api: visitor.fixture.origin, ...settings };
  const script = await bundle(
    `import { consent, init, page, track, visitorId } from '@vendor/tracker';
const settings = ${JSON.stringify(all)};
${app}
Object.assign(window, { api: { consent, init, page, track, visitorId } });`,
  );
  visitor.fixture.pages['/'] =
    `<!doctype html><link rel="icon" href="data:,"><title>App</title>${body}<script type="module">${script}</script>`;
  await visitor.open();
  return visitor;
}

test('a page view, and calls from before and after init in their order', async () => {
  const visitor = await arrive(
    `track('early', { n: 1 }); init(settings); track('late', undefined, { amount: '9.90', currency: 'EUR' });`,
  );
  await expect.poll(() => visitor.fixture.events('event')).toHaveLength(2);
  expect(visitor.fixture.events('pageview')).toMatchObject([
    { url: `${visitor.fixture.origin}/`, title: 'App' },
  ]);
  expect(visitor.fixture.events('event')).toMatchObject([
    { name: 'early', props: { n: 1 } },
    { name: 'late', revenue: { amount: '9.90', currency: 'EUR' } },
  ]);
  expect(visitor.noise).toEqual([]);
});

test('its parts are in the bundle: nothing is fetched but the policy and what is sent', async () => {
  const visitor = await arrive(
    'init(settings)',
    { outbound: true, downloads: ['step'], forms: true },
    '<a id="file" href="/a.step" onclick="event.preventDefault()">File</a><button id="tagged" data-vendor-event="Tagged">Tagged</button>',
  );
  const { fixture, page, leave } = visitor;
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.click('#file');
  await page.click('#tagged');
  await expect.poll(() => fixture.events('event')).toHaveLength(2);
  expect(fixture.events('event')).toMatchObject([
    { name: 'Download', props: { url: `${fixture.origin}/a.step` } },
    { name: 'Tagged' },
  ]);
  await leave();
  await expect.poll(() => fixture.events('vitals')).toHaveLength(1);
  expect(fixture.seen.map(({ url }) => url.pathname)).not.toContain('/tracker.js');
});

test('settings: manual, hash, exclude', async () => {
  const visitor = await arrive('init(settings)', { manual: true, hash: true, exclude: ['/#/admin*'] });
  const { fixture, page, leave } = visitor;
  await page.evaluate(() => {
    const { api } = window as unknown as { api: { page: () => void } };
    location.hash = '#/open';
    api.page();
    location.hash = '#/admin/x';
    api.page();
  });
  await leave();
  expect(fixture.events('pageview').map(({ url }) => url)).toEqual([`${fixture.origin}/#/open`]);
});

test('consent: granted on the page, and withdrawn, which deletes what was stored', async () => {
  const visitor = await arrive('init(settings)');
  const { fixture, page } = visitor;
  fixture.policy = (consent) => ({ maxTier: consent === 'denied' ? 1 : 3 });
  await expect.poll(() => fixture.bodies()[0]?.visitorId).toBeDefined();
  const known = await page.evaluate(() =>
    (window as unknown as { api: { visitorId: () => string } }).api.visitorId(),
  );
  expect(known).toBe(fixture.bodies()[0]?.visitorId);
  await page.evaluate(() => {
    const { api } = window as unknown as { api: { consent: (value: string) => void } };
    api.consent('denied');
  });
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
});

test('initialised twice, or beside the script: counts once', async () => {
  const visitor = await arrive('init(settings); init(settings);');
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  await visitor.mark('end');
  await visitor.leave();
  expect(visitor.fixture.events('pageview')).toHaveLength(1);
  expect(visitor.fixture.calls('policy')).toHaveLength(1);
});

test('Global Privacy Control holds for the package too', async () => {
  const visitor = await visit();
  await visitor.page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
  );
  const script = await bundle(
    `import { init, consent } from '@vendor/tracker'; init({ site: '${SITE_ID}', api: location.origin }); consent('granted');`,
  );
  visitor.fixture.pages['/'] = `<!doctype html><title>App</title><script type="module">${script}</script>`;
  await visitor.open();
  await visitor.leave();
  expect([...visitor.fixture.calls('policy'), ...visitor.fixture.calls('track')]).toEqual([]);
});

test('on a server it does nothing', async () => {
  const { init, track } = await import('@vendor/tracker');
  expect(init({ site: SITE_ID, api: 'https://vendor.example' })).toBeUndefined();
  expect(track('signup')).toBeUndefined();
});

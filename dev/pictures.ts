/**
 * `npm run pictures`: makes the picture beside pasted links, and those of the dashboard in `docs/images` from the demo data of a
 * running `npm run dev` (`npm run demo` has filled it). CHROMIUM_PATH names a browser; default: the one that npm brings.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import bundled from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { ROOT } from '../tooling/deployment.ts';
import { readDevFile } from './dev-file.ts';

const { baseUrl, siteId, projectId, environmentId, email, password } = await readDevFile();
if (baseUrl === undefined || siteId === undefined || environmentId === undefined)
  throw new Error('Start `npm run dev` first, then `npm run demo`.');

const PICTURES = [
  {
    name: 'dashboard-light',
    path: `/sites/${siteId}`,
    width: 1280,
    height: 800,
    scheme: 'light',
    drawn: '.chart .line.unfinished',
  },
  {
    name: 'dashboard-dark-phone',
    path: `/sites/${siteId}?period=7d`,
    width: 390,
    height: 800,
    scheme: 'dark',
    drawn: '.chart .bar.unfinished',
  },
  {
    name: 'service-light',
    path: `/projects/${projectId}/${environmentId}/services?service=shop-api&latencies=time&period=7d`,
    width: 1280,
    height: 1110,
    scheme: 'light',
    drawn: '.latencies .chart',
  },
] as const;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? (await bundled.executablePath()),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const { name, path, width, height, scheme, drawn } of PICTURES) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    const signedIn = await context.request.post(`${baseUrl}/api/auth/sign-in`, {
      data: { email, password },
      headers: { Origin: baseUrl },
    });
    if (!signedIn.ok()) throw new Error(`Signing in was answered with ${signedIn.status()}.`);
    const page = await context.newPage();
    // A page of `npm run dev` keeps a connection open, so it is never idle.
    await page.goto(baseUrl + path);
    await page.locator(drawn).first().waitFor();
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
    await page.screenshot({ path: join(ROOT, 'docs/images', `${name}.png`) });
    console.log(`docs/images/${name}.png`);
    await context.close();
  }
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.goto(pathToFileURL(join(ROOT, 'web/app/preview.html')).href);
  await page.screenshot({ path: join(ROOT, 'web/app/preview.png') });
  console.log('web/app/preview.png');
} finally {
  await browser.close();
}

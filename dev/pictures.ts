/**
 * `npm run pictures`: makes the pictures of the dashboard in `docs/images`, from the demo data of a running `npm run dev` (`npm run demo` has
 * filled it). CHROMIUM_PATH names a browser; default: the one that npm brings.
 */
import { join } from 'node:path';
import bundled from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { ROOT } from '../tooling/deployment.ts';
import { readDevFile } from './dev-file.ts';

const { baseUrl, siteId, email, password } = await readDevFile();
if (baseUrl === undefined || siteId === undefined)
  throw new Error('Start `npm run dev` first, then `npm run demo`.');

const PICTURES = [
  { name: 'dashboard-light', path: `/sites/${siteId}`, width: 1280, height: 800, scheme: 'light' },
  {
    name: 'dashboard-dark-phone',
    path: `/sites/${siteId}?period=7d`,
    width: 390,
    height: 800,
    scheme: 'dark',
  },
] as const;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? (await bundled.executablePath()),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const { name, path, width, height, scheme } of PICTURES) {
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
    await page.goto(baseUrl + path, { waitUntil: 'networkidle' });
    await page.locator('.chart .area').waitFor();
    await page.screenshot({ path: join(ROOT, 'docs/images', `${name}.png`) });
    console.log(`docs/images/${name}.png`);
    await context.close();
  }
} finally {
  await browser.close();
}

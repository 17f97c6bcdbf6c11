/** A change of the dashboard while `npm run dev` runs: the open page has it, and no function is started anew. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AppServer, startAppServer } from '../../dev/app-server.ts';
import type { Stack } from '../../dev/stack.ts';
import { type AppBundle, bundleApp } from '../../web/app/bundle-app.ts';
import { createTenant } from '../security/tenant.ts';
import { startOwnStack } from '../services/use-stack.ts';
import { useChromium } from './chromium.ts';
import { openDashboard } from './dashboard/open-dashboard.ts';

const newContext = useChromium();

/** The bundle with a rule at the end of its style, under a name of its own. */
async function withRule(rule: string): Promise<AppBundle> {
  const { files, named, ...rest } = await bundleApp();
  const old = named.style.replace('/app/', '');
  const style = `style-${Buffer.from(rule).toString('hex').slice(0, 8)}.css`;
  return {
    files: new Map([...files, [style, Buffer.concat([files.get(old) ?? Buffer.of(), Buffer.from(rule)])]]),
    named: { ...named, style: `/app/${style}` },
    ...rest,
  };
}

let rule = '';
let app: AppServer;
let stack: Stack;
const lines: string[] = [];

beforeAll(async () => {
  app = await startAppServer(() => {
    if (rule === '') throw new Error('web/app/main.tsx:1:1 Unexpected token');
    return withRule(rule);
  });
  stack = await startOwnStack({ appOrigin: app.origin, log: (line) => lines.push(line) });
});
afterAll(async () => {
  await stack?.close();
  await app?.close();
});

test('open pages are loaded again with what was built', async () => {
  const person = await createTenant(stack.sql);
  const { page, complaints } = await openDashboard(stack, newContext, person, '/sites');
  const colour = () => page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--of-test'));
  expect(await colour()).toBe('');
  // Which page it is: a new one doesn't have the mark.
  const mark = () => page.evaluate(() => document.body.dataset.mark);
  await page.evaluate(() => {
    document.body.dataset.mark = 'first';
  });

  await expect(app.rebuild()).rejects.toThrow('main.tsx:1:1');
  expect(await mark()).toBe('first');

  for (const value of ['one', 'two']) {
    rule = `body{--of-test:${value}}`;
    await app.rebuild();
    await expect.poll(colour).toBe(value);
    await expect.poll(() => page.locator('h1').innerText()).toBe('Websites');
  }
  expect(await mark()).toBe(undefined);
  // Pages of others than the dashboard have no script of development.
  const signIn = await (await stack.fetch('/sign-in')).text();
  expect(signIn).not.toContain('/dev/');
  expect(complaints).toEqual([]);
});

/** Helpers for tests of the dashboard in a browser. */
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Stack } from '../../../dev/stack.ts';
import type { Person } from '../../security/tenant.ts';

export interface Opened {
  page: Page;
  /** Messages of the console and errors of the browser. */
  complaints: string[];
  /** Opens another view in the same tab. */
  go(path: string): Promise<void>;
}

/** Opens a view as a person who is signed in. */
export async function openDashboard(
  { baseUrl }: Stack,
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>,
  { cookie }: Pick<Person, 'cookie'>,
  path: string,
): Promise<Opened> {
  const context = await newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: baseUrl, httpOnly: true, sameSite: 'Lax' }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The browser reports what the service refuses as an error; views say it.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  const go = async (to: string): Promise<void> => {
    await page.goto(baseUrl + to);
    await page.locator('main h1').waitFor();
  };
  await go(path);
  return { page, complaints, go };
}

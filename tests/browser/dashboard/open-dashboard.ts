/** Helpers for tests of the dashboard in a browser. */
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Stack } from '../../../dev/stack.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { TrackMessage } from '../../../lib/collection/track-message.ts';
import { createTenant, type Person, type Tenant } from '../../security/tenant.ts';

/** What one step of a test waits for at most. */
const STEP_MS = 12_000;

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
  // Names the step that waits in vain, before the test's own time is over.
  page.setDefaultTimeout(STEP_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The browser reports what the service refuses as an error; views say it.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  const go = async (to: string): Promise<void> => {
    await page.goto(baseUrl + to);
    await page.locator('h1').waitFor();
  };
  await go(path);
  return { page, complaints, go };
}

/** Asks the API with a person's token. */
export async function askApi(
  stack: Stack,
  { token }: Pick<Person, 'token'>,
  method: string,
  path: string,
  body?: object,
) {
  const response = await stack.fetch(`/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** A site of a new person with these visits. */
export async function newSite(
  { sql }: Stack,
  ...messages: readonly Omit<TrackMessage, 'siteId'>[]
): Promise<Tenant> {
  const tenant = await createTenant(sql);
  await foldBatch(
    sql,
    messages.map((message) => ({ ...message, siteId: tenant.siteId })),
    Date.now(),
  );
  return tenant;
}

/** Opens the numbers of a chart, and waits for their table: it is made when it is opened. */
export async function openNumbers(within: Page | Locator): Promise<void> {
  const name = 'The same numbers as a table';
  await within.getByRole('button', { name }).or(within.getByText(name)).first().click();
  await within.locator('table').first().waitFor();
}

/** The texts of a table's rows, cell by cell. */
export const readTable = (page: Page, name?: string): Promise<string[][]> =>
  (name === undefined ? page.locator('main') : page.getByRole('dialog', { name }))
    .locator('table tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td:not(.actions)')].map((cell) => (cell as HTMLElement).innerText.trim()),
      ),
    );

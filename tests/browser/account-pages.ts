/** Helpers for tests of the account pages in a browser. */
import type { BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import type { Stack } from '../../dev/stack.ts';
import { WORDS } from '../../functions/account/pages/page-words-by-language.ts';
import type { Language } from '../../lib/languages.ts';
import { signUp } from '../functions/account/browser.ts';

export const PASSWORD = 'correct horse battery';

/** The English words, without the values that the script fills in. */
export const say = WORDS.en;

export const newEmail = (): string => `${crypto.randomUUID()}@example.com`;

let addresses = 0;

/** Each browser has another address, because limits count by address before sign-in. */
const newAddress = (): string => `100.65.${addresses >> 8}.${addresses++ % 256}`;

export interface Opened {
  page: Page;
  context: BrowserContext;
  /** Messages of the console and errors of the browser. */
  complaints: string[];
  /** Every request of the page. */
  asked: Request[];
  /** Opens another page of the service in the same browser. */
  go(path: string): Promise<void>;
  /** Fills in the visible view's fields by their names, and submits with its button. */
  submit(values?: Record<string, string>): Promise<void>;
  /** The heading of the visible view. */
  heading(): Promise<string>;
  /** All text of the visible view. */
  text(): Promise<string>;
  /** Waits for the dashboard, where signing in leads. */
  entered(): Promise<void>;
}

/** Opens a page and waits until its script shows a view. */
export async function openPage(
  stack: Stack,
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await newContext({ extraHTTPHeaders: { 'X-Forwarded-For': newAddress() }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const asked: Request[] = [];
  // Ignores hints for developers: a form for a new password has no field for an address.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => asked.push(request));
  const shown = page.locator('section:visible');
  const go = async (to: string): Promise<void> => {
    // Without this a link that differs only after `#` wouldn't load a new page.
    await page.goto('about:blank');
    await page.goto(stack.baseUrl + to, { waitUntil: 'networkidle' });
    await shown.waitFor();
  };
  await go(path);
  return {
    ...{ page, context, complaints, asked, go },
    submit: async (values = {}) => {
      for (const [name, value] of Object.entries(values)) await shown.locator(`[name=${name}]`).fill(value);
      await shown.locator('form > button:not([type])').click();
    },
    heading: () => shown.locator('h1').innerText(),
    text: () => shown.innerText(),
    entered: async () => {
      await page.waitForURL(({ pathname }) => pathname.startsWith('/sites'));
      await page.waitForLoadState('networkidle');
    },
  };
}

/** The link in the newest mail to an address: path, query and fragment. */
export function linkTo(stack: Stack, email: string): string {
  const { text = '' } = stack.mail.sent.findLast(({ to }) => to === email) ?? {};
  const [link = ''] = /https?:\S+/.exec(text) ?? [];
  if (!link.startsWith(stack.baseUrl)) throw new Error('No mail with a link to the service was sent there.');
  return link.slice(stack.baseUrl.length);
}

/** Opens the link of a mail in another tab of the page's browser. */
export async function confirmAddress(page: Page, link: string): Promise<void> {
  const tab = await page.context().newPage();
  await tab.goto(new URL(link, page.url()).href);
  await expect.poll(() => tab.locator('[data-view=email-confirmed]').isVisible()).toBe(true);
  await tab.close();
}

/** A person with a project, and a function that mails an invitation to it and returns the link without its host. */
export async function newOwner(stack: Stack, called?: string) {
  const { browser, email: address } = await signUp(stack);
  const name = called ?? `Six Strings ${address.slice(0, 8)}`;
  const { data } = await browser.json('POST', '/api/v1/projects', { name });
  const path = `/api/v1/projects/${data.id}`;
  return {
    name,
    invite: async (role: string) => {
      const email = newEmail();
      const made = await browser.json('POST', `${path}/members`, { role, email });
      const link = linkTo(stack, email);
      return {
        id: made.data.id as string,
        expiresAt: made.data.expiresAt as string,
        link,
        secret: link.split('#')[1] ?? '',
      };
    },
    takeBack: (id: string) => browser.send('DELETE', `${path}/invitations/${id}`),
    roles: async (): Promise<Record<string, string>> => {
      const { data: members } = await browser.json('GET', `${path}/members`);
      return Object.fromEntries(members.map(({ email, role }: Record<string, string>) => [email, role]));
    },
  };
}

/** A heading without filled-in values: `You have joined `. */
export const titleOf = (view: keyof typeof say.views, language: Language = 'en'): string =>
  WORDS[language].views[view].title.replace(/\{.*/, '');

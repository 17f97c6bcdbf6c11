/// <reference path="../../packages/tracker/src/global.d.ts" />
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TrackEvent } from '../../lib/collection/track-request.ts';
import { type Fixture, useFixtures } from './browser-fixture.ts';
import { type BrowserKind, useChromium } from './chromium.ts';
import { BARE, html } from './html.ts';

export interface Visit {
  fixture: Fixture;
  context: BrowserContext;
  page: Page;
  /** Uncaught errors of the page and its console messages, without the browser's messages about failed requests. */
  noise: string[];
  /** Opens a page of the fixture. */
  open: (path?: string) => Promise<void>;
  /** Opens a page and waits until the tracker has received the policy. */
  hear: (path?: string) => Promise<void>;
  /** Opens a page at tier 3 and waits until the measuring part runs. */
  measured: (path?: string) => Promise<void>;
  /** Waits until the measuring part runs. */
  measuring: () => Promise<void>;
  /** Leaves for a page without the tracker. On leaving, the tracker sends everything that it still holds. */
  leave: () => Promise<void>;
  /** Calls `vendor.track(name)` and waits until the event arrives. All earlier events have arrived then. */
  mark: (name: string) => Promise<void>;
  /** The custom events that arrived, without the event of `awaitLinks`. */
  sent: () => { name: string; props: Props | undefined }[];
}

type Props = Extract<TrackEvent, { type: 'event' }>['props'];

const LINKED = 'linked';

/** Waits until the part for clicks runs. It does so by a click that the part must report; the page loads the part if needed. */
export async function awaitLinks(page: Page): Promise<void> {
  const reported = page.waitForRequest((request) => request.postData()?.includes(`"${LINKED}"`) ?? false);
  await page.evaluate((name) => {
    const tagged = document.createElement('i');
    tagged.dataset.vendorEvent = name;
    document.body.append(tagged);
    tagged.click();
    tagged.remove();
  }, LINKED);
  await reported;
}

/** Call the result to get a fixture with the tracker on `/` and a page of a new visitor. */
export function useVisits(kind?: BrowserKind): (options?: BrowserContextOptions) => Promise<Visit> {
  const newContext = useChromium(kind);
  const newFixture = useFixtures();
  return async (options) => {
    const fixture = await newFixture();
    fixture.pages['/'] = html({ title: 'Home' });
    fixture.pages['/bare'] = BARE;
    const context = await newContext(options);
    const page = await context.newPage();
    const noise: string[] = [];
    page.on('pageerror', (error) => noise.push(error.message));
    page.on('console', (message) => {
      if (!message.text().startsWith('Failed to load resource')) noise.push(message.text());
    });
    const open = async (path = '/'): Promise<void> => {
      await page.goto(fixture.origin + path);
    };
    // When this answer arrives, the page has handled all earlier answers.
    const roundTrip = () => page.evaluate(async () => (await fetch('/barrier')).text());
    const hear = async (path?: string): Promise<void> => {
      const answered = page.waitForResponse((response) => response.url().includes('/api/v1/policy'));
      await open(path);
      await (await answered).finished();
      await roundTrip();
    };
    await page.addInitScript(() => {
      const { addEventListener } = EventTarget.prototype;
      EventTarget.prototype.addEventListener = function (...args: unknown[]) {
        if (args[0] === 'scroll') document.documentElement.dataset.measured = '';
        Reflect.apply(addEventListener, this ?? window, args);
      };
    });
    const measuring = async (): Promise<void> => {
      await page.waitForSelector('[data-measured]', { state: 'attached' });
    };
    const measured = async (path?: string): Promise<void> => {
      await open(path);
      await measuring();
    };
    const leave = async (): Promise<void> => {
      await open('/bare');
      await roundTrip();
    };
    const mark = async (name: string): Promise<void> => {
      await page.evaluate((given) => window.vendor?.track(given), name);
      await expect.poll(() => fixture.events('event').map((event) => event.name)).toContain(name);
    };
    const sent = () =>
      fixture
        .events('event')
        .filter(({ name }) => name !== LINKED)
        .map(({ name, props }) => ({ name, props }));
    return { fixture, context, page, noise, open, hear, measured, measuring, leave, mark, sent };
  };
}

/** The contents of the page's storage and cookies. */
export async function readStored({ context, page }: Visit) {
  const { cookies, origins } = await context.storageState();
  const session = await page.evaluate(() => Object.keys(sessionStorage));
  const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  return { cookies, local: origins.flatMap(({ localStorage }) => localStorage), session, databases };
}

export const NOTHING_STORED = { cookies: [], local: [], session: [], databases: [] };

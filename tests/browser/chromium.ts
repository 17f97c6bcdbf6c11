/** The real browser of these tests: CHROMIUM_PATH, or else Debian's, or else the one inside @sparticuz/chromium. */
import { existsSync } from 'node:fs';
import bundled from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

const DEBIAN_PATH = '/usr/bin/chromium';
/** A host name of a page without TLS, which browsers treat otherwise than localhost. */
export const INSECURE_HOST = 'insecure.test';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`,
];

async function findExecutable(): Promise<string> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  return existsSync(DEBIAN_PATH) ? DEBIAN_PATH : bundled.executablePath();
}

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findExecutable(),
    args: FLAGS,
    // Playwright turns the back/forward cache off; visitors have it.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}

/** Starts the browser for the tests of a file. The result opens a new profile, which is gone after the test. */
export function useChromium(): (options?: BrowserContextOptions) => Promise<BrowserContext> {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(() => browser?.close());
  return async (options) => {
    if (browser === undefined) throw new Error('useChromium: the browser is there only while tests run');
    const context = await browser.newContext(options);
    contexts.push(context);
    return context;
  };
}

/**
 * The real browser of these tests: CHROMIUM_PATH, or else the headless shell inside @sparticuz/chromium, which takes a third of the time
 * of a whole Chromium. Tests that need a whole one get Debian's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bundled from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterEach, beforeAll } from 'vitest';
import { BARE } from './html.ts';

const DEBIAN_PATH = '/usr/bin/chromium';
/** A host name of a page without TLS, which browsers treat otherwise than localhost. */
export const INSECURE_HOST = 'insecure.test';
/**
 * Another site, with a page at every path. It has a server of its own: Playwright's `route` would hold every request for a moment,
 * and one that is held as its page is left is never sent.
 */
export const ELSEWHERE = 'http://elsewhere.test';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The shell has no back/forward cache. */
export type BrowserKind = 'shell' | 'whole';

async function findExecutable(kind: BrowserKind): Promise<string> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  return kind === 'whole' && existsSync(DEBIAN_PATH) ? DEBIAN_PATH : bundled.executablePath();
}

async function launchChromium(kind: BrowserKind, elsewherePort: number): Promise<Browser> {
  const hosts = `MAP ${INSECURE_HOST} 127.0.0.1, MAP ${new URL(ELSEWHERE).host} 127.0.0.1:${elsewherePort}`;
  return chromium.launch({
    executablePath: await findExecutable(kind),
    args: [...FLAGS, `--host-resolver-rules=${hosts}`],
    // Playwright turns the back/forward cache off; visitors have it.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}

/**
 * Opens a page in a browser without any debugger: with one attached, Chromium prerenders nothing. What happens there is
 * seen by the page's server alone. The result closes it.
 */
export async function openUnattended(url: string): Promise<() => Promise<void>> {
  const profile = await mkdtemp(join(tmpdir(), 'vendor-chromium-'));
  const chromium = spawn(
    await findExecutable('whole'),
    ['--headless', ...FLAGS, `--user-data-dir=${profile}`, url],
    { stdio: 'ignore' },
  );
  const ended = once(chromium, 'exit');
  return async () => {
    chromium.kill();
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** A worker's files share it, and it ends with the worker. */
const shared = new Map<BrowserKind, Promise<Browser>>();

async function startShared(kind: BrowserKind): Promise<Browser> {
  const elsewhere = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(BARE);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  return launchChromium(kind, (elsewhere.address() as AddressInfo).port);
}

/** Starts the browser for the tests of a file. The result opens a new profile, which is gone after the test. */
export function useChromium(
  kind: BrowserKind = 'shell',
): (options?: BrowserContextOptions) => Promise<BrowserContext> {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    const started = shared.get(kind) ?? startShared(kind);
    shared.set(kind, started);
    browser = await started;
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  return async (options) => {
    if (browser === undefined) throw new Error('useChromium: the browser is there only while tests run');
    const context = await browser.newContext(options);
    contexts.push(context);
    return context;
  };
}

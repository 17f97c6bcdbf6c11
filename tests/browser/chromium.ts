/**
 * The real browser of these tests: CHROMIUM_PATH, or the headless shell of @sparticuz/chromium, which needs a third of the time of a
 * complete Chromium. Tests that need a complete one get Debian's.
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
/** A host name for pages without TLS. Browsers restrict such pages more than localhost. */
export const INSECURE_HOST = 'insecure.test';
/**
 * Another site, with a page at every path. It has its own server, because Playwright's `route` delays every request, and a request that is
 * delayed while its page is left is never sent.
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
    // Playwright switches the back/forward cache off, but visitors have it.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}

/**
 * Opens a page in a browser without a debugger, because Chromium doesn't prerender while a debugger is attached. Only the page's server
 * sees what happens. Call the result to close the browser.
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

/** All files of a worker share the browser. It ends with the worker. */
const shared = new Map<BrowserKind, Promise<Browser>>();

async function startShared(kind: BrowserKind): Promise<Browser> {
  const elsewhere = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(BARE);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  return launchChromium(kind, (elsewhere.address() as AddressInfo).port);
}

/** Starts the browser for the tests of a file. The result opens a new profile, which is deleted after the test. */
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

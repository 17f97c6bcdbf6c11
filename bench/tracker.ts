/** The tracker in a real browser: what a thousand calls of `track()` take of the page's time. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import bundled from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { bundleTracker } from '../packages/tracker/bundle-tracker.ts';
import type { Benchmark } from './benchmark.ts';
import { median } from './median.ts';
import { printTable, times } from './print-table.ts';

const ROUNDS = 9;
const LOTS = 10;
/** The tracker keeps no more events than this while a request is under way. */
const CALLS_PER_LOT = 100;
/** A host without TLS: browsers have no `crypto.randomUUID` there. */
const HOST = 'insecure.test';

export const tracker: Benchmark = {
  name: 'tracker',
  summary: 'a thousand calls of track() in Chromium, beside version 0.2',
  calculates: true,
  run: async () => {
    const { source } = await bundleTracker('core');
    const earlier = await readFile(
      new URL('../tests/browser/releases/tracker-0.2.0.js', import.meta.url),
      'utf8',
    );
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? (await bundled.executablePath()),
      args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
    });
    try {
      const [now, before]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        now.push(await measureCalls(browser, source));
        before.push(await measureCalls(browser, earlier));
      }
      const [figure, baseline] = [median(now), median(before)];
      printTable(`1,000 calls of track() on a page without TLS, median of ${ROUNDS}`, [
        {
          what: `in ${LOTS} lots of ${CALLS_PER_LOT}, each sent before the next`,
          figure: `${figure.toFixed(1)} ms`,
          baseline: `version 0.2: ${baseline.toFixed(1)} ms`,
          ratio: times(figure / baseline, 2),
          aim: 'under 100 ms',
        },
      ]);
    } finally {
      await browser.close();
    }
  },
};

/** Milliseconds that all calls take of the page. */
async function measureCalls(browser: Browser, script: string): Promise<number> {
  let received = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const reply = (type: string, content: string) =>
      void response.writeHead(200, { 'Content-Type': type }).end(content);
    if (request.url === '/') reply('text/html', '<script defer src="/tracker.js" data-site="x"></script>');
    else if (request.url === '/tracker.js') reply('text/javascript', script);
    else if (request.url === '/received') reply('text/plain', String(received));
    else {
      if (body !== '') received += JSON.parse(body).events.length;
      reply('application/json', '{"maxTier":1}');
    }
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage();
  try {
    await page.goto(`http://${HOST}:${(server.address() as AddressInfo).port}/`);
    return await page.evaluate(
      async ([lots, calls]) => {
        let spent = 0;
        const receives = async (count: number) => {
          while (Number(await (await fetch('/received')).text()) < count);
        };
        // The page view.
        await receives(1);
        for (let lot = 1; lot <= lots; lot += 1) {
          const start = performance.now();
          for (let call = 0; call < calls; call += 1) window.vendor?.track('event', { plan: 'pro' });
          spent += performance.now() - start;
          await receives(1 + lot * calls);
        }
        return spent;
      },
      [LOTS, CALLS_PER_LOT] as const,
    );
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}

/** The dashboard in a real browser: a large site's page and a large trace, from the click to the last thing drawn. */
import bundled from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Stack, startStack } from '../dev/stack.ts';
import { addIngestKey, TEST_AUTH_KEY } from '../tests/security/session.ts';
import { addMember, type Person } from '../tests/security/tenant.ts';
import type { BenchOptions } from './bench-options.ts';
import type { Benchmark } from './benchmark.ts';
import { LOOK } from './dashboard/look.ts';
import { makeTrace } from './dashboard/make-trace.ts';
import { median } from './median.ts';
import { printTable, whole } from './print-table.ts';
import { fillSite, SINCE_CRONS_MS } from './reports/fill-report-site.ts';
import { sealDays } from './reports/seal-site.ts';
import { connected, withService } from './reports/with-service.ts';

const EVENTS = 2_000_000;
const SPANS = 5000;
/** A new profile each time, so that nothing is cached. The first one is a warm-up. */
const ROUNDS = 5;
const VIEWPORT = { width: 1280, height: 800 };

export const dashboard: Benchmark = {
  name: 'dashboard',
  summary: 'a site with 2 million events (--events) and a trace of 5,000 spans, drawn in Chromium',
  run: (options) =>
    withService(options.database, async (url) => {
      const now = Date.now();
      const { events = EVENTS } = options;
      const { siteId } = await connected(url, (sql) =>
        fillSite(sql, { events, now }, (done, days) => {
          if (done % 10 === 0) console.error(`  ${whole(events)} events: day ${done} of ${days}`);
        }),
      );
      await sealDays(url, now - SINCE_CRONS_MS);
      await measure(url, siteId, { ...options, events });
    }),
};

/** What one part took, and how much of it passed until the last answer of the service. */
interface Took {
  ms: number;
  answered: number;
}

async function measure(url: string, siteId: string, { redis, events }: BenchOptions): Promise<void> {
  const stack = await startStack({
    ...{ database: { url }, redis, schemaApplied: true },
    vars: { AUTH_KEY: TEST_AUTH_KEY },
  });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await bundled.executablePath()),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const [site] = await stack.sql`select project_id as "projectId" from sites where id = ${siteId}`;
    const person = await addMember(stack.sql, site?.projectId, 'owner');
    const { environmentId } = await addIngestKey(stack.sql, site?.projectId);
    const traceId = await makeTrace(stack, environmentId, SPANS);
    const steps = {
      site: `/sites/${siteId}`,
      trace: `/projects/${site?.projectId}/${environmentId}/traces/${traceId}`,
    };
    const rounds = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const measured = await runRound(stack, browser, person, steps);
      if (round > 0) rounds.push(measured);
      const { frames, ...took } = measured;
      const timings = Object.entries(took).map(([what, { ms }]) => `${what} ${whole(ms)} ms`);
      console.error(`  round ${round}: ${timings.join(', ')}, ${whole(frames)} frames a second`);
    }
    printRounds(rounds, events ?? EVENTS);
  } finally {
    await browser.close();
    await stack.close();
  }
}

interface Round {
  load: Took;
  period: Took;
  filter: Took;
  trace: Took;
  /** Frames a second while the waterfall is zoomed in and out with every frame. */
  frames: number;
}

async function runRound(
  stack: Stack,
  browser: Browser,
  person: Person,
  paths: { site: string; trace: string },
): Promise<Round> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB' });
  try {
    const page = await openSignedIn(stack, context, person);
    await page.goto(stack.baseUrl + paths.site, { waitUntil: 'commit' });
    const load = await look(page, 'load');
    const period = await look(page, 'click', 'a[href*="period=7d"]');
    const filter = await look(page, 'click', '.panels > :nth-child(3) .row .name a');
    await page.goto(stack.baseUrl + paths.trace, { waitUntil: 'commit' });
    const trace = await look(page, 'trace');
    return { load, period, filter, trace, frames: await page.evaluate(`(${LOOK}).zoom()`) };
  } finally {
    await context.close();
  }
}

async function openSignedIn({ baseUrl }: Stack, context: BrowserContext, { cookie }: Person): Promise<Page> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: baseUrl, httpOnly: true, sameSite: 'Lax' }]);
  return context.newPage();
}

const look = (page: Page, what: 'load' | 'click' | 'trace', selector = ''): Promise<Took> =>
  page.evaluate(`(${LOOK}).${what}(${JSON.stringify(selector)})`);

function printRounds(rounds: readonly Round[], events: number): void {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const row = (what: string, step: Exclude<keyof Round, 'frames'>, aim: string) => ({
    what,
    figure: `${whole(of((round) => round[step].ms))} ms`,
    baseline: `its last answer: ${whole(of((round) => round[step].answered))} ms`,
    aim,
  });
  printTable(`The dashboard in Chromium, ${whole(events)} events, median of ${rounds.length}`, [
    row('a site’s page, nothing cached, to its last panel', 'load', 'under 1,000 ms'),
    row('another period, to the last panel', 'period', 'under 300 ms'),
    row('a filter by click, to the last panel', 'filter', 'under 1,000 ms'),
    row(`a trace of ${whole(SPANS)} spans, nothing cached, to its first paint`, 'trace', ''),
    {
      what: 'that after its last answer',
      figure: `${whole(of(({ trace }) => trace.ms - trace.answered))} ms`,
      aim: 'under 200 ms',
    },
    {
      what: 'frames a second while it is zoomed with every frame',
      figure: whole(of(({ frames }) => frames)),
      aim: '60',
    },
  ]);
}

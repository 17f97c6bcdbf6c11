/**
 * `npm run demo`: fills the demo site with 61 days of traffic, goals, funnels, annotations and a share, and its project with a
 * backend's telemetry. Uses the running `npm run dev` if there is one, otherwise the database under `.local/` or that of `--database`.
 */
import { randomBytes } from 'node:crypto';
import { resealTargets } from '../../lib/collection/seal-visits.ts';
import { connectDatabase } from '../../lib/db.ts';
import { createShareSecrets } from '../../lib/shares/secret.ts';
import { startNeon } from '../../tooling/neon/start-neon.ts';
import { type OpenDatabase, openOwnDatabase } from '../../tooling/open-database.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';
import { ensureDemoSite, shareWithOwner, withSession } from '../demo-account.ts';
import { readDevFile } from '../dev-file.ts';
import { readDevOptions } from '../dev-options.ts';
import { defineDemo, demoCall } from './define-goals.ts';
import { fillSite } from './fill-demo-site.ts';
import { generateBackendDay } from './telemetry/backend-day.ts';
import { demoSender, fillBackend } from './telemetry/fill-demo-backend.ts';

const DAYS = 30;
/** So that the last 30 days have a change: the site alone, since telemetry may be 30 days old at most. */
const EARLIER_DAYS = 31;
const SEED = 20_261_001;
/** Of the days that were sealed before their goals and funnels were there. */
const RESEALING_MS = 60_000;
const DEFAULT_URL = 'http://127.0.0.1:8787';

/** Set by `npm start -- --demo`, whose address a command line must not show. */
const { DEMO_DATABASE_URL, DEMO_PUBLIC_URL, DEMO_SHARE_KEY } = process.env;

async function openDatabase(args: string[]): Promise<OpenDatabase> {
  if (DEMO_DATABASE_URL !== undefined) return startNeon({ database: { url: DEMO_DATABASE_URL } });
  const { database } = readDevOptions(args);
  if (database === 'memory')
    throw new Error('--memory keeps nothing: start npm run dev -- --memory, then npm run demo.');
  if (database === 'local') return openOwnDatabase('local');
  const neon = await startNeon({ database });
  await neon.withClient(applySchema);
  return neon;
}

/** Prints a progress line, which the next one overwrites if the output allows that. */
function showProgress(line: string): void {
  process.stdout.write(process.stdout.isTTY ? `\r${line}` : `${line}\n`);
}

async function main(): Promise<void> {
  const start = performance.now();
  const { url, endpoint, close } = await openDatabase(process.argv.slice(2));
  try {
    const sql = connectDatabase({ url, endpoint });
    const { siteId, userId, projectId, environmentId } = await ensureDemoSite(sql);
    if (DEMO_DATABASE_URL !== undefined) await shareWithOwner(sql, projectId);
    const now = Date.now();
    const stored = await fillSite({
      sql,
      siteId,
      days: DAYS,
      earlierDays: EARLIER_DAYS,
      seed: SEED,
      ordersOf: (day) => generateBackendDay(SEED, day, now).orders,
      now,
      onDay: ({ day, of, stored, skipped }) =>
        showProgress(`day ${day} of ${of}: ${stored} events${skipped ? ' (was there already)' : ''}`),
    });
    const publicUrl = DEMO_PUBLIC_URL ?? (await readDevFile()).baseUrl ?? DEFAULT_URL;
    // Without the service's own key the link works as well; only settings don't show it again.
    const shareSecrets = createShareSecrets(DEMO_SHARE_KEY ?? randomBytes(32).toString('hex'));
    const { shareUrl } = await withSession(sql, userId, (actor) =>
      defineDemo(
        { ...demoCall, sql, actor, publicUrl, shareSecrets, now: Date.now },
        { siteId, projectId, environmentId, days: EARLIER_DAYS + DAYS },
      ),
    );
    await resealTargets({ sql, now: Date.now }, { siteId, timeMs: RESEALING_MS });
    const ctx = await demoSender(sql, { projectId, environmentId });
    const spans = await fillBackend({
      ctx,
      days: DAYS,
      seed: SEED,
      onDay: ({ day, of }) => showProgress(`day ${day} of ${of} of the backend`),
    });
    // The first owner may have come meanwhile.
    if (DEMO_DATABASE_URL !== undefined) await shareWithOwner(sql, projectId);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `\nThe demo site ${siteId} has ${EARLIER_DAYS + DAYS} days of visits (${stored} new events), its backend ${spans} spans. ${seconds} s.`,
    );
    if (shareUrl !== undefined) console.log(`Its reports, without a token: ${shareUrl}/analytics/overview`);
  } finally {
    await close();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

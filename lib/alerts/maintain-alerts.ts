import { ROWS_A_BATCH } from '../batches.ts';
import type { Ports } from '../context.ts';
import type { CronJobs } from '../cron-runs.ts';
import { evaluateAlerts } from './evaluate-alerts.ts';

/** Time limit per run for counting minutes back; the next minute's run continues. */
const FILLING_MS = 20_000;

/** Counts the minutes of newly watched sites back, piece by piece (schema/functions/site-minutes.sql). */
export async function fillMinutes({ sql, now }: Ports): Promise<void> {
  const end = now() + FILLING_MS;
  for (let filled = true; filled && now() < end; ) {
    const [row] = await sql`select fill_site_minutes() as filled`;
    filled = row?.filled === true;
  }
}

/** Deletes minutes that no alert reads any more, and the history that is over 90 days old. A bounded piece a run. */
async function forgetMinutes({ sql, now }: Ports): Promise<void> {
  const instant = new Date(now()).toISOString();
  await sql`select forget_site_minutes(${instant}::timestamptz, ${ROWS_A_BATCH}::integer),
    forget_alert_changes(${instant}::timestamptz, ${ROWS_A_BATCH}::integer)`;
}

/** Run every minute, one after the other. Alerts come first, so that they are on time. */
export const ALERT_JOBS = {
  evaluateAlerts,
  fillMinutes,
  forgetMinutes,
} satisfies CronJobs;

/** All jobs of the crons run at once, each twice, beside the fold: none fails, and nothing is left undone. Needs a real server. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expireValues } from '../../lib/collection/expire-values.ts';
import { expireVisits } from '../../lib/collection/expire-visits.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import type { Ports } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { expireImports } from '../../lib/imports/expire-imports.ts';
import { expireAudit } from '../../lib/projects/expire-audit.ts';
import { continueDeletions } from '../../lib/sites/site-deletions.ts';
import { maintainTelemetry } from '../../lib/telemetry/maintain-telemetry.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite, retireSites } from './ingest-site.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-11-21T12:00:00.000Z');
/** Each job runs twice in a round, so each pair of jobs meets four times: 100 times in all. */
const ROUNDS = 25;

/** Each job as the crons call it. */
const JOBS: Record<string, (ports: Ports) => Promise<unknown>> = {
  maintainVisits,
  expireVisits: (ports) => expireVisits(ports, { maxRows: 40 }),
  expireValues,
  expireImports,
  expireAudit,
  continueDeletions: (ports) => continueDeletions(ports, { maxRows: 40 }),
  sealVisits: async (ports) => {
    const { faults } = await sealVisits(ports, { timeMs: 20_000 });
    for (const { fault } of faults) throw fault;
  },
  maintainTelemetry,
};

const viewOf = (siteId: string, at: number): TrackMessage => ({
  ...{ version: 1, siteId, tier: 3, visitorId: randomUUID(), continued: false },
  events: [{ type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path: `/${at}`, entry: true }],
});

const visit = (sql: Sql, siteId: string, at: number) =>
  foldBatch(
    sql,
    [0, 1, 2, 3].map((minute) => viewOf(siteId, at + minute * 60_000)),
    at,
  );

/** A site with visits in some months that its policy doesn't keep. */
async function siteOfMonths(sql: Sql): Promise<string> {
  const siteId = await makeSite(sql);
  await sql`
    update sites set jurisdiction = 'PT', consent_mode = 'required', pre_consent_tier = 'counts', retention_months = 1
    where id = ${siteId}`;
  for (const days of [150, 90]) await visit(sql, siteId, NOW - days * DAY_MS);
  return siteId;
}

/** Days of telemetry that no environment keeps, and an environment that is being deleted. */
async function telemetryOfDays(sql: Sql): Promise<void> {
  for (const table of ['spans', 'logs'])
    for (const day of ['2024-03-01', '2024-03-02'])
      await sql`select ensure_telemetry_day(${table}, ${day}::date)`;
  await sql`
    insert into telemetry_deletions (key, requested_at, next_at)
    select coalesce(max(key), 1000000) + 1, '2024-03-01', '2024-03-01' from telemetry_deletions`;
}

const visitsOf = async (sql: Sql, keys: readonly number[]): Promise<number> => {
  const [row] =
    await sql`select count(*)::integer as visits from visits where site_key = any(${keys}::integer[])`;
  return row?.visits;
};

describe('on a server', () => {
  const database = useDatabase();

  test('every pair of jobs runs at once without a fault', async () => {
    const { sql } = database();
    const begun = Date.now();
    const ports: Ports = { sql, now: () => NOW + Date.now() - begun };
    const faults = new Map<string, string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const kept = await siteOfMonths(sql);
      const gone = await siteOfMonths(sql);
      // Sealing would go through all these months.
      await retireSites(sql);
      for (const days of [2, 1]) await visit(sql, kept, NOW - days * DAY_MS);
      const [row] = await sql`select key from sites where id = ${gone}`;
      await sql`delete from sites where id = ${gone}`;
      await telemetryOfDays(sql);
      const jobs = Object.entries(JOBS).flatMap((job) => [job, job]);
      const works = await Promise.allSettled([
        ...jobs.map(([, work]) => work(ports)),
        foldBatch(sql, [viewOf(kept, NOW)], NOW),
      ]);
      works.forEach((work, n) => {
        if (work.status === 'rejected')
          faults.set(`${jobs[n]?.[0] ?? 'fold'}: ${work.reason} ${work.reason?.code}`, `round ${round}`);
      });
      for (let last = 0; last < 2; last += 1) for (const work of Object.values(JOBS)) await work(ports);
      expect(await visitsOf(sql, [row?.key])).toBe(0);
      expect((await sql`select from site_deletions where finished_at is null`).length).toBe(0);
      await sql`delete from sites where id = ${kept}`;
    }
    expect([...faults]).toEqual([]);
  }, 240_000);
});

/** A week that was folded as it came, and the same week folded again from its raw events, give identical rows in every table. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import { rollupsOf } from '../oracle/rollups.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { assertUntil, ORACLE_RUNS } from '../oracle-runs.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite, retireSites } from './ingest-site.ts';
import { foldedTables, siteRows } from './site-rows.ts';
import { sortVisits, storedRollups, storedVisits } from './stored.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
const DAY_MS = 24 * 60 * 60 * 1000;
const MESSAGES_A_BATCH = 12;

/** About as many messages as a week has with the streams' gaps. */
const weeks = streams(280, { minMessages: 250, maxSpanMs: 7 * DAY_MS });

test('every table of folded data is compared', async () => {
  const names = (await foldedTables(database().sql)).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'visits',
      'rollup_hours',
      'rollup_visitors',
      'dropped_days',
      'site_freshness',
      'site_texts',
      'site_profiles',
      'site_places',
      'site_origins',
    ]),
  );
});

test('a week folded again from raw events gives the same rows', async () => {
  const { sql } = database();
  const drawn = weeks.chain((stream) =>
    fc.record({ stream: fc.constant(stream), batches: deliveries(stream.messages(PLACEHOLDER)) }),
  );
  let longestMs = 0;
  await assertUntil(
    () => longestMs > 6 * DAY_MS,
    fc.asyncProperty(drawn, async ({ stream, batches }) => {
      await retireSites(sql);
      const [once, again] = [await makeSite(sql, stream.zone), await makeSite(sql, stream.zone)];
      // First in order, with a clock that advances, while old raw events are dropped.
      const messages = stream.messages(once);
      const times = messages.flatMap(({ events }) => events.map(({ at }) => at));
      for (let n = 0; n < messages.length; n += MESSAGES_A_BATCH) {
        const batch = messages.slice(n, n + MESSAGES_A_BATCH);
        const now = Math.max(...batch.flatMap(({ events }) => events.map(({ at }) => at)));
        expect(await ingestMessages({ sql, now: () => now }, batch)).toMatchObject({ dead: 0 });
        await maintainVisits({ sql, now: () => now });
      }
      // Then into an empty site, in any order and any batches, some of them twice. Repeats are recognised from the first day on.
      const start = Math.min(...times);
      for (const batch of batches)
        await foldBatch(
          sql,
          batch.map((message) => ({ ...message, siteId: again })),
          start,
        );
      // The crons' sums for both sites at the same instant.
      const later = { sql, now: () => stream.now + DAY_MS };
      await maintainVisits(later);
      await sealVisits(later, { timeMs: 60_000 });
      longestMs = Math.max(longestMs, Math.max(...times) - start);

      const rows = await siteRows(sql, again);
      expect(rows).toEqual(await siteRows(sql, once));
      expect(rows.visits?.length).toBeGreaterThan(0);
      expect(rows.rollup_visitors?.length).toBeGreaterThan(0);
      expect(rows.rollup_values?.length).toBeGreaterThan(0);

      const events = distinctEvents(messages);
      const visits = visitsOf(events);
      expect(sortVisits(await storedVisits(sql, again))).toEqual(sortVisits(visits));
      expect(await storedRollups(sql, again)).toEqual(rollupsOf(events, visits, stream.zone));
    }),
    { numRuns: Math.max(4, Math.ceil(ORACLE_RUNS / 15)), endOnFailure: true },
  );
}, 300_000);

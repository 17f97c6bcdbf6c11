/** For any order, batches and repeats the stored rows are what the oracle computes from the set of events. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { rollupsOf } from '../oracle/rollups.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './ingest-site.ts';
import { sortVisits, storedRollups, storedVisits } from './stored.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

test.each([
  ['all properties', undefined],
  ['properties up to a limit of the visit', 60],
])(
  'visits and rollups follow from the set of events alone, with %s',
  async (_, keptPropertyBytes) => {
    const { sql } = database();
    if (keptPropertyBytes !== undefined)
      await sql`
      create or replace function kept_property_bytes() returns integer language sql immutable parallel safe as 'select 60'`;
    const drawn = streams(24).chain((stream) =>
      fc.record({ stream: fc.constant(stream), batches: deliveries(stream.messages(PLACEHOLDER)) }),
    );
    await fc.assert(
      fc.asyncProperty(drawn, async ({ stream, batches }) => {
        const siteId = await makeSite(sql, stream.zone);
        for (const batch of batches) {
          const messages = batch.map((message) => ({ ...message, siteId }));
          const { dead } = await ingestMessages({ sql, now: () => stream.now }, messages);
          expect(dead).toBe(0);
        }
        const events = distinctEvents(stream.messages(siteId));
        const visits = visitsOf(events, keptPropertyBytes);
        expect(sortVisits(await storedVisits(sql, siteId))).toEqual(sortVisits(visits));
        expect(await storedRollups(sql, siteId)).toEqual(rollupsOf(events, visits, stream.zone));
      }),
      // Making a case smaller takes longer than the test may.
      { numRuns: ORACLE_RUNS, endOnFailure: true },
    );
  },
  300_000,
);

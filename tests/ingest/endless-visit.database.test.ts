/** Further events of an endless visit don't cost more and more: the visit keeps its first page views, and the rollups count all. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './ingest-site.ts';
import { storedRollups, storedVisits } from './stored.ts';

const database = useDatabase();
const NOW = Date.parse('2026-11-21T12:30:00.000Z');
const KEPT = 500;

test.each(['in order', 'backwards'])('its first page views are kept, delivered %s', async (order) => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const visitorId = randomUUID();
  const messages: TrackMessage[] = Array.from({ length: 700 }, (_, n) => ({
    version: 1,
    siteId,
    tier: 3,
    visitorId,
    continued: false,
    events: [
      {
        type: 'pageview',
        id: randomUUID(),
        at: NOW + n,
        hostname: 'example.com',
        path: `/${n}`,
        entry: false,
      },
    ],
  }));
  const delivered = order === 'in order' ? messages : messages.toReversed();
  for (let n = 0; n < delivered.length; n += 50)
    await ingestMessages({ sql, now: () => NOW + 1000 }, delivered.slice(n, n + 50));

  const [visit, ...others] = await storedVisits(sql, siteId);
  expect(others).toEqual([]);
  expect(visit?.pages).toEqual(Array.from({ length: KEPT }, (_, n) => ({ at: NOW + n, text: `/${n}` })));
  expect(visit?.endedAt).toBe(NOW + 699);
  expect((await storedRollups(sql, siteId)).hours).toMatchObject([{ pageviews: 700, visits: 1, bounces: 0 }]);
});

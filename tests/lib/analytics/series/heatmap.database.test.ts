import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { reportHeatmap } from '../../../../lib/analytics/series/heatmap.ts';
import { foldBatch } from '../../../../lib/collection/fold-batch.ts';
import type { MemberContext } from '../../../../lib/context.ts';
import { makeOwnedSite } from '../../../ingest/ingest-site.ts';
import { useDatabase } from '../../../services/database.ts';

const database = useDatabase();

test.each([
  ['clocks go from 2:00 to 2:30', '2026-10-03T15:40:00Z', '2026-10-04T02:00:00Z', 2],
  ['clocks go from 2:00 to 1:30', '2026-04-04T15:10:00Z', '2026-04-05T02:00:00Z', 1],
])('a visit belongs to the hour of its clock: %s', async (_, at, now, hour) => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'Australia/Lord_Howe');
  const view = { hostname: 'example.com', path: '/', entry: true } as const;
  await foldBatch(
    sql,
    [
      {
        ...{ version: 1, siteId, tier: 3, visitorId: randomUUID(), continued: false },
        events: [{ type: 'pageview', id: randomUUID(), at: Date.parse(at), ...view }],
      },
    ],
    Date.parse(now),
  );
  const ctx: MemberContext = {
    ...{ sql, now: () => Date.parse(now), actor: { kind: 'session', sessionId: '', userId } },
  };
  const { data } = await reportHeatmap(ctx, { siteId, range: { period: '7d' } });
  expect(data.filter(({ visits }) => visits > 0)).toMatchObject([{ weekday: 7, hour, visits: 1 }]);
});

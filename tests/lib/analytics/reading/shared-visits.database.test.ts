/** Reports of one request read visits once. */
import { expect, test, vi } from 'vitest';
import { answerReports } from '../../../../lib/analytics/answer-reports.ts';
import type { Filter } from '../../../../lib/analytics/reading/filters.ts';
import { foldBatch } from '../../../../lib/collection/fold-batch.ts';
import { sealVisits } from '../../../../lib/collection/seal-visits.ts';
import type { MemberContext } from '../../../../lib/context.ts';
import { createCursors } from '../../../../lib/cursor.ts';
import { connectDatabase } from '../../../../lib/db.ts';
import { createTenant } from '../../../security/tenant.ts';
import { useDatabase } from '../../../services/database.ts';
import { consented, NOW, pageview } from '../reports-world.ts';

const database = useDatabase();

const LISTS = ['pages', 'entry-pages', 'exit-pages', 'events', 'sources', 'countries', 'devices', 'browsers'];

/** How often the statements of one request with all lists have this text, and what the lists answer. */
async function askLists(
  { siteId, userId }: { siteId: string; userId: string },
  { text, filters = [], lists = LISTS }: { text: string; filters?: Filter[]; lists?: readonly string[] },
) {
  const { address, fetch } = database();
  const fetched = vi.fn(fetch);
  const sql = connectDatabase({ url: address.url, fetch: fetched });
  const actor: MemberContext['actor'] = { kind: 'session', sessionId: '', userId };
  const common = { siteId, range: { period: '30d' as const }, tier: undefined, filters };
  const { data } = await answerReports(
    { sql, actor, now: () => Date.parse(NOW), cursors: createCursors('c'.repeat(32)) },
    { common, reports: lists.map((name) => ({ name, report: name, input: { ...common, limit: 10 } })) },
  );
  const sent = fetched.mock.calls.map(([, init]) => String(init?.body)).join();
  return { times: sent.split(text).length - 1, data };
}

test('lists share one scan of the visits that are in no sealed day; with filters, those that can’t be summed for them share another', async () => {
  const { sql } = database();
  const site = await createTenant(sql);
  const sent = [
    consented('bob', [pageview('2026-06-15T10:00:00Z'), pageview('2026-06-15T10:05:00Z', '/a')]),
    consented('bob', [pageview('2026-06-17T10:00:00Z', '/a')]),
    consented('eve', [pageview('2026-06-17T10:00:00Z')]),
  ];
  const { siteId } = site;
  await foldBatch(
    sql,
    sent.map((message) => ({ ...message, siteId })),
    Date.parse(NOW),
  );
  const unsealed = await askLists(site, { text: 'join open_visits' });
  expect(unsealed.times).toBe(1);
  await sealVisits({ sql, now: () => Date.parse(NOW) }, { timeMs: 60_000 });
  expect(await askLists(site, { text: 'join open_visits' })).toEqual(unsealed);
  const filters: Filter[] = [{ dimension: 'country', operator: 'not', values: ['XX'] }];
  const text = 'shared_visits as materialized';
  const filtered = await askLists(site, { text, filters });
  expect(filtered.data).toEqual(unsealed.data);
  // Lists of visits and pages, and `events`.
  expect(filtered.times).toBe(2);
  const lists = LISTS.filter((name) => name !== 'events');
  expect((await askLists(site, { text, filters, lists })).times).toBe(1);
});

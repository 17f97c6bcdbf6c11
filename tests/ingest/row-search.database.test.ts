/** A list with `search` has exactly the rows of the whole list with this text in their name, unchanged, page by page (docs/reports.md#lists). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportNamed } from '../../lib/analytics/reports.ts';
import type { ReportContext } from '../../lib/context.ts';
import { type Cursors, createCursors } from '../../lib/cursor.ts';
import { check } from '../../lib/http/issues.ts';
import { parameterPath, readParameters } from '../../lib/http/url-input.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite } from './ingest-site.ts';
import { deliverAndSeal, drawnSeals } from './seal-days.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

type Row = Record<string, unknown>;
type Ctx = ReportContext & { cursors: Cursors };

/** Each list, with the field that names its rows. */
const LISTS: readonly { report: string; by: string; query?: Record<string, string>; ids?: object }[] = [
  { report: 'pages', by: 'path' },
  { report: 'entry-pages', by: 'path' },
  { report: 'exit-pages', by: 'path' },
  { report: 'engagement', by: 'path' },
  { report: 'vitals', by: 'path' },
  { report: 'sources', by: 'value' },
  { report: 'countries', by: 'value' },
  { report: 'cities', by: 'value' },
  { report: 'browsers', by: 'value' },
  { report: 'utm', by: 'value', query: { by: 'campaign' } },
  { report: 'events', by: 'name' },
  { report: 'event-props', by: 'key', ids: { name: 'signup' } },
  { report: 'event-props', by: 'value', query: { key: 'plan' }, ids: { name: 'signup' } },
  { report: 'page-props', by: 'key' },
  { report: 'page-props', by: 'value', query: { key: 'author' } },
];

test('a search finds rows by their names, and changes none', async () => {
  const { sql } = database();
  const seen = { found: 0, missed: 0, pages: 0 };
  const drawn = streams(30).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      seals: drawnSeals,
      list: fc.shuffledSubarray([...LISTS], { minLength: 6, maxLength: 6 }),
      query: fc.constantFrom<Record<string, string>>(
        { period: '24h' },
        { period: '7d' },
        { period: '30d', filter_privacy_tier: '3' },
        { period: '30d', filter_page: '!/pricing' },
      ),
      search: fc.constantFrom(
        'o',
        'e',
        'R',
        '/',
        '/',
        'pri',
        'DOC',
        'unknown',
        'üb',
        '%',
        '_',
        '\\',
        "'",
        'nowhere',
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(drawn, async ({ stream, batches, seals, list, query, search }) => {
      const { now, zone } = stream;
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      await deliverAndSeal(sql, { siteId, now }, batches, seals);
      const ctx: Ctx = {
        sql,
        cursors: createCursors('c'.repeat(32)),
        now: () => now,
        actor: { kind: 'session', sessionId: '', userId },
      };
      /** All rows, one a request where it is searched. */
      const read = async (of: (typeof LISTS)[number], own: Record<string, string>): Promise<Row[]> => {
        const { input, answer } = reportNamed(of.report);
        const rows: Row[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const parameters = { ...query, ...of.query, ...own, ...(cursor !== '' && { cursor }) };
          const fields = { ...readParameters(input, new URLSearchParams(parameters)), siteId, ...of.ids };
          const { data, meta } = await answer(ctx, check(input, fields, parameterPath) as never);
          rows.push(...(data as Row[]));
          cursor = (meta as { nextCursor?: string | null }).nextCursor ?? null;
          if (cursor !== null) seen.pages += 1;
        }
        return rows;
      };
      for (const [index, of] of list.entries()) {
        // Sums by page know no visit.
        if (query.filter_page !== undefined && ['engagement', 'vitals'].includes(of.report)) continue;
        const all = await read(of, { limit: '100' });
        if (index === 0) expect([of, await read(of, { limit: '1' })]).toEqual([of, all]);
        const found = all.filter((row) => String(row[of.by]).toLowerCase().includes(search.toLowerCase()));
        expect([of, await read(of, { search, limit: '1' })]).toEqual([of, found]);
        seen.found += found.length;
        seen.missed += all.length - found.length;
      }
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 2), endOnFailure: true },
  );
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
}, 300_000);

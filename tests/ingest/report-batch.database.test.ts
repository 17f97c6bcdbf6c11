/** A batch answers each report as its own route would, in one round trip: the same figures, `meta`, cursors and errors. */
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { answerBatch } from '../../functions/analytics/answer-batch.ts';
import type { ReportMeta } from '../../lib/analytics/answers/schemas.ts';
import { type Filter, nameOf } from '../../lib/analytics/reading/filters.ts';
import { BATCHED, ReportBatch } from '../../lib/analytics/report-batch.ts';
import { reportNamed } from '../../lib/analytics/reports.ts';
import type { ReportContext } from '../../lib/context.ts';
import { type Cursors, createCursors } from '../../lib/cursor.ts';
import { connectDatabase } from '../../lib/db.ts';
import { DomainError, notFound } from '../../lib/errors.ts';
import { envelopeOf } from '../../lib/http/http-errors.ts';
import { check } from '../../lib/http/issues.ts';
import { type InputSchema, parameterPath, readParameters } from '../../lib/http/url-input.ts';
import { SHARED_REPORTS } from '../../lib/shares/schemas.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { addFunnel, addGoal } from '../security/definitions.ts';
import { addShare } from '../security/test-share.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter, GOALS } from './drawn-filter.ts';
import { makeOwnedSite } from './ingest-site.ts';
import { deliverAndSeal, drawnSeals } from './seal-days.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
const STEPS = [{ page: '/' }, { event: 'signup' }];
type Ctx = ReportContext & { cursors: Cursors };
type Query = Record<string, string>;
interface Answer {
  data?: unknown;
  meta?: object;
  error?: string;
}

const SIGNS: Record<Filter['operator'], string> = { is: '', not: '!', contains: '~' };
const filterText = ({ operator, values }: Filter): string => SIGNS[operator] + values.join('|');

/** The reports that take a parameter. */
const taking = (parameter: string) =>
  [...BATCHED].flatMap(([name, { report }]) =>
    parameter in reportNamed(report).input.entries ? [name] : [],
  );

const SORTS = ['reach', 'pageviews', 'visitors'];

/** Parameters that only these reports have. */
const OWN: readonly { of: readonly string[]; name: string; values: readonly string[] }[] = [
  { of: ['timeseries'], name: 'interval', values: ['hour', 'day', 'week', 'month'] },
  { of: taking('sort'), name: 'sort', values: SORTS },
  {
    of: taking('compare'),
    name: 'compare',
    values: ['previous', 'weekdays', 'year', '2026-06-14..2026-06-16'],
  },
  { of: taking('search'), name: 'search', values: ['o', '/P', 'nowhere'] },
  { of: ['journeys'], name: 'start', values: ['/', '/pricing'] },
  { of: ['journeys'], name: 'end', values: ['/', '/docs/start'] },
  { of: ['event-props', 'page-props'], name: 'key', values: ['plan', 'seats'] },
];

const drawnBatch = fc.record({
  names: fc.uniqueArray(fc.constantFrom(...BATCHED.keys()), { minLength: 1, maxLength: 16, size: 'max' }),
  limits: fc.array(fc.option(fc.integer({ min: 1, max: 4 })), { minLength: 16, maxLength: 16 }),
  sorts: fc.array(fc.constantFrom(null, ...SORTS), { minLength: 16, maxLength: 16 }),
  range: fc.constantFrom<Query>(
    {},
    { period: '24h' },
    { period: '7d' },
    { period: '90d' },
    { from: '2026-06-16', to: '2026-06-17' },
    { from: '2026-01-01', to: '2026-12-31' },
  ),
  tier: fc.constantFrom('', '', '', '1', '2', '3'),
  filters: fc.uniqueArray(drawnFilter, { selector: nameOf, maxLength: 2 }),
  own: fc.tuple(...OWN.map(({ values }) => fc.constantFrom(null, null, null, ...values))),
  ownFunnel: fc.boolean(),
  /** The reports that a share shows; undefined: the owner asks. */
  shown: fc.option(fc.uniqueArray(fc.constantFrom(...SHARED_REPORTS), { minLength: 1 }), { nil: undefined }),
});
type DrawnBatch = typeof drawnBatch extends fc.Arbitrary<infer T> ? T : never;

/** What a share of everything answers to a filter: often about so few that it is withheld. */
const drawnFilteredShare = fc
  .tuple(drawnBatch, drawnFilter)
  .map(([batch, filter]): DrawnBatch => ({ ...batch, filters: [filter], shown: [...SHARED_REPORTS] }));

function queriesOf({ names, limits, sorts, range, tier, filters, own }: DrawnBatch, funnel: string) {
  const common: Query = {
    ...range,
    ...(tier !== '' && { filter_privacy_tier: tier }),
    ...Object.fromEntries(filters.map((filter) => [`filter_${nameOf(filter)}`, filterText(filter)])),
  };
  const given = OWN.flatMap(({ of, name }, index) => {
    const value = own[index];
    return value === null || value === undefined || !of.some((report) => names.includes(report))
      ? []
      : [{ of, name, value }];
  });
  const limitOf = (name: string, index: number) => {
    const { entries } = reportNamed(BATCHED.get(name)?.report ?? '').input;
    return 'limit' in entries ? limits[index] : null;
  };
  /** A sort of this report alone stands after its limit. */
  const sortOf = (name: string, index: number) => {
    const { entries } = reportNamed(BATCHED.get(name)?.report ?? '').input;
    const sort = sorts[index];
    return limitOf(name, index) && 'sort' in entries && v.is(entries.sort as v.GenericSchema, sort)
      ? sort
      : null;
  };
  const batch: Query = {
    report: names
      .map((name, index) =>
        [name, limitOf(name, index), sortOf(name, index)].filter((part) => part).join(':'),
      )
      .join(),
    ...common,
    ...Object.fromEntries(given.map(({ name, value }) => [name, value])),
    ...(names.includes('event-props') && { event: 'signup' }),
    ...(names.includes('funnels') && { funnel }),
  };
  const single = names.map((name, index) => {
    const { report, preset } = BATCHED.get(name) ?? { report: name, preset: {} };
    const [limit, sort] = [limitOf(name, index), sortOf(name, index)];
    const { period, from, to, ...others } = common;
    return {
      name,
      report,
      query: {
        ...(report === 'live' ? others : common),
        ...Object.fromEntries(
          given.filter(({ of }) => of.includes(name)).map(({ name, value }) => [name, value]),
        ),
        ...preset,
        ...(limit && { limit: String(limit) }),
        ...(sort && { sort }),
      },
      ids: { 'event-props': { name: 'signup' }, funnels: { funnelId: funnel } }[report as string] ?? {},
    };
  });
  return { batch, single };
}

/** Reads a request's query as the routes do. */
const read = (schema: InputSchema, query: object, ids: object) =>
  check(
    schema,
    { ...readParameters(schema, new URLSearchParams({ ...query })), ...ids },
    parameterPath,
  ) as never;

/** The answer of a report's own route. */
async function askAlone(ctx: Ctx, report: string, query: object, ids: object): Promise<Answer> {
  const { actor } = ctx;
  try {
    if (actor.kind === 'share' && !actor.reports.includes(report)) throw notFound('report');
    const { input, answer } = reportNamed(report);
    return await answer(ctx, read(input, query, ids));
  } catch (error) {
    if (error instanceof DomainError) return envelopeOf(error);
    throw error;
  }
}

/** The first row of a list that has more. */
const drawnFirstRow = drawnBatch.map(
  (batch): DrawnBatch => ({
    ...batch,
    ...{ names: ['pages'], limits: [1], range: { period: '90d' }, tier: '', filters: [], shown: undefined },
  }),
);

test('a batch agrees with the reports’ own answers', async () => {
  const { address, fetch } = database();
  const fetched = vi.fn(fetch);
  const sql = connectDatabase({ url: address.url, fetch: fetched });
  const seen = { answers: 0, errors: 0, withheld: 0, cursors: 0 };
  const drawn = streams(30).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      sent: deliveries(stream.messages(PLACEHOLDER)),
      seals: drawnSeals,
      batches: fc.tuple(drawnBatch, drawnFirstRow, drawnFilteredShare),
    }),
  );
  await fc.assert(
    fc.asyncProperty(drawn, async ({ stream, sent, seals, batches }) => {
      const { now, zone } = stream;
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      for (const goal of GOALS) await addGoal(sql, siteId, { ...goal, id: crypto.randomUUID() });
      const funnelId = await addFunnel(sql, siteId, { name: 'Way', steps: STEPS });
      await deliverAndSeal(sql, { siteId, now }, sent, seals);
      const cursors = createCursors('c'.repeat(32));
      for (const one of batches) {
        const { shown } = one;
        const actor: ReportContext['actor'] =
          shown === undefined
            ? { kind: 'session', sessionId: '', userId }
            : { kind: 'share', siteId, reports: shown, shareId: (await addShare(sql, siteId)).shareId };
        const ctx: Ctx = { sql, actor, cursors, now: () => now };
        const { batch, single } = queriesOf(one, one.ownFunnel ? funnelId : PLACEHOLDER);
        const alone: [string, Answer][] = [];
        for (const { name, report, query, ids } of single)
          alone.push([name, await askAlone(ctx, report, query, { siteId, ...ids })]);

        fetched.mockClear();
        const together = await answerBatch(ctx, read(ReportBatch, batch, { siteId })).catch((error) =>
          error instanceof DomainError ? envelopeOf(error) : Promise.reject(error),
        );
        // Values that no visit has are one more question: what they are near to.
        const isUnmatched = 'meta' in together && 'unmatched' in (together.meta as ReportMeta).scope;
        expect(fetched.mock.calls.length).toBeLessThanOrEqual(isUnmatched ? 2 : 1);
        if (!('data' in together)) {
          // A share refuses a filter to all of its reports.
          expect(shown).toBeDefined();
          for (const [, answer] of alone) expect(answer).toHaveProperty('error');
          continue;
        }
        expect(fetched).toHaveBeenCalled();
        const entries = Object.entries(together.data as Record<string, Answer>).map(
          ([name, entry]): [string, Answer] => [
            name,
            'error' in entry ? entry : { ...entry, meta: { ...together.meta, ...entry.meta } },
          ],
        );
        expect(entries).toEqual(alone);
        for (const [, answer] of alone) {
          seen[answer.error === undefined ? 'answers' : 'errors'] += 1;
          if (answer.data === null) seen.withheld += 1;
          if (typeof (answer.meta as { nextCursor?: unknown })?.nextCursor === 'string') seen.cursors += 1;
        }
      }
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 2), endOnFailure: true },
  );
  // Each kind of answer was among them.
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
}, 300_000);

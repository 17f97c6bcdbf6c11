import { requireShown } from '../access.ts';
import type { ReportContext } from '../context.ts';
import type { Cursors } from '../cursor.ts';
import { DomainError } from '../errors.ts';
import type { ReportMeta } from './answers/schemas.ts';
import { askReport } from './ask-report.ts';
import { withNearValues } from './near-values.ts';
import { AnyReport } from './reading/report-inputs.ts';
import {
  type Found,
  type Reading,
  type ReportInput,
  readReports,
  runReport,
  type TogetherContext,
} from './reading/run-report.ts';
import type { ReportBatch } from './report-batch.ts';
import { reportNamed } from './reports.ts';
import { applySegment, findSegment } from './segment-filters.ts';

export interface AskedReports {
  common: ReportBatch['common'];
  /** `input`: the checked input of the report, or why it is refused. */
  reports: readonly { name: string; report: string; input: object | DomainError }[];
}

export interface BatchedAnswer {
  data: unknown;
  /** The fields of the report's `meta` that differ from the batch's. Absent: none. */
  meta?: Partial<ReportMeta>;
}

/**
 * Answers reports of a site as each alone would: the same verbs read together, in one transaction with one snapshot and one `now`. An error
 * of a report alone is its answer. A segment is one more look-up. Throws `NOT_FOUND` for a site or a segment that the caller may not see,
 * `UNAVAILABLE`, and `VALIDATION_ERROR` for common filters that a share doesn't take.
 */
export async function answerReports(
  ctx: ReportContext & { cursors: Cursors },
  { common, reports }: AskedReports,
): Promise<{ data: Record<string, BatchedAnswer | DomainError>; meta: ReportMeta }> {
  const now = ctx.now();
  const found = await findSegment(ctx, common);
  const [described, ...answers] = await settleTogether({ ...ctx, now: () => now, clock: ctx.now }, [
    (own) => describeRange(own, applySegment(AnyReport.entries.filters, common, found)),
    ...reports.map(({ report, input }) => async (own: typeof ctx) => {
      requireShown(ctx.actor, report);
      if (input instanceof DomainError) throw input;
      const { answer, input: Input } = reportNamed(report);
      return answer(own, applySegment(Input.entries.filters, input as never, found) as never);
    }),
  ]);
  const { meta: plain } = fulfilled(described);
  const meta = await withNearValues(ctx, plain);
  const entries = reports.map(({ name }, index): [string, BatchedAnswer | DomainError] => {
    const answer = answers[index];
    if (answer?.status === 'rejected' && answer.reason instanceof DomainError) return [name, answer.reason];
    const own = withNearValuesOf(meta, fulfilled(answer));
    const differing = Object.entries(own.meta).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(meta[field as keyof ReportMeta]),
    );
    return [name, { data: own.data, ...(differing.length > 0 && { meta: Object.fromEntries(differing) }) }];
  });
  return { data: Object.fromEntries(entries), meta };
}

type Answer = { data: unknown; meta: ReportMeta };

/** All reports have the same filters, so what their values are near to is asked once. */
function withNearValuesOf({ scope: { unmatched } }: ReportMeta, { data, meta }: Answer): Answer {
  if (unmatched === undefined || meta.scope.unmatched === undefined) return { data, meta };
  return { data, meta: { ...meta, scope: { ...meta.scope, unmatched } } };
}

/** The `meta` that all reports of the range have. Imported days are in it as in `overview`. */
async function describeRange(ctx: TogetherContext, common: ReportInput): Promise<Answer> {
  const { meta } = await askReport(ctx, common, async (own, input) => ({
    ...(await runReport(own, { ...input, imported: 'totals' }, () => ctx.sql`select`)),
    data: null,
  }));
  const { scope, range, coverage, freshness } = meta;
  return { data: null, meta: { scope, range, coverage, freshness } };
}

function fulfilled(answer: PromiseSettledResult<Answer> | undefined): Answer {
  if (answer?.status === 'fulfilled') return answer.value;
  throw answer?.reason;
}

/**
 * Runs reports that read together: the readings are sent when each report has asked for its own or is over without one. Throws what reading
 * throws; other errors are in the results.
 */
async function settleTogether<Ctx extends ReportContext>(
  ctx: Ctx,
  runs: readonly ((ctx: Ctx & TogetherContext) => Promise<Answer>)[],
): Promise<PromiseSettledResult<Answer>[]> {
  const readings: Reading[] = [];
  const found = Promise.withResolvers<Found[]>();
  let awaited = runs.length;
  const arrive = (): void => {
    awaited -= 1;
    if (awaited > 0) return;
    if (readings.length === 0) found.resolve([]);
    else readReports(ctx, readings).then(found.resolve, found.reject);
  };
  const settled = await Promise.allSettled(
    runs.map(async (run) => {
      let hasArrived = false;
      const readTogether = async (own: readonly Reading[]): Promise<Found[]> => {
        if (hasArrived) throw new Error('A report read more than once.');
        hasArrived = true;
        const index = readings.length;
        readings.push(...own);
        arrive();
        return (await found.promise).slice(index, index + own.length);
      };
      try {
        return await run({ ...ctx, readTogether });
      } finally {
        if (!hasArrived) arrive();
      }
    }),
  );
  await found.promise;
  return settled;
}

/** The figures of a report by mail, as `analytics` hands them to `messages`. */
import * as v from 'valibot';
import { Id } from '../fields.ts';

export const FiguresQuestion = v.strictObject({
  siteId: Id,
  from: v.pipe(v.string(), v.isoDate()),
  to: v.pipe(v.string(), v.isoDate()),
  segment: v.nullable(Id),
});
export type FiguresQuestion = v.InferOutput<typeof FiguresQuestion>;

const Change = v.nullable(v.number());
export const ReportFigures = v.object({
  /** False: nothing was observed in these days, and zeros mean nothing. */
  observed: v.boolean(),
  visitors: v.number(),
  visits: v.number(),
  pageviews: v.number(),
  /** Percent against the same length just before. Null: nothing was observed then. */
  visitorsChange: Change,
  visitsChange: Change,
  pageviewsChange: Change,
  /** Percent; null: not measured. */
  bounceRate: v.nullable(v.number()),
  pages: v.array(v.object({ name: v.string(), count: v.number() })),
  sources: v.array(v.object({ name: v.string(), count: v.number() })),
  /** `count`: visits of tiers 2 and 3. `apart`: conversions that can't be tied to a visit. */
  goals: v.array(v.object({ name: v.string(), count: v.number(), apart: v.optional(v.number(), 0) })),
  /** Events that weren't counted. */
  dropped: v.number(),
  segment: v.nullable(v.string()),
});
export type ReportFigures = v.InferOutput<typeof ReportFigures>;

/** Reads the figures of a site. Undefined: the site or the segment is gone. */
export type ReadFigures = (question: FiguresQuestion) => Promise<ReportFigures | undefined>;

/** Schemas of segments (docs/reports.md#segments): filters that people keep under a name. */
import * as v from 'valibot';
import { Filters } from '../analytics/reading/report-inputs.ts';
import { Id, Instant, Name } from '../fields.ts';
import { ruleOf } from '../rules.ts';

/** Maximum private segments of a person at a site, and maximum shared segments of a site. */
export const MAX_SEGMENTS = 50;

/** Filters as a query has them, by their names without `filter_`: `{"country": "PT|ES", "privacy_tier": 3}`. Kept as they were sent. */
export const SegmentFilters = v.pipe(
  v.record(v.string(), v.union([v.string(), v.number()])),
  v.description(
    'Filters by their names without `filter_`, with the texts that they have in a query: `{"country": "PT|ES", "page": "~/blog/"}`. ' +
      '`privacy_tier` is a number.',
  ),
  v.check((filters) => Object.keys(filters).length > 0, 'must have at least one filter'),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { issues = [] } = v.safeParse(Filters, dataset.value, { message: ruleOf });
    for (const { message, path } of issues) addIssue({ message, ...(path !== undefined && { path }) });
  }),
);

const Shared = v.pipe(
  v.boolean(),
  v.description('Whether all members of the project see it. Otherwise it is its maker’s own.'),
);

export const CreateSegment = v.strictObject({
  siteId: Id,
  name: Name,
  filters: SegmentFilters,
  shared: v.optional(Shared, false),
});
export type CreateSegment = v.InferOutput<typeof CreateSegment>;

export const ChangeSegment = v.pipe(
  v.strictObject({
    siteId: Id,
    segmentId: Id,
    name: v.optional(Name),
    filters: v.optional(SegmentFilters),
    shared: v.optional(Shared),
  }),
  v.description('At least one field; new `filters` replace the old ones.'),
  v.check(
    ({ name, filters, shared }) => name !== undefined || filters !== undefined || shared !== undefined,
    'must have at least one of `name`, `filters` and `shared`',
  ),
);
export type ChangeSegment = v.InferOutput<typeof ChangeSegment>;

export const OneSegment = v.strictObject({ siteId: Id, segmentId: Id });
export type OneSegment = v.InferOutput<typeof OneSegment>;

export const Segment = v.object({
  id: Id,
  name: v.string(),
  filters: v.record(v.string(), v.union([v.string(), v.number()])),
  shared: v.boolean(),
  createdAt: Instant,
});
export type Segment = v.InferOutput<typeof Segment>;

import type { Context } from 'hono';
import * as v from 'valibot';
import { notFound } from '../../lib/errors.ts';
import { limitOf, paging } from '../../lib/http/paging.ts';
import type { TraceFilters } from '../../lib/telemetry/find-traces.ts';
import { FilterText } from '../../lib/telemetry/schemas.ts';
import { INTERVALS } from '../../lib/telemetry/span-schemas.ts';
import { STATUSES } from '../../lib/telemetry/trace-schemas.ts';
import { attributesOf, readFilters } from './filters.ts';
import { oneRange, rangeEntries } from './query.ts';

/** A day. */
const MAX_DURATION_MS = 86_400_000;

const duration = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d{1,8}(?:\.\d{1,6})?$/, 'must be a number of milliseconds'),
    v.check((text) => Number(text) <= MAX_DURATION_MS, `must be at most ${MAX_DURATION_MS}`),
    v.metadata({ jsonSchema: { type: 'number', minimum: 0, maximum: MAX_DURATION_MS } }),
  ),
);

export const ServicesQuery = v.pipe(v.strictObject({ ...rangeEntries, ...paging }), oneRange());

export const SummaryQuery = v.pipe(
  v.strictObject({
    ...rangeEntries,
    service: FilterText,
    interval: v.optional(
      v.pipe(v.picklist(INTERVALS), v.description('Adds `intervals`: at most 500 fit into a range.')),
    ),
    limit: limitOf(),
  }),
  oneRange(),
);

const KNOWN = {
  ...rangeEntries,
  ...paging,
  service: v.optional(FilterText),
  operation: v.optional(v.pipe(FilterText, v.description('A span’s name.'))),
  status: v.optional(v.picklist(STATUSES)),
  minDurationMs: duration,
  maxDurationMs: duration,
  q: v.optional(
    v.pipe(
      FilterText,
      v.description(
        'In the span’s name, its status message or a value of its attributes; upper case or lower.',
      ),
    ),
  ),
};

/** Beside these it takes `attr.<key>` and `resource.<key>`: `readTracesQuery` refuses other names. */
export const TracesQuery = v.pipe(v.objectWithRest(KNOWN, FilterText), oneRange());

export const readTracesQuery = (c: Context): v.InferOutput<typeof TracesQuery> =>
  readFilters(c, KNOWN, TracesQuery);

export function filtersOf(query: v.InferOutput<typeof TracesQuery>): TraceFilters {
  const { service, operation, status, minDurationMs, maxDurationMs, q } = query;
  return {
    ...{ service, operation, status, q },
    minDurationMs: minDurationMs === undefined ? undefined : Number(minDurationMs),
    maxDurationMs: maxDurationMs === undefined ? undefined : Number(maxDurationMs),
    attributes: attributesOf(query, 'attr'),
    resource: attributesOf(query, 'resource'),
  };
}

/** A trace id in the path; what can't be one is like one that nobody has: `NOT_FOUND`. */
export function readTraceId(c: Context): string {
  const id = c.req.param('traceId')?.toLowerCase() ?? '';
  if (!/^[0-9a-f]{32}$/.test(id)) throw notFound('trace');
  return id;
}

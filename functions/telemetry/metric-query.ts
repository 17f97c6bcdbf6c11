import type { Context } from 'hono';
import * as v from 'valibot';
import { cursorOf, limitOf } from '../../lib/http/paging.ts';
import { AGGREGATIONS } from '../../lib/telemetry/metrics/aggregations.ts';
import { INTERVALS } from '../../lib/telemetry/metrics/interval.ts';
import type { MetricQuestion } from '../../lib/telemetry/metrics/read-metric.ts';
import { FilterText } from '../../lib/telemetry/schemas.ts';
import { attributesOf, readFilters } from './filters.ts';
import { oneRange, rangeEntries, rangeOf } from './query.ts';

/** As much as the receiver keeps of a name or a unit. */
const MAX_NAME_CHARS = 1024;
const MAX_GROUP_KEYS = 3;
const MAX_KEY_CHARS = 256;
/** A cursor bears a name, a type and a unit. */
const MAX_CURSOR_CHARS = 6000;

export const CatalogQuery = v.pipe(
  v.strictObject({
    ...rangeEntries,
    service: v.optional(FilterText),
    q: v.optional(v.pipe(FilterText, v.description('A part of the name, upper case or lower.'))),
    limit: limitOf(),
    cursor: cursorOf(MAX_CURSOR_CHARS),
  }),
  oneRange(),
);

const isGroupBy = (text: string): boolean => {
  const keys = text.split(',');
  return (
    keys.length <= MAX_GROUP_KEYS &&
    new Set(keys).size === keys.length &&
    keys.every((key) => /^[^\p{Cc}\p{Cs}]+$/u.test(key) && key.length <= MAX_KEY_CHARS)
  );
};

const KNOWN = {
  ...rangeEntries,
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_NAME_CHARS)),
  aggregation: v.picklist(AGGREGATIONS),
  groupBy: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'Up to 3 attribute keys with commas between them: of points, else of resources; `service` is the service’s name.',
      ),
      v.check(
        isGroupBy,
        `must be at most ${MAX_GROUP_KEYS} different attribute keys with commas between them`,
      ),
    ),
  ),
  interval: v.optional(
    v.pipe(
      v.picklist(INTERVALS),
      v.description('At most 500 fit into a range. Default: the shortest that does.'),
    ),
  ),
  service: v.optional(FilterText),
  type: v.optional(
    v.pipe(
      v.picklist(['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary']),
      v.description('Of metrics that share a name. Default: the type and unit that most series have.'),
    ),
  ),
  unit: v.optional(v.pipe(v.string(), v.maxLength(MAX_NAME_CHARS), v.description('The same.'))),
};

/** Beside these it takes `attr.<key>` and `resource.<key>`: `readMetricQuestion` refuses other names. */
export const MetricQuery = v.pipe(v.objectWithRest(KNOWN, FilterText), oneRange());

export function readMetricQuestion(c: Context): MetricQuestion {
  const query = readFilters(c, KNOWN, MetricQuery);
  const { name, aggregation, groupBy, interval, service, type, unit } = query;
  return {
    ...{ name, aggregation, interval, service, type, unit },
    range: rangeOf(query),
    groupBy: groupBy === undefined ? [] : groupBy.split(','),
    attributes: attributesOf(query, 'attr'),
    resource: attributesOf(query, 'resource'),
  };
}

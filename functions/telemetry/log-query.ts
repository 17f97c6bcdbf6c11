import type { Context } from 'hono';
import * as v from 'valibot';
import { paging } from '../../lib/http/paging.ts';
import type { LogFilters } from '../../lib/telemetry/find-logs.ts';
import { SEVERITIES } from '../../lib/telemetry/log-schemas.ts';
import { FilterText } from '../../lib/telemetry/schemas.ts';
import { attributesOf, readFilters } from './filters.ts';
import { oneRange, rangeEntries } from './query.ts';

type SeverityName = keyof typeof SEVERITIES;
const NAMES = Object.keys(SEVERITIES) as SeverityName[];

const KNOWN = {
  ...rangeEntries,
  ...paging,
  severity: v.optional(
    v.pipe(
      v.string(),
      v.description(`At least this severe: ${NAMES.join(', ')}, or a number from 1 (trace) to 24 (fatal).`),
      v.regex(
        new RegExp(`^(?:${NAMES.join('|')}|[1-9]|1\\d|2[0-4])$`),
        `must be one of ${NAMES.join(', ')}, or a whole number from 1 to 24`,
      ),
    ),
  ),
  service: v.optional(FilterText),
  text: v.optional(
    v.pipe(
      FilterText,
      v.description(
        'Words of the body: all of them, `"a phrase"`, `or`, `-not`. Whole words, upper case or lower.',
      ),
      v.regex(/[\p{L}\p{N}]/u, 'must have a word'),
    ),
  ),
  traceId: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[0-9A-Fa-f]{32}$/, 'must be 32 hexadecimal digits'),
      v.description('A trace’s id.'),
    ),
  ),
};

/** Beside these it takes `attr.<key>` and `resource.<key>`: `readLogsQuery` refuses other names. */
export const LogsQuery = v.pipe(v.objectWithRest(KNOWN, FilterText), oneRange());

export const readLogsQuery = (c: Context): v.InferOutput<typeof LogsQuery> =>
  readFilters(c, KNOWN, LogsQuery);

export function logFiltersOf(query: v.InferOutput<typeof LogsQuery>): LogFilters {
  const { severity, service, text, traceId } = query;
  return {
    severity: severity === undefined ? undefined : (SEVERITIES[severity as SeverityName] ?? Number(severity)),
    service,
    text,
    traceId: traceId?.toLowerCase(),
    attributes: attributesOf(query, 'attr'),
    resource: attributesOf(query, 'resource'),
  };
}

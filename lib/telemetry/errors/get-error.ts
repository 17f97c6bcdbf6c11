import { selectVisitAround, type VisitAround } from '../../associations/visit-around.ts';
import { notFound } from '../../errors.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from '../query-telemetry.ts';
import { resolveRange } from '../telemetry-range.ts';
import {
  countedMeta,
  groupAsJson,
  inHours,
  intervalsOf,
  type ReadGroup,
  summedUpTo,
  toExample,
  toGroup,
} from './error-counts.ts';
import type { ErrorDetails, ErrorMeta, OneError } from './error-schemas.ts';

const MAX_RELEASES = 50;

interface Row {
  read: ReadGroup;
  releases: { release: string; firstHour: string; lastHour: string; occurrences: number }[];
  around: { traceId: string; pages: { isPermitted: boolean; around: VisitAround | null } }[];
}

/**
 * One group of errors: its counts in the range (default: 7 days), its releases, its newest examples, and the pages and visits that led to
 * them. Throws `NOT_FOUND`, `VALIDATION_ERROR`. By the primary keys of `error_groups` and `error_hours`, and for each of at most 20
 * examples what `selectVisitAround` costs.
 */
export async function getError(
  ctx: TelemetryContext,
  { errorId, ...asked }: OneError,
): Promise<Answer<ErrorDetails, ErrorMeta>> {
  const now = ctx.now();
  const { sql, actor } = ctx;
  const intervals = intervalsOf(resolveRange(asked, now, '7d'));
  const { items, meta } = await queryTelemetry<Row>(
    ctx,
    asked,
    { instants: intervals.instants, signal: 'errors', filters: { errorId }, foldedAt: summedUpTo(sql) },
    sql`
      select ${groupAsJson(sql, intervals, undefined)} as read, (
        select coalesce(jsonb_agg(to_jsonb(listed) order by listed."lastHour" desc, release), '[]') from (
          select release, wire_instant(min(hour)) as "firstHour", wire_instant(max(hour)) as "lastHour", sum(occurrences) as occurrences
          from error_hours h where h.environment_key = grp.environment_key and h.id = grp.id and ${inHours(sql, intervals.instants)}
          group by release order by max(hour) desc, release limit ${MAX_RELEASES}
        ) listed
      ) as releases, (
        select coalesce(jsonb_agg(jsonb_build_object('traceId', example ->> 'trace', 'pages', visited.pages)), '[]')
        from jsonb_array_elements(grp.examples) as listed(example)
        cross join lateral (
          select (${selectVisitAround(sql, actor, { ...asked, traceId: sql`(example ->> 'trace')` }, now)}) as pages
        ) visited
        where example ->> 'trace' is not null
      ) as around
      from error_groups grp
      where grp.environment_key = (select key from environment) and grp.id = span_id_of(${errorId})
    `,
  );
  const [row] = items;
  if (row === undefined) throw notFound('error in this environment');
  const visited = row.around.flatMap(({ traceId, pages }) =>
    pages.around === null ? [] : [{ traceId, ...pages.around }],
  );
  return {
    data: {
      ...toGroup(row.read, intervals),
      releases: row.releases.map(({ release, ...times }) => ({ release: release || null, ...times })),
      examples: row.read.examples.map(toExample),
      pageViews:
        visited.length > 0
          ? 'observed'
          : row.around.some(({ pages }) => !pages.isPermitted)
            ? 'not permitted'
            : 'not observed',
      ...ledThere(visited),
    },
    meta: { ...meta, ...countedMeta(intervals) },
  };
}

/** The pages and visits that led to the examples. */
function ledThere(
  visited: readonly (VisitAround & { traceId: string })[],
): Pick<ErrorDetails, 'pages' | 'visits'> {
  const pages = new Map<string, { page: ErrorDetails['pages'][number]; visits: Set<string> }>();
  const visits = new Map<string, ErrorDetails['visits'][number]>();
  for (const { traceId, visit, pageViews } of visited) {
    if (visit === null) continue;
    const { siteId, domain, startedAt, source } = visit;
    const id = `${siteId} ${startedAt} ${pageViews[0]?.time ?? ''}`;
    if (!visits.has(id)) visits.set(id, { siteId, domain, startedAt, source, traceId });
    const path = pageViews.find(({ asked }) => asked)?.path;
    if (path === undefined) continue;
    const key = `${siteId} ${path}`;
    const known = pages.get(key) ?? {
      page: { siteId, domain, path, traces: 0, visits: 0 },
      visits: new Set(),
    };
    known.page.traces += 1;
    known.visits.add(id);
    known.page.visits = known.visits.size;
    pages.set(key, known);
  }
  return {
    pages: [...pages.values()]
      .map(({ page }) => page)
      .toSorted((a, b) => b.traces - a.traces || (a.path < b.path ? -1 : 1)),
    visits: [...visits.values()].toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1)),
  };
}

import { DomainError } from '../../errors.ts';
import type { MetricType } from '../../otlp/rows.ts';
import { shownFilters } from '../attribute-terms.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from '../query-telemetry.ts';
import type { TelemetryMeta } from '../schemas.ts';
import { resolveRange } from '../telemetry-range.ts';
import {
  type Aggregation,
  isPercentile,
  type MetricKind,
  quantileOf,
  requireSuitable,
  temporalitiesOf,
  unitOf,
} from './aggregations.ts';
import { metricCells } from './metric-cells.ts';
import { metricChanges } from './metric-changes.ts';
import { type Buckets, bucketsOf, INTERVAL_SECONDS } from './metric-interval.ts';
import { MAX_SERIES, metricMembers } from './metric-members.ts';
import { metricParts } from './metric-parts.ts';
import { metricRanks } from './metric-ranks.ts';
import type { MetricSeries, ReadMetric } from './metric-schemas.ts';
import { type Cell, valuesOf } from './metric-values.ts';

export const MAX_GROUPS = 50;

interface Item {
  kinds: (MetricKind & { series: number })[];
  series: number;
  groupCount: number;
  groups: { labels: (string | null)[]; cells: Cell[] | null; isMixed: boolean }[];
  /** The quantiles that a summary has. */
  quantiles: number[] | null;
}

/** Minutes of all series that are read without anybody asking for their interval: more take seconds, and are read as hours. */
const MANY_MINUTES = 100_000;
/** A shorter range has too few hours to show how something changed. */
const FEWEST_HOURS = 6;

/** The buckets that are asked for, or those that suit the range and, read beforehand, the number of series. */
async function chooseBuckets(ctx: TelemetryContext, asked: ReadMetric): Promise<Buckets> {
  const range = resolveRange(asked, ctx.now());
  const buckets = bucketsOf(range, asked.interval);
  const { instants, seconds } = buckets;
  const minutes = (range.toMs - range.fromMs) / 60_000;
  if (asked.interval !== undefined || seconds >= INTERVAL_SECONDS['1h'] || minutes < 60 * FEWEST_HOURS)
    return buckets;
  const { countReports: _, ...uncounted } = ctx;
  const { items } = await queryTelemetry<{ series: number }>(
    uncounted,
    asked,
    { instants, signal: 'metrics' },
    ctx.sql`with ${metricMembers(ctx.sql, instants, asked)} select count(*)::integer as series from member`,
  );
  return (items[0]?.series ?? 0) * minutes > MANY_MINUTES ? bucketsOf(range, '1h') : buckets;
}

/**
 * A metric over time, in groups. Throws `NOT_FOUND`, `UNAVAILABLE`, and `VALIDATION_ERROR` for too many buckets or for an aggregation
 * that doesn't suit the metric's type. One statement, and one before it that counts series if a range of hours names no interval; the
 * comments of its parts say what they read. Increases are exact for any order of arrival.
 */
export async function readMetric(ctx: TelemetryContext, asked: ReadMetric): Promise<Answer<MetricSeries>> {
  const now = ctx.now();
  const buckets = await chooseBuckets(ctx, asked);
  const { instants } = buckets;
  const { sql } = ctx;
  const distributions = isPercentile(asked.aggregation);
  const { name, aggregation, groupBy, service, type, unit, attributes, resource } = asked;
  const filters = shownFilters({ name, service, type, unit, attributes, resource });
  const { items, meta } = await queryTelemetry<Item>(
    ctx,
    asked,
    { instants, signal: 'metrics', filters },
    sql`
      with ${metricMembers(sql, instants, asked)}, ${metricParts(sql, buckets, { distributions })},
      ${metricChanges(sql, buckets, { now, distributions })}, sized as materialized (
        select labels, case when bool_and(kind = 'level') then max(max)
          else coalesce(sum(increase_value), sum(increase_count)::double precision) end as size
        from change where bucket >= 0 group by labels
      ), shown as materialized (
        select labels, row_number() over (order by size desc nulls last, labels) as position from sized order by position limit ${MAX_GROUPS}
      ), ${isPercentile(aggregation) ? metricRanks(sql, quantileOf(aggregation)) : metricCells(sql, aggregation)}
      select
        (select jsonb_agg(to_jsonb(kinds) order by series desc, type, unit, monotonic) from kinds) as kinds,
        (select count(*) from member) as series, (select count(*) from sized) as "groupCount",
        (select coalesce(jsonb_agg(jsonb_build_object('labels', labels, 'cells', cells, 'isMixed', ${
          isPercentile(aggregation)
            ? sql`(select count(distinct layout) > 1 from layouts where layouts.position = shown.position)`
            : sql`false`
        }) order by shown.position), '[]')
          from shown left join (select position, jsonb_agg(cell) as cells from answer group by position) answered using (position)) as groups,
        ${
          distributions
            ? sql`(select coalesce(jsonb_agg(distinct (listed ->> 'quantile')::double precision), '[]')
          from change cross join lateral jsonb_array_elements(quantiles) as listed where quantiles is not null)`
            : sql`null::jsonb`
        } as quantiles
    `,
  );
  const [item] = items as [Item];
  const kind = item.kinds?.[0];
  if (kind !== undefined) requireSuitable(aggregation, kind);
  if (kind?.type === 'summary' && isPercentile(aggregation))
    requireQuantile(quantileOf(aggregation), item.quantiles ?? []);
  const notes = notesOf(item, aggregation);
  return {
    data: {
      name,
      type: kind?.type ?? null,
      temporalities: temporalitiesOf(kind?.temporalities ?? []),
      unit: kind === undefined ? '' : unitOf(aggregation, kind),
      aggregation,
      intervalSeconds: buckets.seconds,
      groupBy,
      groups: item.groups.map(({ labels, cells }) => ({
        attributes: Object.fromEntries(groupBy.map((key, n) => [key, labels[n] ?? null])),
        values: valuesOf(cells ?? [], { aggregation, buckets, now }),
      })),
      groupsLeftOut: item.groupCount - item.groups.length,
    },
    meta: { ...meta, ...notes },
  };
}

function requireQuantile(quantile: number, given: readonly number[]): void {
  if (given.length === 0 || given.includes(quantile)) return;
  const suitable = [
    'sum',
    'avg',
    'rate',
    ...given.map((one) => `p${one * 100}`).filter((one) => /^p(?:50|95|99)$/.test(one)),
  ];
  throw new DomainError('VALIDATION_ERROR', 'The metric’s senders don’t give this quantile.', {
    details: [{ path: 'aggregation', message: `must be one of ${suitable.join(', ')} for this summary` }],
  });
}

/** Notes about what the answer leaves out and how exact its values are. The dashboard has them in each language (web/app/words). */
export function notesOf(
  { kinds, series, groups }: Pick<Item, 'kinds' | 'series' | 'groups'>,
  aggregation: Aggregation,
): Pick<TelemetryMeta, 'notes' | 'approximate'> {
  const [kind, ...others] = kinds ?? [];
  if (kind === undefined) return { notes: ['No such metric was observed with these filters.'] };
  const notes: string[] = [];
  for (const { type, unit, series: count } of others.slice(0, 10))
    notes.push(
      `Left out: ${count} series of type ${type} and unit "${unit}". Ask for them by \`type\` and \`unit\`.`,
    );
  if (kind.series > series)
    notes.push(`Only ${MAX_SERIES} of ${kind.series} series were read: ask with filters.`);
  if (groups.some(({ isMixed }) => isMixed))
    notes.push('Histograms of different bounds were added up by the bounds that they share.');
  const approximate = approximationOf(kind.type, aggregation);
  return { ...(notes.length > 0 && { notes }), ...(approximate !== undefined && { approximate }) };
}

function approximationOf(type: MetricType, aggregation: Aggregation): string | undefined {
  if (!isPercentile(aggregation)) return undefined;
  return type === 'summary'
    ? 'Quantiles are the senders’ own; where a group has several series, the highest of them, which the group’s own isn’t above.'
    : 'Percentiles are interpolated in the bucket of the histogram that they lie in.';
}

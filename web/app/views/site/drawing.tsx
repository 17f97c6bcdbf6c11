import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useMemo } from 'preact/hooks';
import type { Answer } from '../../api/batches.ts';
import { listAnnotations, type ReportMeta, type TimeseriesPoint } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { type ChartPoint, LineChart } from '../../charts/line-chart.tsx';
import { NumbersTable } from '../../charts/numbers-table.tsx';
import { compact, dateIn, exact, time, timeRange } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { type Asked, METRICS, type Metric, type SiteQuery } from '../../state/site-query.ts';
import { words } from '../../words/index.ts';
import { useCompare } from './use-overview.ts';

/** One of the figures over time, beside the range that it is compared with. */
export function Drawing({ asked, zone, query }: { asked: Asked; zone: string; query: SiteQuery }) {
  const reader = useReader();
  const compare = useCompare();
  const interval = query.interval ?? defaultInterval(query.period);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['timeseries', reader.key, asked, interval, compare],
    queryFn: () => reader.report<TimeseriesPoint[]>('timeseries', asked, { interval, compare }),
    placeholderData: keepPreviousData,
  });
  const notes = useQuery({
    queryKey: ['annotations', asked],
    queryFn: ({ signal }) => listAnnotations(rangeOf(asked), signal),
    enabled: reader.shows === undefined,
  });
  const points = useMemo(
    () =>
      data === undefined
        ? []
        : pointsOf(data, { metric: query.metric, interval, zone, notes: notes.data?.data ?? [] }),
    [data, notes.data, query.metric, interval, zone],
  );
  if (error) return <Failure error={error} retry={refetch} />;
  return (
    <div class={isPlaceholderData ? 'dimmed' : undefined} style={{ minHeight: '240px' }}>
      {data?.meta.comparison && <Legend meta={data.meta} zone={zone} />}
      {data && <LineChart name={words.figures[query.metric]} points={points} format={compact} />}
      <Numbers data={data} zone={zone} interval={interval} />
    </div>
  );
}

/** Which line is which range. */
function Legend({ meta: { range, comparison }, zone }: { meta: ReportMeta; zone: string }) {
  if (comparison === undefined) return null;
  return (
    <ul class="ranges">
      <li>
        <Key kind="line" />
        {rangeName(range, zone)}
      </li>
      <li>
        <Key kind="line other" />
        {rangeName(comparison, zone)}
        {!comparison.observed && `: ${words.chart.notObserved}`}
      </li>
    </ul>
  );
}

const Key = ({ kind }: { kind: string }) => (
  <svg class="key" viewBox="0 0 24 8" aria-hidden="true">
    <path class={kind} d="M1,4H23" />
  </svg>
);

const HOUR_MS = 3_600_000;

/** A range by its days, or by its hours where these aren't whole days. */
export function rangeName({ from, to }: { from: string; to: string }, zone: string): string {
  const isMidnight = (at: string): boolean =>
    dateIn(zone, Date.parse(at)) !== dateIn(zone, Date.parse(at) - 1);
  const end = Date.parse(to);
  return isMidnight(from) && isMidnight(to)
    ? timeRange(from, end - HOUR_MS, 'days', zone)
    : timeRange(from, end, 'hours', zone);
}

interface NumbersProps {
  data: Answer<TimeseriesPoint[]> | undefined;
  zone: string;
  interval: Interval;
}

function Numbers({ data, zone, interval }: NumbersProps) {
  const isCompared = data?.meta.comparison !== undefined;
  const at = (instant: string): string => time(instant, interval === 'hour' ? 'long-hour' : 'long-day', zone);
  return (
    <NumbersTable
      times={[words.chart.time, ...(isCompared ? [words.compare.otherTime] : [])]}
      names={METRICS.flatMap((metric) => {
        const name = words.figures[metric];
        return isCompared ? [name, words.compare.column(name)] : [name];
      })}
      rows={(data?.data ?? []).map((row) => ({
        key: row.time,
        times: [at(row.time), ...(isCompared ? [row.previous ? at(row.previous.time) : '–'] : [])],
        numbers: METRICS.flatMap((metric) => {
          const now = exact(row[metric]);
          return isCompared ? [now, row.previous ? exact(row.previous[metric]) : '–'] : [now];
        }),
      }))}
    />
  );
}

const rangeOf = ({ siteId, period, from, to }: Asked) => ({
  siteId,
  ...(period && { period }),
  ...(from !== undefined && to !== undefined && { from, to }),
});

type Interval = NonNullable<SiteQuery['interval']>;

const defaultInterval = (period: SiteQuery['period']): Interval =>
  period === '24h' || period === 'today' || period === 'yesterday'
    ? 'hour'
    : period === 'year'
      ? 'week'
      : 'day';

interface Drawn {
  metric: Metric;
  interval: Interval;
  zone: string;
  notes: readonly { date: string; text: string }[];
}

type Series = Answer<TimeseriesPoint[]>;

/** Buckets before the first event aren't observed. Those of the future are drawn only beside what they are compared with. */
function pointsOf({ data, meta }: Series, { metric, interval, zone, notes }: Drawn): ChartPoint[] {
  const now = Date.parse(meta.freshness.evaluatedAt);
  const { comparison, range, coverage } = meta;
  const isObserved = (end: string): boolean =>
    coverage.since !== null && Date.parse(end) > Date.parse(coverage.since);
  const long = (at: string): string => time(at, interval === 'hour' ? 'long-hour' : 'long-day', zone);
  const isBegun = ({ time: at }: TimeseriesPoint): boolean => Date.parse(at) <= now;
  const shown = comparison?.observed
    ? data.filter((row) => isBegun(row) || row.previous)
    : data.filter(isBegun);
  return shown.map((row, index) => {
    const next = data[index + 1];
    const end = next?.time ?? range.to;
    const { previous } = row;
    const day = dateIn(zone, Date.parse(row.time));
    return {
      label: time(row.time, interval === 'hour' ? 'hour' : interval === 'month' ? 'month' : 'day', zone),
      longLabel: long(row.time),
      value: isBegun(row) && isObserved(end) ? row[metric] : null,
      isFuture: !isBegun(row),
      unfinished: isBegun(row) && Date.parse(end) > now,
      ...(previous &&
        comparison && {
          previous: {
            longLabel: long(previous.time),
            value: isObserved(next?.previous?.time ?? comparison.to) ? previous[metric] : null,
          },
        }),
      notes: interval === 'hour' ? [] : notes.filter(({ date }) => date === day).map(({ text }) => text),
    };
  });
}

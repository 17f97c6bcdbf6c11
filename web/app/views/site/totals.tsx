import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Answer } from '../../api/batches.ts';
import {
  listAnnotations,
  type Overview,
  type ReportMeta,
  type TimeseriesPoint,
} from '../../api/operations.generated.ts';
import { isWithheld, useReader } from '../../api/reader.ts';
import { type ChartPoint, LineChart } from '../../charts/line-chart.tsx';
import { change, compact, dateIn, duration, exact, percent, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { type Asked, METRICS, type Metric, type SiteQuery } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { TierBand } from './tier-band.tsx';
import { useOverview } from './use-overview.ts';

interface TotalsProps {
  asked: Asked;
  zone: string;
  snippet: string | undefined;
}

/** The figures, the chart of one of them, and how they were counted. */
export function Totals({ asked, zone, snippet }: TotalsProps) {
  const { query } = useSiteQuery();
  const overview = useOverview(asked);
  const error = overview.error;
  if (error) return <Failure error={error} retry={overview.refetch} />;
  if (overview.data && isWithheld(overview.data.meta))
    return (
      <section class="card empty">
        <strong>{words.share.tooFew}</strong>
        <p>{words.share.tooFewText}</p>
      </section>
    );
  return (
    <section class={overview.isPlaceholderData ? 'card dimmed' : 'card'}>
      <Figures
        overview={overview.data?.data}
        hasBefore={overview.data !== undefined && hasBefore(overview.data.meta)}
        query={query}
      />
      <div class="drawing">
        <Drawing asked={asked} zone={zone} query={query} />
      </div>
      {overview.data && (
        <TierBand overview={overview.data.data} meta={overview.data.meta} snippet={snippet} />
      )}
    </section>
  );
}

interface FiguresProps {
  overview: Overview | undefined;
  hasBefore: boolean;
  query: SiteQuery;
}

/** Whether something was observed in the period before. Against nothing there is no change to show. */
function hasBefore({ range, coverage: { since } }: ReportMeta): boolean {
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  return since !== null && Date.parse(since) <= from - (to - from) / 2;
}

function Figures({ overview, hasBefore, query }: FiguresProps) {
  const { hrefOf } = useSiteQuery();
  const names = words.figures;
  const drawn = (metric: Metric): ComponentChildren => (
    <Link
      key={metric}
      class="figure"
      role="button"
      aria-pressed={metric === query.metric}
      aria-description={overview && exact(overview[metric])}
      href={hrefOf({ ...query, metric })}
    >
      <Figure
        name={names[metric]}
        value={overview && compact(overview[metric])}
        change={hasBefore ? overview?.[`${metric}Change`] : undefined}
      />
    </Link>
  );
  return (
    <div class="figures">
      {METRICS.map(drawn)}
      <div class="figure">
        <Figure name={names.bounceRate} value={overview && percent(overview.bounceRate)} />
      </div>
      <div class="figure">
        <Figure name={names.avgDuration} value={overview && duration(overview.avgDuration)} />
      </div>
    </div>
  );
}

function Figure({
  name,
  value,
  change: by,
}: {
  name: string;
  value: string | undefined;
  change?: number | undefined;
}) {
  return (
    <>
      <span class="name">{name}</span>
      <span class="value">{value ?? '\u00a0'}</span>
      <span class="note">
        {by !== undefined && (
          <span class={by > 0 ? 'up' : by < 0 ? 'down' : ''} title={words.figures.change(change(by))}>
            {by > 0 ? '↑ ' : by < 0 ? '↓ ' : ''}
            {change(by)}
          </span>
        )}
      </span>
    </>
  );
}

function Drawing({ asked, zone, query }: { asked: Asked; zone: string; query: SiteQuery }) {
  const reader = useReader();
  const interval = query.interval ?? defaultInterval(query.period);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['timeseries', reader.key, asked, interval],
    queryFn: () => reader.report<TimeseriesPoint[]>('timeseries', asked, { interval }),
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
  const name = words.figures[query.metric];
  return (
    <div class={isPlaceholderData ? 'dimmed' : undefined} style={{ minHeight: '240px' }}>
      {data && <LineChart name={name} points={points} format={compact} />}
      <details>
        <summary class="soft">{words.chart.table}</summary>
        <div class="scrolls">
          <table class="list-table">
            <thead>
              <tr>
                <th>{words.chart.time}</th>
                {METRICS.map((metric) => (
                  <th key={metric} class="number">
                    {words.figures[metric]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data?.data.map((row) => (
                <tr key={row.time}>
                  <td>{time(row.time, interval === 'hour' ? 'long-hour' : 'long-day', zone)}</td>
                  {METRICS.map((metric) => (
                    <td key={metric} class="number">
                      {exact(row[metric])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
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

/** Buckets before the first event aren't observed; those of the future aren't drawn. */
function pointsOf({ data, meta }: Series, { metric, interval, zone, notes }: Drawn): ChartPoint[] {
  const now = Date.parse(meta.freshness.evaluatedAt);
  const { since } = meta.coverage;
  const begun = data.filter(({ time: at }) => Date.parse(at) <= now);
  return begun.map((row, index) => {
    const next = data[index + 1]?.time ?? meta.range.to;
    const isObserved = since !== null && Date.parse(next) > Date.parse(since);
    const day = dateIn(zone, Date.parse(row.time));
    return {
      label: time(row.time, interval === 'hour' ? 'hour' : interval === 'month' ? 'month' : 'day', zone),
      longLabel: time(row.time, interval === 'hour' ? 'long-hour' : 'long-day', zone),
      value: isObserved ? row[metric] : null,
      unfinished: index === begun.length - 1 && Date.parse(next) > now,
      notes: interval === 'hour' ? [] : notes.filter(({ date }) => date === day).map(({ text }) => text),
    };
  });
}

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Answer } from '../../api/batches.ts';
import type { ReportMeta, TimeseriesPoint } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { type ChartPoint, LineChart } from '../../charts/line-chart.tsx';
import { NumbersTable } from '../../charts/numbers-table.tsx';
import { dateIn, exact, time, timeRange } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Menu } from '../../parts/menu.tsx';
import { type Asked, type Drawn, METRICS, type SiteQuery } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { figureOf, formatOf } from './drawn-figure.ts';
import { type Note, NoteDialog, NotesList, useNotes } from './notes.tsx';
import { useCompare } from './use-overview.ts';

interface DrawingProps {
  asked: Asked;
  zone: string;
  query: SiteQuery;
  /** Of members, who see what happened on the days. */
  projectId: string | undefined;
}

/** One of the figures over time, beside the range that it is compared with. */
export function Drawing({ asked, zone, query, projectId }: DrawingProps) {
  const reader = useReader();
  const compare = useCompare();
  const interval = query.interval ?? defaultInterval(query.period);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['timeseries', reader.key, asked, interval, compare],
    queryFn: () => reader.report<TimeseriesPoint[]>('timeseries', asked, { interval, compare }),
    placeholderData: keepPreviousData,
  });
  const { notes, mayChange } = useNotes({ asked, zone, projectId });
  const [annotated, setAnnotated] = useState<string | undefined>();
  const points = data === undefined ? [] : pointsOf(data, { metric: query.metric, interval, zone, notes });
  const annotate = (row: TimeseriesPoint | undefined): void => {
    if (row !== undefined) setAnnotated(dateIn(zone, Date.parse(row.time)));
  };
  if (error) return <Failure error={error} retry={refetch} />;
  return (
    <div class={isPlaceholderData ? 'dimmed' : undefined} style={{ minHeight: '240px' }}>
      <div class="chart-head">
        {data?.meta.comparison ? <Legend meta={data.meta} zone={zone} /> : <span />}
        {data && <IntervalMenu chosen={interval} range={data.meta.range} />}
      </div>
      {data && (
        <LineChart
          name={words.figures[query.metric]}
          points={points}
          format={formatOf(query.metric)}
          open={
            mayChange ? { hint: words.notes.hint, onOpen: (index) => annotate(data.data[index]) } : undefined
          }
        />
      )}
      {data && (
        <NotesList
          siteId={asked.siteId}
          notes={drawnNotes(data, notes, zone)}
          mayChange={mayChange}
          onAdd={() => setAnnotated(dateIn(zone, Date.now()))}
        />
      )}
      {annotated !== undefined && (
        <NoteDialog siteId={asked.siteId} day={annotated} onClose={() => setAnnotated(undefined)} />
      )}
      <Numbers data={data} zone={zone} interval={interval} />
    </div>
  );
}

const DAY_MS = 86_400_000;
/** The API draws hours of at most so many days. */
const MAX_DAYS_BY_HOUR = 31;
/** Days that a range has at least to be drawn by it. */
const FEWEST_DAYS = { hour: 0, day: 1.5, week: 8, month: 32 } as const;
const INTERVALS = ['hour', 'day', 'week', 'month'] as const;

/** How long each part of the chart is. Those are offered that make a line. */
function IntervalMenu({ chosen, range }: { chosen: Interval; range: { from: string; to: string } }) {
  const { query, hrefOf } = useSiteQuery();
  const told = words.intervals;
  const days = (Date.parse(range.to) - Date.parse(range.from)) / DAY_MS;
  const offered = INTERVALS.filter(
    (one) => days >= FEWEST_DAYS[one] && (one !== 'hour' || days <= MAX_DAYS_BY_HOUR),
  );
  return (
    <Menu plain name={`${told.label}: ${told[chosen]}`} label={told[chosen]}>
      {(close) =>
        offered.map((interval) => (
          <Link
            key={interval}
            href={hrefOf({ ...query, interval })}
            aria-current={interval === chosen ? 'true' : undefined}
            onClick={close}
          >
            {told[interval]}
          </Link>
        ))
      }
    </Menu>
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
  const isCompared = data?.meta.comparison?.observed === true;
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

type Interval = NonNullable<SiteQuery['interval']>;

const isOneDay = (period: SiteQuery['period']): boolean =>
  typeof period === 'object' && period.from === period.to;

const defaultInterval = (period: SiteQuery['period']): Interval =>
  period === '24h' || period === 'today' || period === 'yesterday' || isOneDay(period)
    ? 'hour'
    : period === 'year'
      ? 'week'
      : 'day';

interface Shown {
  metric: Drawn;
  interval: Interval;
  zone: string;
  notes: readonly Note[];
}

type Series = Answer<TimeseriesPoint[]>;

/** The number of the bucket that begins with a note's day, or else has it in it; -1 if none has. */
function placeOf({ date }: Note, days: readonly string[]): number {
  const first = days.indexOf(date);
  return first >= 0 ? first : days.findLastIndex((day) => day < date);
}

const daysOf = ({ data }: Series, zone: string): string[] =>
  data.map(({ time: at }) => dateIn(zone, Date.parse(at)));

/** The notes of the range, in order. */
const drawnNotes = (series: Series, notes: readonly Note[], zone: string): Note[] => {
  const days = daysOf(series, zone);
  const end = dateIn(zone, Date.parse(series.meta.range.to) - 1);
  return notes
    .filter((note) => note.date <= end && placeOf(note, days) >= 0)
    .sort((a, b) => (a.date < b.date ? -1 : 1));
};

/** Buckets before the first event aren't observed. Those of the future are drawn only beside what they are compared with. */
function pointsOf(series: Series, { metric, interval, zone, notes }: Shown): ChartPoint[] {
  const { data, meta } = series;
  const now = Date.parse(meta.freshness.evaluatedAt);
  const days = daysOf(series, zone);
  const placed = drawnNotes(series, notes, zone).map((note) => ({ ...note, place: placeOf(note, days) }));
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
    return {
      label: time(row.time, interval === 'hour' ? 'hour' : interval === 'month' ? 'month' : 'day', zone),
      longLabel: long(row.time),
      value: isBegun(row) && isObserved(end) ? figureOf(row, metric) : null,
      isFuture: !isBegun(row),
      unfinished: isBegun(row) && Date.parse(end) > now,
      ...(previous &&
        comparison && {
          previous: {
            longLabel: long(previous.time),
            value: isObserved(next?.previous?.time ?? comparison.to) ? figureOf(previous, metric) : null,
          },
        }),
      notes: placed.filter(({ place }) => place === index).map(({ text }) => text),
    };
  });
}

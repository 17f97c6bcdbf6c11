import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Answer } from '../../api/batches.ts';
import type { ReportMeta, TimeseriesPoint } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { CHART_HEIGHT } from '../../charts/chart-height.ts';
import { NumbersTable } from '../../charts/numbers-table.tsx';
import { type ChartPoint, MOST_BARS, TimeChart } from '../../charts/time-chart.tsx';
import { dateIn, points as pointsIn, time, timeRange } from '../../format.ts';
import { lazyView } from '../../lazy-view.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Tool } from '../../parts/tool.tsx';
import {
  type Asked,
  type Dates,
  DRAWN,
  type Drawn,
  datesOf,
  dimensionOf,
  isMetric,
  type SiteQuery,
  SPLITS,
  type Split,
} from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { Change } from './change.tsx';
import { ExportDialog } from './dialogs.tsx';
import { exactOf, figureOf, formatOf } from './drawn-figure.ts';
import { wordOf } from './filter-text.ts';
import { type Note, NotesMenu, useNotes } from './notes.tsx';
import { shownLists } from './panels.ts';
import { useCompare } from './use-overview.ts';

interface DrawingProps {
  asked: Asked;
  zone: string;
  query: SiteQuery;
  /** Of members, who see what happened on the days. */
  projectId: string | undefined;
  /** What is said of the changes. */
  children: ComponentChildren;
}

/** One of the figures over time, beside the range that it is compared with. */
export function Drawing({ asked, zone, query, projectId, children }: DrawingProps) {
  const reader = useReader();
  const { go } = useSiteQuery();
  const compare = useCompare(asked);
  const interval = query.interval ?? defaultInterval(query.period);
  const splits = useSplits(query.metric, interval);
  const by = splits.find((one) => one === query.by);
  const {
    data: answer,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['timeseries', reader.key, asked, interval, compare, by],
    queryFn: async () => ({
      by,
      ...(await reader.report<TimeseriesPoint[]>('timeseries', asked, { interval, compare, by })),
    }),
    placeholderData: keepPreviousData,
  });
  const data = answer && query.period === 'all' ? sinceFirst(answer) : answer;
  const { notes, mayChange } = useNotes({ asked, zone, projectId });
  const [isTable, setTable] = useState(false);
  const points = data === undefined ? [] : pointsOf(data, { metric: query.metric, interval, zone, notes });
  if (error) return <Failure error={error} retry={refetch} />;
  // While others are loaded, the last ones are drawn, under their own names.
  const split = isMetric(query.metric) ? data?.by : undefined;
  const pick =
    data === undefined || isOneDay(query.period)
      ? undefined
      : {
          hint: words.chart.pick,
          onPick: (first: number, last: number) => {
            const period = daysBetween(data, zone, first, last);
            if (period !== undefined) go({ ...query, period, interval: undefined });
          },
        };
  return (
    <div class={isPlaceholderData ? 'dimmed' : undefined}>
      <div class="chart-head">
        <div>
          {data?.meta.comparison && split === undefined && (
            <Legend meta={data.meta} zone={zone} isBars={points.length <= MOST_BARS} />
          )}
          {children}
        </div>
        {data && (
          <div class="choices">
            <IntervalMenu chosen={interval} range={data.meta.range} />
            {splits.length > 0 && <SplitMenu chosen={by} offered={splits} />}
            <Tool
              icon="table"
              name={words.chart.table}
              isPressed={isTable}
              onClick={() => setTable(!isTable)}
            />
            <NotesMenu
              siteId={asked.siteId}
              notes={drawnNotes(data, notes, zone)}
              mayChange={mayChange}
              day={datesOf(query.period, zone, Date.now()).to}
            />
            {projectId !== undefined && <Export asked={asked} />}
          </div>
        )}
      </div>
      {split !== undefined && isMetric(query.metric) ? (
        <Suspense fallback={<div style={{ height: `${CHART_HEIGHT}px` }} />}>
          <SplitChart
            {...{ points, pick, isTable, by: split, metric: query.metric, data: data?.data ?? [] }}
          />
        </Suspense>
      ) : (
        data && (
          <TimeChart
            name={words.figures[query.metric]}
            points={points}
            format={formatOf(query.metric)}
            unit={query.metric === 'avgDuration' ? SECONDS_OF_MINUTE : 1}
            change={(now, before) =>
              // More of these visits is neither good nor bad by itself.
              query.metric === 'bounceRate' ? pointsIn(now - before) : <Change now={now} before={before} />
            }
            pick={pick}
          />
        )
      )}
      {data && isTable && split === undefined && <Numbers data={data} zone={zone} interval={interval} />}
    </div>
  );
}

function Export({ asked }: { asked: Asked }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Tool icon="download" name={words.exports.title} onClick={() => setOpen(true)} />
      {isOpen && <ExportDialog asked={asked} onClose={() => setOpen(false)} />}
    </>
  );
}

const SECONDS_OF_MINUTE = 60;

const SplitChart = lazyView(() => import('./split-chart.tsx'));

/** By what the chart may be split: of a share, by what its lists show. By hour a share's lists tell less. */
function useSplits(metric: Drawn, interval: Interval): readonly Split[] {
  const { shows } = useReader();
  if (!isMetric(metric) || (shows !== undefined && interval === 'hour')) return [];
  const lists = shownLists(shows);
  return SPLITS.filter((by) =>
    by === 'tier' ? (shows?.includes('overview') ?? true) : lists.some(({ dimension }) => dimension === by),
  );
}

function SplitMenu({ chosen, offered }: { chosen: Split | undefined; offered: readonly Split[] }) {
  const { query, hrefOf } = useSiteQuery();
  const { label, none } = words.split;
  const nameOf = (by: Split): string => wordOf(dimensionOf(by));
  return (
    <Menu
      plain
      label={chosen === undefined ? none : `${label}: ${nameOf(chosen)}`}
      name={`${label}: ${chosen === undefined ? none : nameOf(chosen)}`}
    >
      {(close) =>
        [undefined, ...offered].map((by) => (
          <Link
            key={by ?? ''}
            href={hrefOf({ ...query, by })}
            aria-current={by === chosen ? 'true' : undefined}
            onClick={close}
          >
            {by === undefined ? none : nameOf(by)}
          </Link>
        ))
      }
    </Menu>
  );
}

const DAY_MS = 86_400_000;
/** Most days that the API draws by hours. */
const MAX_DAYS_BY_HOUR = 31;
/** Days that a range has at least to be drawn by it. */
const FEWEST_DAYS = { hour: 0, day: 1.5, week: 8, month: 32 } as const;
const INTERVALS = ['hour', 'day', 'week', 'month'] as const;

/** How long each part of the chart is. Those are offered that make a line. */
function IntervalMenu({ chosen, range }: { chosen: Interval; range: { from: string; to: string } }) {
  const { query, hrefOf } = useSiteQuery();
  const texts = words.intervals;
  const days = (Date.parse(range.to) - Date.parse(range.from)) / DAY_MS;
  const offered = INTERVALS.filter(
    (one) => days >= FEWEST_DAYS[one] && (one !== 'hour' || days <= MAX_DAYS_BY_HOUR),
  );
  return (
    <Menu plain name={`${texts.label}: ${texts[chosen]}`} label={texts[chosen]}>
      {(close) =>
        offered.map((interval) => (
          <Link
            key={interval}
            href={hrefOf({ ...query, interval })}
            aria-current={interval === chosen ? 'true' : undefined}
            onClick={close}
          >
            {texts[interval]}
          </Link>
        ))
      }
    </Menu>
  );
}

/** What is drawn of which range. */
function Legend({
  meta: { range, comparison },
  zone,
  isBars,
}: {
  meta: ReportMeta;
  zone: string;
  isBars: boolean;
}) {
  const kind = isBars ? 'bar' : 'line';
  if (comparison === undefined) return null;
  return (
    <ul class="ranges">
      <li>
        <Key kind={kind} />
        {rangeName(range, zone)}
      </li>
      <li>
        <Key kind={`${kind} other`} />
        {rangeName(comparison, zone)}
        {!comparison.observed && `: ${words.chart.notObserved}`}
      </li>
    </ul>
  );
}

const Key = ({ kind }: { kind: string }) => (
  <svg class="key" viewBox="0 0 24 8" aria-hidden="true">
    <path class={kind} d={kind.startsWith('bar') ? 'M8,0H16V8H8Z' : 'M1,4H23'} />
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
  data: Answer<TimeseriesPoint[]>;
  zone: string;
  interval: Interval;
}

function Numbers({ data, zone, interval }: NumbersProps) {
  const isCompared = data.meta.comparison?.observed === true;
  const at = (instant: string): string => time(instant, interval === 'hour' ? 'long-hour' : 'long-day', zone);
  return (
    <NumbersTable
      note={words.chart.visitorsNote}
      times={[words.chart.time, ...(isCompared ? [words.compare.otherTime] : [])]}
      names={DRAWN.flatMap((metric) => {
        const name = words.figures[metric];
        return isCompared ? [name, words.compare.column(name)] : [name];
      })}
      rows={() =>
        data.data.map((row) => ({
          key: row.time,
          times: [at(row.time), ...(isCompared ? [row.previous ? at(row.previous.time) : '–'] : [])],
          numbers: DRAWN.flatMap((metric) => {
            const shown = (figures: Omit<TimeseriesPoint, 'previous'> | null | undefined): string => {
              const value = figures && data.meta.coverage.observed ? figureOf(figures, metric) : null;
              return value === null ? '–' : exactOf(metric)(value);
            };
            return isCompared ? [shown(row), shown(row.previous)] : [shown(row)];
          }),
        }))
      }
    />
  );
}

type Interval = NonNullable<SiteQuery['interval']>;

/** The day that the period is, if it is given by its dates. */
const oneDayOf = (period: SiteQuery['period']): string | undefined =>
  typeof period === 'object' && period.from === period.to ? period.from : undefined;

export const isOneDay = (period: SiteQuery['period']): boolean =>
  period === 'today' || period === 'yesterday' || oneDayOf(period) !== undefined;

const defaultInterval = (period: SiteQuery['period']): Interval =>
  period === '24h' || isOneDay(period) ? 'hour' : period === 'year' ? 'week' : 'day';

interface Shown {
  metric: Drawn;
  interval: Interval;
  zone: string;
  notes: readonly Note[];
}

type Series = Answer<TimeseriesPoint[]>;

/** The number of the bucket that begins with a note's day, or else has it in it; -1 if none has. */
function dayIndexOf({ date }: Note, days: readonly string[]): number {
  const first = days.indexOf(date);
  return first >= 0 ? first : days.findLastIndex((day) => day < date);
}

/** Without the parts before the first event. */
function sinceFirst<Answer extends Series>(answer: Answer): Answer {
  const { data, meta } = answer;
  const since = meta.coverage.since ?? meta.range.from;
  const first = data.findIndex((_, index) => (data[index + 1]?.time ?? meta.range.to) > since);
  return { ...answer, data: data.slice(Math.max(0, first)) };
}

/** The days of the times from the first to the last. Undefined: they haven't begun. */
function daysBetween({ data, meta }: Series, zone: string, first: number, last: number): Dates | undefined {
  const from = data[first]?.time;
  const now = Date.parse(meta.freshness.evaluatedAt);
  if (from === undefined || Date.parse(from) > now) return undefined;
  const end = Math.min(Date.parse(data[last + 1]?.time ?? meta.range.to) - 1, now);
  return { from: dateIn(zone, Date.parse(from)), to: dateIn(zone, end) };
}

const daysOf = ({ data }: Series, zone: string): string[] =>
  data.map(({ time: at }) => dateIn(zone, Date.parse(at)));

/** The notes of the range, in order. */
const drawnNotes = (series: Series, notes: readonly Note[], zone: string): Note[] => {
  const days = daysOf(series, zone);
  const end = dateIn(zone, Date.parse(series.meta.range.to) - 1);
  return notes
    .filter((note) => note.date <= end && dayIndexOf(note, days) >= 0)
    .sort((a, b) => (a.date < b.date ? -1 : 1));
};

/** Hours of two days. */
const MOST_HOURS = 48;

/** Buckets before the first event aren't observed, nor are those of a range without any. Those of the future are drawn only beside what they are compared with. */
function pointsOf(series: Series, { metric, interval, zone, notes }: Shown): ChartPoint[] {
  const { data, meta } = series;
  const now = Date.parse(meta.freshness.evaluatedAt);
  const days = daysOf(series, zone);
  const indexed = drawnNotes(series, notes, zone).map((note) => ({
    ...note,
    dayIndex: dayIndexOf(note, days),
  }));
  const { comparison, range, coverage } = meta;
  const isSince = (end: string): boolean =>
    coverage.since !== null && Date.parse(end) > Date.parse(coverage.since);
  const long = (at: string): string => time(at, interval === 'hour' ? 'long-hour' : 'long-day', zone);
  const isBegun = ({ time: at }: TimeseriesPoint): boolean => Date.parse(at) <= now;
  const shown = comparison?.observed
    ? data.filter((row) => isBegun(row) || row.previous)
    : data.filter(isBegun);
  // Hours of several days are named by their day.
  const isByTime = interval === 'hour' && shown.length <= MOST_HOURS;
  return shown.map((row, index) => {
    const next = data[index + 1];
    const end = next?.time ?? range.to;
    const { previous } = row;
    return {
      label: time(row.time, isByTime ? 'hour' : interval === 'month' ? 'month' : 'day', zone),
      longLabel: long(row.time),
      value: isBegun(row) && coverage.observed && isSince(end) ? figureOf(row, metric) : null,
      isFuture: !isBegun(row),
      unfinished: isBegun(row) && Date.parse(end) > now,
      isPart: row.partial === true && Date.parse(end) <= now,
      ...(previous &&
        comparison && {
          previous: {
            longLabel: long(previous.time),
            value: isSince(next?.previous?.time ?? comparison.to) ? figureOf(previous, metric) : null,
          },
        }),
      notes: indexed.filter(({ dayIndex }) => dayIndex === index).map(({ text }) => text),
    };
  });
}

import { Link, useLocation } from 'wouter-preact';
import type { LatencyHistogram, readLatencies } from '../../api/operations.generated.ts';
import { HeatChart } from '../../charts/heat-chart.tsx';
import { NumbersDetails } from '../../charts/numbers-table.tsx';
import { ShadeKey } from '../../charts/shades.tsx';
import { exact, milliseconds, time, timeRange } from '../../format.ts';
import { type EnvironmentIds, useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { isLong, observedIntervals } from './intervals.ts';
import {
  type Bucket,
  grouped,
  merged,
  positionOf,
  rangeOf,
  sumOf,
  together,
  tracesHref,
} from './latency-buckets.ts';

/** As many as a phone has room for; more are put together. */
const MOST_TIMES = 50;
const MOST_DURATIONS = 32;
/** The first digits of round durations, and how many of them stand at the left. */
const STEPS = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1]];
const MOST_ROUND = 9;

interface LatencyHeatProps {
  environment: EnvironmentIds;
  histogram: LatencyHistogram;
  meta: Awaited<ReturnType<typeof readLatencies>>['meta'];
}

/** How long entries took, over time. A cell leads to traces of its time that took as long. */
export function LatencyHeat({ environment, histogram, meta }: LatencyHeatProps) {
  const { fields } = useFields();
  const [, navigate] = useLocation();
  const texts = backendWords.services;
  const size = together(histogram.buckets.length, MOST_DURATIONS);
  const buckets = merged(histogram.buckets, size);
  const columns = columnsOf(histogram, size, meta);
  const top = Math.max(...columns.flatMap(({ cells }) => cells));
  const form = isLong(meta) ? 'day' : 'hour';
  const hrefOf = (first: Column, last: Column, ends: readonly [Bucket, Bucket]): string =>
    tracesHref(environment, fields, histogram, ends, { from: first.from, to: last.to });
  const nameOf = ({ from, to }: Column): string => timeRange(from, to, 'hours', 'UTC');
  return (
    <>
      <HeatChart
        name={texts.latencies}
        columns={columns.map(({ from, cells, isObserved }) => ({
          label: time(from, form, 'UTC'),
          values: isObserved ? cells : null,
        }))}
        rows={buckets.length}
        top={top}
        scale={roundDurations(buckets)}
        above={(ms) => positionOf(ms, buckets)}
        format={milliseconds}
        read={(at, row) => {
          const column = columns[at] as Column;
          return {
            position: [
              `${nameOf(column)} UTC${column.unfinished ? `, ${words.chart.unfinished}` : ''}`,
              rangeOf(buckets[row] as Bucket),
            ],
            figures: column.isObserved
              ? [
                  [texts.entryName, exact(column.cells[row] ?? 0)],
                  [texts.errors, exact(column.wrong[row] ?? 0)],
                ]
              : [[words.chart.notObserved]],
          };
        }}
        hint={texts.pickCell}
        onPick={([first, last], [low, high]) => {
          const found = columns.slice(first, last + 1).flatMap(({ cells }) => cells.slice(low, high + 1));
          if (sumOf(found) > 0)
            navigate(
              hrefOf(columns[first] as Column, columns[last] as Column, [
                buckets[low] as Bucket,
                buckets[high] as Bucket,
              ]),
            );
        }}
      />
      <p class="shades soft" aria-hidden="true">
        {columns.some(({ isObserved }) => !isObserved) && (
          <span>
            <svg class="shade" viewBox="0 0 20 10" aria-hidden="true">
              <rect class="unknown" width="20" height="10" />
            </svg>
            {words.chart.notObserved}
          </span>
        )}
        <span>
          {texts.entryName} <ShadeKey top={top} />
        </span>
      </p>
      <p class="soft">{texts.pickCell}</p>
      <NumbersDetails
        times={[`${words.chart.time} (UTC)`, texts.took]}
        names={[texts.entryName, texts.errors]}
        rows={() =>
          columns.flatMap((column) =>
            buckets.flatMap((bucket, row) => {
              const count = column.cells[row] ?? 0;
              if (count === 0) return [];
              return {
                key: `${column.from} ${bucket.fromMs}`,
                times: [
                  nameOf(column),
                  <Link href={hrefOf(column, column, [bucket, bucket])}>{rangeOf(bucket)}</Link>,
                ],
                numbers: [exact(count), exact(column.wrong[row] ?? 0)],
              };
            }),
          )
        }
      />
    </>
  );
}

interface Column {
  /** Within the range. */
  from: string;
  to: string;
  /** By bucket: entries, and those with an error. */
  cells: readonly number[];
  wrong: readonly number[];
  isObserved: boolean;
  unfinished: boolean;
}

/** The intervals, put together so that they begin at whole ones: those of half an hour at 9:00 and 9:30. */
function columnsOf(
  { intervals = [] }: LatencyHistogram,
  size: number,
  meta: LatencyHeatProps['meta'],
): Column[] {
  const { from, to } = meta.range;
  const [first = from, second = to] = intervals.map((one) => one.time);
  const many = together(intervals.length, MOST_TIMES);
  const begin = Date.parse(first);
  const skipped = Math.round(begin / (Date.parse(second) - begin)) % many;
  const sums = grouped(intervals, many, skipped).map((some) => {
    /** Of each bucket its numbers of some intervals, then of each row. */
    const rows = (of: 'entries' | 'errors'): number[] =>
      grouped(histogramOf(some.map((one) => one[of])), size).map(sumOf);
    const cells = rows('entries');
    const observed = some.some((one) => one.observed);
    return { time: some[0]?.time ?? from, observed, cells, wrong: rows('errors') };
  });
  return observedIntervals(sums, meta).map(({ point, ...rest }, index) => ({
    ...rest,
    from: point.time < from ? from : point.time,
    to: sums[index + 1]?.time ?? to,
    cells: point.cells,
    wrong: point.wrong,
  }));
}

/** Sums of numbers at the same index. */
const histogramOf = (all: readonly (readonly number[])[]): number[] =>
  (all[0] ?? []).map((_, at) => sumOf(all.map((numbers) => numbers[at] ?? 0)));

/** Such as 1, 2, 5, 10, … ms between the shortest and the longest duration; these two if there are fewer. */
function roundDurations(buckets: readonly Bucket[]): number[] {
  const ends = [buckets[0]?.fromMs ?? 0, buckets.at(-1)?.toMs ?? 0] as const;
  const least = Math.floor(Math.log10(Math.max(ends[0], 1e-6)));
  const powers = Array.from(
    { length: Math.ceil(Math.log10(ends[1])) - least + 1 },
    (_, n) => 10 ** (least + n),
  );
  const round = (steps: readonly number[]): number[] =>
    powers
      .flatMap((power) => steps.map((step) => step * power))
      .filter((ms) => ms >= ends[0] && ms <= ends[1]);
  const scale = STEPS.map(round).find(({ length }) => length <= MOST_ROUND) ?? round([1]);
  return scale.length > 1 ? scale : [...ends];
}

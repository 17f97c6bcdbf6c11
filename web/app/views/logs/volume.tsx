import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { countLogs, type LogVolume } from '../../api/operations.generated.ts';
import { BarsChart } from '../../charts/bars-chart.tsx';
import { NumbersDetails } from '../../charts/numbers-table.tsx';
import { compact, exact, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { askedOf, type EnvironmentIds, useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';

/** The filters of the list, which are those of the chart too. */
export const LOG_FILTERS = ['service', 'severity', 'text', 'traceId'];

/** From below: what is severe stands where bars begin, so that its bars can be compared. */
const LAYERS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'unspecified'] as const;
const HEIGHT = 160;
const LIVE_MS = 15_000;
const LONG_MS = 36 * 3_600_000;

/** How many records there are by time and severity. A bar, or several, become the period. */
export function Volume({ environment, isLive }: { environment: EnvironmentIds; isLive: boolean }) {
  const { fields, hrefWith, go } = useFields();
  const texts = backendWords.logs;
  const asked = askedOf(environment, fields, LOG_FILTERS);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['log-volume', asked],
    queryFn: ({ signal }) => countLogs(asked, signal),
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? LIVE_MS : false,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  // Its room is kept, so that nothing moves when the answer comes.
  if (data === undefined) return <div class="card part log-volume" />;
  const { range, countedFrom, severeCountedFrom } = data.meta;
  const { intervals, intervalSeconds } = data.data;
  const isLong = Date.parse(range.to) - Date.parse(range.from) > LONG_MS;
  const endOf = ({ time: at }: Interval): number => Date.parse(at) + intervalSeconds * 1000;
  const rangeOf = (first: Interval, last: Interval) => ({
    ...{ period: undefined, at: undefined, live: undefined },
    from: new Date(Math.max(Date.parse(first.time), Date.parse(range.from))).toISOString(),
    to: new Date(Math.min(endOf(last), Date.parse(range.to))).toISOString(),
  });
  const shown = LAYERS.filter((name) => intervals.some((one) => (one[name] ?? 0) > 0));
  // Without any record the chart still has its axis.
  const layers = shown.length > 0 ? shown : (['info'] as const);
  return (
    <section
      class={isPlaceholderData ? 'card part log-volume dimmed' : 'card part log-volume'}
      aria-label={texts.volume}
    >
      <BarsChart
        name={texts.volume}
        height={HEIGHT}
        columns={intervals.map((one) => ({
          label: time(one.time, isLong ? 'day' : intervalSeconds < 60 ? 'second' : 'hour', 'UTC'),
          longLabel: `${nameOf(one, intervalSeconds)} UTC`,
        }))}
        layers={layers.map((name) => ({
          ...{ name: backendWords.severities[name], kind: name },
          values: intervals.map((one) => one[name]),
        }))}
        format={compact}
        pick={{
          hint: texts.pickTime,
          onPick: (first, last) => {
            const [from, to] = [intervals[first], intervals[last]];
            if (from && to) go(rangeOf(from, to));
          },
        }}
      />
      {countedFrom > range.from && (
        <p class="soft">
          {texts.countedFrom(
            time(countedFrom, 'long-hour', 'UTC'),
            severeCountedFrom < countedFrom ? time(severeCountedFrom, 'long-hour', 'UTC') : undefined,
          )}
        </p>
      )}
      <NumbersDetails
        times={[`${words.chart.time} (UTC)`]}
        names={layers.map((name) => backendWords.severities[name])}
        rows={() =>
          intervals.map((one) => ({
            key: one.time,
            times: [<Link href={hrefWith(rangeOf(one, one))}>{nameOf(one, intervalSeconds)}</Link>],
            numbers: layers.map((name) => countText(one[name])),
          }))
        }
      />
    </section>
  );
}

type Interval = LogVolume['intervals'][number];

const nameOf = ({ time: at }: Interval, seconds: number): string =>
  time(at, seconds < 60 ? 'long-second' : 'long-hour', 'UTC');

/** What wasn't counted isn't 0. */
const countText = (count: number | null): string =>
  count === null ? backendWords.logs.notCounted : exact(count);

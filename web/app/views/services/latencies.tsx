import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useLocation } from 'wouter-preact';
import { type LatencyHistogram, readLatencies } from '../../api/operations.generated.ts';
import { BarsChart } from '../../charts/bars-chart.tsx';
import { compact, exact, milliseconds } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { askedOf, keptRange, type Place, useFields, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';

type Bucket = LatencyHistogram['buckets'][number];

interface LatenciesProps {
  place: Place;
  service: string;
  operations: readonly string[];
}

/** How long the entries of a service, or of the operation in the address, took. A bar leads to traces that took as long. */
export function Latencies({ place, service, operations }: LatenciesProps) {
  const { fields, go } = useFields();
  const { operation } = fields;
  const told = backendWords.services;
  const asked = { ...askedOf(place, fields), service, ...(operation && { operation }) };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['latencies', asked],
    queryFn: ({ signal }) => readLatencies(asked, signal),
    placeholderData: keepPreviousData,
  });
  const listed =
    operation === undefined || operations.includes(operation) ? operations : [operation, ...operations];
  return (
    <section class={isPlaceholderData ? 'card part dimmed' : 'card part'} aria-label={told.latencies}>
      <div class="heading">
        <h2>{told.latencies}</h2>
        <label class="field controls">
          <span class="unseen">{backendWords.filters.operation}</span>
          <select
            class="input"
            onChange={({ currentTarget }) => go({ operation: currentTarget.value || undefined })}
          >
            <option value="">{told.allOperations}</option>
            {listed.map((name) => (
              <option key={name} value={name} selected={name === operation}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="latencies">
        {error && <Failure error={error} retry={refetch} />}
        {data && (data.data === null || data.data.entries === 0) && (
          <p class="soft">{words.chart.notObserved}</p>
        )}
        {data?.data && data.data.entries > 0 && <Drawing place={place} histogram={data.data} />}
      </div>
    </section>
  );
}

function Drawing({ place, histogram }: { place: Place; histogram: LatencyHistogram }) {
  const { fields } = useFields();
  const [, navigate] = useLocation();
  const told = backendWords.services;
  const { service, operation } = histogram;
  const buckets = merged(histogram.buckets);
  const tracesFrom = (first: Bucket, last: Bucket): string =>
    viewHref(place, 'traces', {
      ...keptRange(fields),
      ...{ service, operation: operation ?? undefined },
      minDurationMs: String(first.fromMs),
      // The search takes the longest duration itself.
      maxDurationMs: String(Math.round(last.toMs * 1e6 - 1) / 1e6),
    });
  return (
    <>
      <BarsChart
        name={told.latencies}
        columns={buckets.map((bucket) => ({
          label: milliseconds(bucket.fromMs),
          longLabel: rangeOf(bucket),
        }))}
        layers={[
          { name: told.errors, kind: 'wrong', values: buckets.map(({ errors }) => errors) },
          {
            name: told.withoutError,
            kind: '',
            values: buckets.map(({ entries, errors }) => entries - errors),
          },
        ]}
        format={compact}
        marks={marksOf(histogram, buckets)}
        pick={{
          hint: told.pickLatency,
          onPick: (first, last) => {
            const ends = [buckets[first], buckets[last]] as const;
            if (ends[0] && ends[1]) navigate(tracesFrom(ends[0], ends[1]));
          },
        }}
      />
      <p class="soft">{told.pickLatency}</p>
      <details>
        <summary class="soft">{words.chart.table}</summary>
        <Scrolls label={words.chart.table}>
          <table class="list-table">
            <thead>
              <tr>
                <th>{told.took}</th>
                <th class="number">{told.entryName}</th>
                <th class="number">{told.errors}</th>
              </tr>
            </thead>
            <tbody>
              {buckets
                .filter(({ entries }) => entries > 0)
                .map((bucket) => (
                  <tr key={bucket.fromMs}>
                    <td>
                      <Link href={tracesFrom(bucket, bucket)}>{rangeOf(bucket)}</Link>
                    </td>
                    <td class="number">{exact(bucket.entries)}</td>
                    <td class="number">{exact(bucket.errors)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </Scrolls>
      </details>
    </>
  );
}

const rangeOf = ({ fromMs, toMs }: Bucket): string => `${milliseconds(fromMs)} – ${milliseconds(toMs)}`;

/** As many bars as a phone has room for; more buckets are put together two by two. */
const MOST_BARS = 48;
function merged(buckets: readonly Bucket[]): readonly Bucket[] {
  if (buckets.length <= MOST_BARS) return buckets;
  const pairs: Bucket[] = [];
  for (let at = 0; at < buckets.length; at += 2) {
    const [first, second] = [buckets[at] as Bucket, buckets[at + 1]];
    pairs.push({
      fromMs: first.fromMs,
      toMs: (second ?? first).toMs,
      entries: first.entries + (second?.entries ?? 0),
      errors: first.errors + (second?.errors ?? 0),
    });
  }
  return merged(pairs);
}

/** Where the percentiles lie between the bars, whose widths are ratios. */
const marksOf = (histogram: LatencyHistogram, buckets: readonly Bucket[]) =>
  (['p50', 'p95', 'p99'] as const).flatMap((name) => {
    const ms = histogram[`${name}Ms`];
    const index = buckets.findIndex(({ fromMs, toMs }) => ms !== null && ms >= fromMs && ms < toMs);
    const bucket = buckets[index];
    if (ms === null || bucket === undefined) return [];
    const share =
      bucket.fromMs > 0 ? Math.log(ms / bucket.fromMs) / Math.log(bucket.toMs / bucket.fromMs) : 0.5;
    return [{ at: index + share, label: `${name} ${milliseconds(ms)}` }];
  });

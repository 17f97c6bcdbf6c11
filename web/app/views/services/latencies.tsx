import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useLocation } from 'wouter-preact';
import { type LatencyHistogram, readLatencies } from '../../api/operations.generated.ts';
import { BarsChart } from '../../charts/bars-chart.tsx';
import { NumbersDetails } from '../../charts/numbers-table.tsx';
import { compact, exact, milliseconds } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import { askedOf, type EnvironmentIds, lengthOf, useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { chartInterval } from './intervals.ts';
import { type Bucket, merged, positionOf, rangeOf, together, tracesHref } from './latency-buckets.ts';
import { LatencyHeat } from './latency-heat.tsx';

const TABS = ['histogram', 'time'] as const;

interface LatenciesProps {
  environment: EnvironmentIds;
  service: string;
  operations: readonly string[];
}

/** How long the entries of a service, or of the operation in the address, took, in all or over time. Both lead to traces that took as long. */
export function Latencies({ environment, service, operations }: LatenciesProps) {
  const { fields, go } = useFields();
  const { operation } = fields;
  const texts = backendWords.services;
  const tab = fields.latencies === 'time' ? 'time' : 'histogram';
  const asked = {
    ...{ ...askedOf(environment, fields), service },
    ...(operation && { operation }),
    ...(tab === 'time' && { interval: chartInterval(lengthOf(fields)) }),
  };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['latencies', asked],
    queryFn: ({ signal }) => readLatencies(asked, signal),
    placeholderData: keepPreviousData,
  });
  const listed =
    operation === undefined || operations.includes(operation) ? operations : [operation, ...operations];
  return (
    <section class={isPlaceholderData ? 'card part dimmed' : 'card part'} aria-label={texts.latencies}>
      <div class="heading">
        <h2>{texts.latencies}</h2>
        <TabList
          label={texts.latencies}
          names={TABS}
          chosen={tab}
          textOf={(name) => texts.latencyTabs[name]}
          onChoose={(index) => go({ latencies: index === 0 ? undefined : TABS[index] })}
        />
        <label class="field controls">
          <span class="unseen">{backendWords.filters.operation}</span>
          <select
            class="input"
            onChange={({ currentTarget }) => go({ operation: currentTarget.value || undefined })}
          >
            <option value="">{texts.allOperations}</option>
            {listed.map((name) => (
              <option key={name} value={name} selected={name === operation}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="latencies" role="tabpanel" aria-label={texts.latencyTabs[tab]}>
        {error && <Failure error={error} retry={refetch} />}
        {data && (data.data === null || data.data.entries === 0) && (
          <p class="soft">{words.chart.notObserved}</p>
        )}
        {data?.data &&
          data.data.entries > 0 &&
          (data.data.intervals ? (
            <LatencyHeat environment={environment} histogram={data.data} meta={data.meta} />
          ) : (
            <Drawing environment={environment} histogram={data.data} />
          ))}
      </div>
    </section>
  );
}

function Drawing({ environment, histogram }: { environment: EnvironmentIds; histogram: LatencyHistogram }) {
  const { fields } = useFields();
  const [, navigate] = useLocation();
  const texts = backendWords.services;
  const buckets = merged(histogram.buckets, together(histogram.buckets.length, MOST_BARS));
  const tracesFrom = (...ends: readonly [Bucket, Bucket]): string =>
    tracesHref(environment, fields, histogram, ends);
  return (
    <>
      <BarsChart
        name={texts.latencies}
        columns={buckets.map((bucket) => ({
          label: milliseconds(bucket.fromMs),
          longLabel: rangeOf(bucket),
        }))}
        layers={[
          { name: texts.errors, kind: 'wrong', values: buckets.map(({ errors }) => errors) },
          {
            name: texts.withoutError,
            kind: '',
            values: buckets.map(({ entries, errors }) => entries - errors),
          },
        ]}
        format={compact}
        marks={marksOf(histogram, buckets)}
        pick={{
          hint: texts.pickLatency,
          onPick: (first, last) => {
            const ends = [buckets[first], buckets[last]] as const;
            if (ends[0] && ends[1]) navigate(tracesFrom(ends[0], ends[1]));
          },
        }}
      />
      <p class="soft">{texts.pickLatency}</p>
      <NumbersDetails
        times={[texts.took]}
        names={[texts.entryName, texts.errors]}
        rows={() =>
          buckets
            .filter(({ entries }) => entries > 0)
            .map((bucket) => ({
              key: String(bucket.fromMs),
              times: [<Link href={tracesFrom(bucket, bucket)}>{rangeOf(bucket)}</Link>],
              numbers: [exact(bucket.entries), exact(bucket.errors)],
            }))
        }
      />
    </>
  );
}

/** As many bars as a phone has room for; more buckets are put together. */
const MOST_BARS = 48;

/** Where the percentiles lie between the bars, whose widths are ratios. */
const marksOf = (histogram: LatencyHistogram, buckets: readonly Bucket[]) =>
  (['p50', 'p95', 'p99'] as const).flatMap((name) => {
    const ms = histogram[`${name}Ms`];
    if (ms === null) return [];
    return [{ at: positionOf(ms, buckets), label: `${name} ${milliseconds(ms)}` }];
  });

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type ServiceSummary, summarizeService } from '../../api/operations.generated.ts';
import { NumbersDetails } from '../../charts/numbers-table.tsx';
import { TimeChart } from '../../charts/time-chart.tsx';
import { exact, milliseconds, percent, rate, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { SortedHead } from '../../parts/sorted-head.tsx';
import {
  askedOf,
  type EnvironmentIds,
  keptRange,
  lengthOf,
  useFields,
  viewHref,
} from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { NotObserved } from '../environment/not-observed.tsx';
import { Observed } from '../environment/observed.tsx';
import { chartInterval, isLong, observedIntervals } from './intervals.ts';
import { Latencies } from './latencies.tsx';
import { Neighbourhood } from './neighbourhood.tsx';
import { FailedLink, optionalMs, rateText } from './performance.tsx';

const OPERATIONS = 50;

/** The figures of a service, each with how the chart draws it. An interval without entries has no latency and no error rate. */
const FIGURES = {
  ratePerSecond: { of: rateText, axis: rate },
  errorRate: {
    of: (value: number) => percent(100 * value, 2),
    axis: (value: number) => percent(100 * value),
  },
  p50Ms: { of: milliseconds, axis: milliseconds },
  p95Ms: { of: milliseconds, axis: milliseconds },
  p99Ms: { of: milliseconds, axis: milliseconds },
} as const;
type Figure = keyof typeof FIGURES;
const NAMES = Object.keys(FIGURES) as Figure[];

/** A service: how it performs, its operations, and who calls whom around it. */
export function ServiceDetails({ environment, service }: { environment: EnvironmentIds; service: string }) {
  const { fields, hrefWith } = useFields();
  const interval = chartInterval(lengthOf(fields));
  const [sort, setSort] = useState<Column>('entries');
  const asked = { ...askedOf(environment, fields), service, interval, limit: OPERATIONS, sort } as const;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['service', asked],
    queryFn: ({ signal }) => summarizeService(asked, signal),
    placeholderData: keepPreviousData,
  });
  const texts = backendWords.services;
  const drawn = NAMES.find((name) => name === fields.draw) ?? 'p95Ms';
  const keep = keptRange(fields);
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="empty">{words.loading}</p>;
  const { data: summary, meta } = data;
  const form = isLong(meta) ? 'day' : 'hour';
  const points = observedIntervals(summary?.intervals ?? [], meta).map((one) => ({
    ...one,
    longTime: time(one.point.time, 'long-hour', 'UTC'),
  }));
  return (
    <div class={isPlaceholderData ? 'dimmed' : undefined}>
      <div class="heading">
        <h2>{service}</h2>
        <p class="links">
          <Link
            href={hrefWith({
              service: undefined,
              draw: undefined,
              operation: undefined,
              latencies: undefined,
            })}
          >
            {texts.all}
          </Link>
          <Link href={viewHref(environment, 'traces', { ...keep, service })}>
            {backendWords.views.traces}
          </Link>
          <Link href={viewHref(environment, 'traces', { ...keep, service, status: 'error' })}>
            {texts.failed}
          </Link>
          <Link href={viewHref(environment, 'logs', { ...keep, service })}>{backendWords.views.logs}</Link>
        </p>
      </div>
      {summary === null ? (
        <NotObserved environment={environment} observed={false} />
      ) : (
        <>
          <section class="card">
            <div class="figures">
              {NAMES.map((name) => (
                <Link
                  key={name}
                  class="figure"
                  role="button"
                  aria-pressed={name === drawn}
                  href={hrefWith({ draw: name })}
                >
                  <span class="name">{texts.figures[name]}</span>
                  <span class="value">{optionalMs(summary[name], FIGURES[name].of)}</span>
                </Link>
              ))}
            </div>
            <div class="drawing">
              <TimeChart
                name={texts.figures[drawn]}
                points={points.map(({ point, isObserved, unfinished, longTime }) => ({
                  label: time(point.time, form, 'UTC'),
                  longLabel: `${longTime} UTC`,
                  value: isObserved ? point[drawn] : null,
                  isEmpty: isObserved && point.entries === 0,
                  unfinished,
                }))}
                format={FIGURES[drawn].axis}
              />
              <p class="soft">
                <Observed {...meta} /> {meta.approximate && texts.approximate}
              </p>
              <NumbersDetails
                times={[`${words.chart.time} (UTC)`]}
                names={NAMES.map((name) => texts.figures[name])}
                rows={() =>
                  points.map(({ point, isObserved, longTime }) => ({
                    key: longTime,
                    times: [longTime],
                    numbers: NAMES.map((name) =>
                      isObserved ? optionalMs(point[name], FIGURES[name].of) : words.chart.notObserved,
                    ),
                  }))
                }
              />
            </div>
          </section>
          <Latencies
            environment={environment}
            service={service}
            operations={summary.operations.map(({ operation }) => operation)}
          />
          <Operations {...{ environment, summary, sort }} onSort={setSort} />
        </>
      )}
      <Neighbourhood environment={environment} service={service} />
    </div>
  );
}

/** By what operations are sorted, in the order of their columns. */
const COLUMNS = ['entries', 'errorRate', 'p50Ms', 'p95Ms', 'p99Ms'] as const;
type Column = (typeof COLUMNS)[number];

interface OperationsProps {
  environment: EnvironmentIds;
  summary: ServiceSummary;
  sort: Column;
  onSort: (sort: Column) => void;
}

function Operations({
  environment,
  summary: { service, operations, moreOperations },
  sort,
  onSort,
}: OperationsProps) {
  const { fields } = useFields();
  const texts = backendWords.services;
  const namesOf = { entries: texts.rate, errorRate: texts.errors, p50Ms: 'p50', p95Ms: 'p95', p99Ms: 'p99' };
  return (
    <section class="card part">
      <h2>{texts.operations}</h2>
      <Scrolls label={texts.operations}>
        <table class="list-table performance">
          <thead>
            <tr>
              <th>{backendWords.filters.operation}</th>
              {COLUMNS.map((column) => (
                <SortedHead
                  key={column}
                  name={namesOf[column]}
                  isSorted={column === sort}
                  onSort={() => onSort(column)}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {operations.map(({ operation, ...figures }) => (
              <tr key={operation}>
                <td>
                  <Link href={viewHref(environment, 'traces', { ...keptRange(fields), service, operation })}>
                    {operation}
                  </Link>
                </td>
                <td class="number">{rateText(figures.ratePerSecond)}</td>
                <td class="number">
                  <FailedLink {...{ environment, fields, service, operation }} {...figures} />
                </td>
                {(['p50Ms', 'p95Ms', 'p99Ms'] as const).map((of) => (
                  <td key={of} class="number">
                    {optionalMs(figures[of], milliseconds)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
      {moreOperations > 0 && (
        <p class="soft">{texts.moreOperations(moreOperations, exact(moreOperations))}</p>
      )}
    </section>
  );
}

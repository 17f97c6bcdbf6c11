import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import {
  INTERVAL_SECONDS,
  INTERVALS,
  MAX_BUCKETS,
  type MetricInterval,
} from '../../../../lib/telemetry/metrics/metric-interval.ts';
import {
  type CatalogMetric,
  listMetrics,
  type MetricSeries,
  readMetric,
} from '../../api/operations.generated.ts';
import { LinesChart } from '../../charts/lines-chart.tsx';
import { exact, rate, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { askedOf, type EnvironmentIds, lengthOf, useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { EnvironmentFrame } from '../environment/environment-frame.tsx';
import { ChoiceFilter, FilterForm, ServiceFilter, TextFilter } from '../environment/filter-form.tsx';
import { NotObserved } from '../environment/not-observed.tsx';
import { RangeMenu } from '../environment/range-menu.tsx';
import { Exemplars } from './exemplars.tsx';

const PAGE = 50;
const LONG_MS = 36 * 3_600_000;

/** The metrics of the environment; with `?name=` one of them over time. */
export default function MetricsView({ environment }: { environment: EnvironmentIds }) {
  const { name } = useFields().fields;
  return (
    <EnvironmentFrame environment={environment} view="metrics" controls={<RangeMenu />}>
      {name ? <Explorer environment={environment} name={name} /> : <Catalog environment={environment} />}
    </EnvironmentFrame>
  );
}

function Catalog({ environment }: { environment: EnvironmentIds }) {
  const { fields } = useFields();
  const texts = backendWords.metrics;
  const asked = askedOf(environment, fields, ['service', 'q']);
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: ['metric-catalog', asked],
      queryFn: ({ pageParam, signal }) =>
        listMetrics({ ...asked, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    });
  const metrics = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      <FilterForm attributes={false}>
        <ServiceFilter environment={environment} />
        <TextFilter name="q" label={texts.search} />
      </FilterForm>
      {error && <Failure error={error} retry={refetch} />}
      {data && metrics.length === 0 && (
        <NotObserved environment={environment} observed={data.pages[0]?.meta.coverage.observed ?? false} />
      )}
      {metrics.length > 0 && (
        <ul
          class={isPlaceholderData ? 'card metric-list dimmed' : 'card metric-list'}
          aria-label={texts.list}
        >
          {metrics.map((metric) => (
            <MetricRow key={`${metric.name} ${metric.type} ${metric.unit}`} metric={metric} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <p class="list-end">
          <button type="button" class="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {words.more}
          </button>
        </p>
      )}
    </>
  );
}

/** What is asked of a metric first: the most telling aggregation that it has. */
const FIRST = ['p95', 'rate', 'avg', 'sum'] as const;
const firstOf = ({ aggregations }: CatalogMetric) =>
  FIRST.find((one) => aggregations.includes(one)) ?? aggregations[0];

function MetricRow({ metric }: { metric: CatalogMetric }) {
  const { hrefWith } = useFields();
  const texts = backendWords.metrics;
  const { name, type, unit, description, services, seriesCount } = metric;
  return (
    <li>
      <Link href={hrefWith({ name, type, unit, aggregation: firstOf(metric), q: undefined })}>{name}</Link>{' '}
      <span class="soft">
        {texts.types[type]}
        {unit && ` · ${unit}`} · {texts.series(seriesCount, exact(seriesCount))} · {services.join(', ')}
      </span>
      {description && <p class="soft">{description}</p>}
    </li>
  );
}

function Explorer({ environment, name }: { environment: EnvironmentIds; name: string }) {
  const { fields, hrefWith } = useFields();
  const texts = backendWords.metrics;
  const catalog = { ...askedOf(environment, fields), q: name };
  const found = useQuery({
    queryKey: ['metric', catalog],
    queryFn: ({ signal }) => listMetrics({ ...catalog, limit: 100 }, signal),
    placeholderData: keepPreviousData,
  });
  const metric = found.data?.data.find(
    (one) =>
      one.name === name &&
      (!fields.type || one.type === fields.type) &&
      (!fields.unit || one.unit === fields.unit),
  );
  const keys = ['service', ...(metric?.attributeKeys ?? [])];
  return (
    <>
      <div class="heading">
        <h2>{name}</h2>
        <p class="links">
          <Link
            href={hrefWith({
              ...{ name: undefined, type: undefined, unit: undefined, aggregation: undefined },
              ...{ groupBy: undefined, interval: undefined },
            })}
          >
            {texts.all}
          </Link>
        </p>
      </div>
      {metric?.description && <p class="soft">{metric.description}</p>}
      <FilterForm>
        <ChoiceFilter
          name="aggregation"
          label={texts.aggregation}
          any="–"
          choices={(metric?.aggregations ?? []).map((one) => [one, texts.aggregations[one]])}
        />
        <ChoiceFilter
          name="groupBy"
          label={texts.groupBy}
          any={texts.noGroup}
          choices={keys.map((key) => [key, key])}
        />
        <ChoiceFilter
          name="interval"
          label={texts.interval}
          any={texts.anyInterval}
          choices={INTERVALS.filter((one) => isAnswered(one, lengthOf(fields))).map((one) => [one, one])}
        />
        <ServiceFilter environment={environment} />
      </FilterForm>
      {found.error && <Failure error={found.error} retry={found.refetch} />}
      {fields.aggregation && <Values environment={environment} name={name} />}
      <Exemplars environment={environment} />
    </>
  );
}

const ASKED = ['name', 'aggregation', 'groupBy', 'interval', 'service', 'type', 'unit'];

function Values({ environment, name }: { environment: EnvironmentIds; name: string }) {
  const { fields } = useFields();
  const texts = backendWords.metrics;
  const asked = askedOf(environment, fields, ASKED) as Parameters<typeof readMetric>[0];
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['metric-values', asked],
    queryFn: ({ signal }) => readMetric(asked, signal),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="empty">{words.loading}</p>;
  const { data: series, meta } = data;
  if (series.groups.length === 0)
    return <NotObserved environment={environment} observed={meta.coverage.observed} />;
  const form = Date.parse(meta.range.to) - Date.parse(meta.range.from) > LONG_MS ? 'day' : 'hour';
  const times = (series.groups[0]?.values ?? []).map(({ time: at }) => ({
    label: time(at, form, 'UTC'),
    longLabel: `${time(at, 'long-hour', 'UTC')} UTC`,
  }));
  const lines = series.groups.map((group) => ({
    name: groupName(group),
    values: group.values.map(({ value }) => value),
  }));
  const format = (value: number): string => (series.unit ? `${rate(value)} ${series.unit}` : rate(value));
  return (
    <section class={isPlaceholderData ? 'card part dimmed' : 'card part'} aria-label={name}>
      <LinesChart name={name} times={times} lines={lines} format={format} />
      {series.groupsLeftOut > 0 && (
        <p class="soft">{texts.leftOut(series.groupsLeftOut, exact(series.groupsLeftOut))}</p>
      )}
      {[meta.approximate ?? [], meta.notes ?? []].flat().map((note) => (
        <p key={note} class="soft">
          {texts.tell(note)}
        </p>
      ))}
    </section>
  );
}

/** Whether the API answers the range in such buckets. Two of them are cut off by its ends. */
const isAnswered = (interval: MetricInterval, length: number): boolean =>
  length / 1000 / INTERVAL_SECONDS[interval] <= MAX_BUCKETS - 2;

/** A group without an attribute is named so; it isn't empty. */
const groupName = ({ attributes }: MetricSeries['groups'][number]): string =>
  Object.values(attributes)
    .map((value) => value ?? backendWords.metrics.without)
    .join(', ') || backendWords.metrics.together;

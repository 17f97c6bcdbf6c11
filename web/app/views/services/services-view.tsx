import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { listServices, type Service, summarizeService } from '../../api/operations.generated.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { exact, milliseconds, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { askedOf, type EnvironmentIds, lengthOf, useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { EnvironmentFrame } from '../environment/environment-frame.tsx';
import { NotObserved } from '../environment/not-observed.tsx';
import { Observed } from '../environment/observed.tsx';
import { RangeMenu } from '../environment/range-menu.tsx';
import { observedIntervals, sparklineInterval } from './intervals.ts';
import { FailedLink, optionalMs, rateText } from './performance.tsx';
import { ServiceDetails } from './service-details.tsx';
import { WholeMap } from './whole-map.tsx';

/** Each service in the list takes a request of its own for its latencies and how they went. */
const PAGE = 20;

/** The services of the environment, or one of them: `?service=`. */
export default function ServicesView({ environment }: { environment: EnvironmentIds }) {
  const { service } = useFields().fields;
  return (
    <EnvironmentFrame environment={environment} view="services" controls={<RangeMenu />}>
      {service ? (
        <ServiceDetails environment={environment} service={service} />
      ) : (
        <ServiceList environment={environment} />
      )}
    </EnvironmentFrame>
  );
}

function ServiceList({ environment }: { environment: EnvironmentIds }) {
  const { fields } = useFields();
  const asked = askedOf(environment, fields);
  const texts = backendWords.services;
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: ['services', asked],
      queryFn: ({ pageParam, signal }) =>
        listServices(
          { ...asked, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) },
          signal,
        ),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    });
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="empty">{words.loading}</p>;
  const services = data.pages.flatMap((page) => page.data);
  if (services.length === 0) return <NotObserved environment={environment} observed={false} />;
  return (
    <section class={isPlaceholderData ? 'dimmed' : undefined}>
      <div class="card">
        <Scrolls label={backendWords.views.services}>
          <table class="list-table performance">
            <thead>
              <tr>
                <th>{texts.service}</th>
                <th class="number">{texts.rate}</th>
                <th class="number">{texts.errors}</th>
                <th class="number">p50</th>
                <th class="number">p95</th>
                <th class="number">p99</th>
                <th class="number">{texts.spans}</th>
                <th>{texts.lastSeen}</th>
              </tr>
            </thead>
            <tbody>
              {services.map((service) => (
                <ServiceRow key={service.name} environment={environment} service={service} />
              ))}
            </tbody>
          </table>
        </Scrolls>
      </div>
      <p class="list-end">
        <span class="soft">{texts.entries}</span>
        {data.pages[0] && <Observed {...data.pages[0].meta} />}
        {hasNextPage && (
          <button type="button" class="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {words.more}
          </button>
        )}
      </p>
      <WholeMap environment={environment} />
    </section>
  );
}

function ServiceRow({
  environment,
  service: { name, spans, entries, errors, lastSeenAt },
}: {
  environment: EnvironmentIds;
  service: Service;
}) {
  const { fields, hrefWith } = useFields();
  const interval = sparklineInterval(lengthOf(fields));
  const asked = { ...askedOf(environment, fields), service: name, interval, limit: 1 };
  const { data } = useQuery({
    queryKey: ['service-row', asked],
    queryFn: ({ signal }) => summarizeService(asked, signal),
    placeholderData: keepPreviousData,
  });
  const summary = data?.data;
  const intervals = data && summary?.intervals ? observedIntervals(summary.intervals, data.meta) : [];
  // It has its room before its points come.
  const line = (of: 'ratePerSecond' | 'errorRate' | 'p95Ms') => (
    <Sparkline values={intervals.map(({ point, isObserved }) => (isObserved ? point[of] : null))} />
  );
  return (
    <tr>
      <td>
        <Link href={hrefWith({ service: name })}>{name}</Link>
      </td>
      <td class="number">
        {summary ? rateText(summary.ratePerSecond) : ''}
        {line('ratePerSecond')}
      </td>
      <td class="number">
        <FailedLink {...{ environment, fields, errors, entries }} service={name} />
        {line('errorRate')}
      </td>
      {(['p50Ms', 'p95Ms', 'p99Ms'] as const).map((of) => (
        <td key={of} class="number">
          {summary && optionalMs(summary[of], milliseconds)}
          {of === 'p95Ms' && line(of)}
        </td>
      ))}
      <td class="number">{exact(spans)}</td>
      <td>{time(lastSeenAt, 'instant', 'UTC')}</td>
    </tr>
  );
}

import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { listTraces, type TraceItem } from '../../api/operations.generated.ts';
import { exact, milliseconds, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { useKeys } from '../../parts/use-keys.ts';
import {
  askedOf,
  attributeFilters,
  type EnvironmentIds,
  type Fields,
  keptRange,
  useFields,
  viewHref,
} from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { EnvironmentFrame } from '../environment/environment-frame.tsx';
import { ChoiceFilter, FilterForm, ServiceFilter, TextFilter } from '../environment/filter-form.tsx';
import { NotObserved } from '../environment/not-observed.tsx';
import { Observed } from '../environment/observed.tsx';
import { RangeMenu } from '../environment/range-menu.tsx';
import { Scatter } from './scatter.tsx';

const FILTERS = ['service', 'operation', 'status', 'minDurationMs', 'maxDurationMs', 'q', 'sort'];
/** Those that a span may fulfil and the root not. */
const OF_SPANS = FILTERS.filter((name) => name !== 'sort');
const PAGE = 50;

/** The search for traces. */
export default function TracesView({ environment }: { environment: EnvironmentIds }) {
  return (
    <EnvironmentFrame environment={environment} view="traces" controls={<RangeMenu />}>
      <TraceFilters environment={environment} />
      <TraceList environment={environment} />
    </EnvironmentFrame>
  );
}

function TraceFilters({ environment }: { environment: EnvironmentIds }) {
  const { filters, statuses, traces } = backendWords;
  return (
    <FilterForm>
      <ServiceFilter environment={environment} />
      <ChoiceFilter
        name="status"
        label={filters.status}
        any={filters.anyStatus}
        choices={Object.entries(statuses)}
      />
      <TextFilter name="operation" label={filters.operation} />
      <TextFilter name="minDurationMs" label={filters.minDuration} type="number" />
      <TextFilter name="maxDurationMs" label={filters.maxDuration} type="number" />
      <TextFilter name="q" label={filters.text} />
      <ChoiceFilter
        name="sort"
        label={filters.sort}
        any={traces.sorts.newest}
        choices={[
          ['duration', traces.sorts.duration],
          ['errors', traces.sorts.errors],
        ]}
      />
    </FilterForm>
  );
}

function TraceList({ environment }: { environment: EnvironmentIds }) {
  const { fields } = useFields();
  const texts = backendWords.traces;
  const asked = askedOf(environment, fields, FILTERS);
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: ['traces', asked],
      queryFn: ({ pageParam, signal }) =>
        listTraces({ ...asked, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    });
  const list = useListKeys();
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="empty">{words.loading}</p>;
  const traces = data.pages.flatMap((page) => page.data);
  const longest = Math.max(...traces.map(({ durationMs }) => durationMs));
  const since = data.pages[0]?.meta.comparedSince;
  // Each page of a sorted list compares the same spans.
  const examined = fields.sort
    ? (data.pages[0]?.meta.examined ?? 0)
    : data.pages.reduce((sum, { meta }) => sum + meta.examined, 0);
  const observed = data.pages.some(({ meta }) => meta.coverage.observed);
  return (
    <section class={isPlaceholderData ? 'dimmed' : undefined} aria-label={texts.list}>
      {traces.length === 0 && <NotObserved environment={environment} observed={observed} />}
      {traces.length > 1 && (
        <Scatter traces={traces} hrefOf={(trace) => traceHref(environment, trace, fields)} />
      )}
      {traces.length > 0 && (
        <ol ref={list} class="card trace-list">
          {traces.map((trace) => (
            <TraceRow key={trace.traceId} environment={environment} trace={trace} longest={longest} />
          ))}
        </ol>
      )}
      <p class="list-end">
        {observed && <span class="soft">{texts.examined(examined, exact(examined))}</span>}
        {since !== undefined && (
          <span class="soft">{texts.comparedSince(time(since, 'instant', 'UTC'))}</span>
        )}
        {data.pages[0] && <Observed {...data.pages[0].meta} />}
        {hasNextPage && (
          <button type="button" class="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {words.more}
          </button>
        )}
      </p>
    </section>
  );
}

const traceHref = (environment: EnvironmentIds, { traceId, match }: TraceItem, fields: Fields): string =>
  viewHref(environment, `traces/${traceId}`, { ...keptRange(fields), span: match.spanId });

/** `j` and `k` go through the links of a list. The first `j` enters it, from wherever nobody types. */
function useListKeys() {
  const list = useRef<HTMLOListElement>(null);
  useKeys((key) => {
    const { current } = list;
    const step = { j: 1, k: -1 }[key];
    if (current === null || step === undefined) return;
    const links = [...current.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
  });
  return list;
}

function TraceRow({
  environment,
  trace,
  longest,
}: {
  environment: EnvironmentIds;
  trace: TraceItem;
  longest: number;
}) {
  const { fields } = useFields();
  const { root, match, services, spans, errors, durationMs, truncated } = trace;
  const texts = backendWords.traces;
  const isRoot = match.operation === root.operation && match.service === root.service;
  // Without a condition any span is a match, and says nothing.
  const isSearched = [...OF_SPANS, ...Object.keys(attributeFilters(fields))].some((name) => fields[name]);
  return (
    <li>
      <Link href={traceHref(environment, trace, fields)}>
        <span class="what" title={root.observed ? undefined : texts.rootMissing}>
          <span class="soft">{root.service}</span> <strong>{root.operation}</strong>
          {!root.observed && <span class="soft"> ({backendWords.trace.missing})</span>}
          {isSearched && !isRoot && (
            <span class="soft"> · {texts.matched(`${match.service} ${match.operation}`)}</span>
          )}
        </span>
        <span class="took number">{milliseconds(durationMs)}</span>
        <span class="length">
          <span
            class={errors > 0 ? 'bar wrong' : 'bar'}
            style={{ width: `${(100 * durationMs) / (longest || 1)}%` }}
          />
        </span>
        <span class="more soft">
          {time(trace.start, 'instant', 'UTC')} · {texts.spans(spans, exact(spans))}
          {truncated && ` (${texts.truncated})`}
          {errors > 0 && <span class="wrong"> · {texts.errors(errors, exact(errors))}</span>}
          {services.length > 1 && ` · ${services.join(', ')}`}
          {match.statusMessage && <span class="wrong"> · {match.statusMessage}</span>}
        </span>
      </Link>
    </li>
  );
}

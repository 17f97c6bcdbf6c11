import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { type ErrorGroup, listErrors } from '../../api/operations.generated.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { time, timeRange } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { askedOf, type EnvironmentIds, useFields, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { EnvironmentFrame } from '../environment/environment-frame.tsx';
import { ChoiceFilter, FilterForm, ServiceFilter, TextFilter } from '../environment/filter-form.tsx';
import { NotObserved } from '../environment/not-observed.tsx';
import { Observed } from '../environment/observed.tsx';
import { RangeMenu } from '../environment/range-menu.tsx';
import { ErrorDetails } from './error-details.tsx';
import { ErrorTitle, StateMark, timesOf } from './error-title.tsx';
import { StateButtons } from './state-buttons.tsx';

const PAGE = 50;
const FILTERS = ['service', 'state', 'release', 'order'];
const STATES = ['unsolved', 'open', 'returned', 'resolved', 'ignored'] as const;
const ORDERS = ['first-seen', 'count'] as const;

/** The errors of the environment in groups, or one of them: `?error=`. */
export default function ErrorsView({ environment }: { environment: EnvironmentIds }) {
  const { error } = useFields().fields;
  return (
    <EnvironmentFrame environment={environment} view="errors" controls={<RangeMenu />}>
      {(role) => {
        const isManager = role !== 'viewer';
        return error ? (
          <ErrorDetails environment={environment} errorId={error} isManager={isManager} />
        ) : (
          <>
            <Filters environment={environment} />
            <ErrorList environment={environment} isManager={isManager} />
          </>
        );
      }}
    </EnvironmentFrame>
  );
}

function Filters({ environment }: { environment: EnvironmentIds }) {
  const { errors: texts } = backendWords;
  return (
    <FilterForm attributes={false}>
      <ServiceFilter environment={environment} />
      <ChoiceFilter
        name="state"
        label={texts.state}
        any={texts.anyState}
        choices={STATES.map((name) => [name, texts.states[name]])}
      />
      <ChoiceFilter
        name="order"
        label={texts.order}
        any={texts.orders['last-seen']}
        choices={ORDERS.map((name) => [name, texts.orders[name]])}
      />
      <TextFilter name="release" label={texts.release} />
    </FilterForm>
  );
}

function ErrorList({ environment, isManager }: { environment: EnvironmentIds; isManager: boolean }) {
  const { fields } = useFields();
  const asked = askedOf(environment, fields, FILTERS);
  const texts = backendWords.errors;
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: ['errors', asked],
      queryFn: ({ pageParam, signal }) =>
        listErrors({ ...asked, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    });
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="empty">{words.loading}</p>;
  const groups = data.pages.flatMap((page) => page.data);
  const meta = data.pages[0]?.meta;
  const isFiltered = FILTERS.some((name) => name !== 'order' && fields[name] !== undefined);
  if (groups.length === 0)
    return isFiltered || !meta?.coverage.observed ? (
      <NotObserved environment={environment} observed={meta?.coverage.observed ?? false} />
    ) : (
      <NoErrors environment={environment} />
    );
  return (
    <section class={isPlaceholderData ? 'dimmed' : undefined}>
      <ul class="card error-list" aria-label={backendWords.views.errors}>
        {groups.map((group) => (
          <ErrorRow key={group.id} {...{ environment, group, isManager }} />
        ))}
      </ul>
      <p class="list-end">
        {meta && <span class="soft">{texts.upTo(time(meta.freshness.foldedAt, 'long-second', 'UTC'))}</span>}
        {meta && <Observed {...meta} />}
        {hasNextPage && (
          <button type="button" class="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {words.more}
          </button>
        )}
      </p>
    </section>
  );
}

interface ErrorRowProps {
  environment: EnvironmentIds;
  group: ErrorGroup;
  isManager: boolean;
}

function ErrorRow({ environment, group, isManager }: ErrorRowProps) {
  const { hrefWith } = useFields();
  const texts = backendWords.errors;
  const { id, service, firstSeenAt, lastSeenAt, lastRelease, counts } = group;
  return (
    <li>
      <div class="what">
        <Link href={hrefWith({ error: id })}>
          <ErrorTitle group={group} />
        </Link>
        <p class="soft">
          <StateMark group={group} />
          {service !== null && <span>{service}</span>}
          {lastRelease !== null && <span>{texts.inRelease(lastRelease)}</span>}
          <span>{timeRange(firstSeenAt, lastSeenAt, 'hours', 'UTC')} UTC</span>
        </p>
      </div>
      <div class="often">
        <Sparkline values={counts} />
        <span>{timesOf(group)}</span>
      </div>
      {isManager && <StateButtons environment={environment} group={group} />}
    </li>
  );
}

/** Nothing failed. Says what would be here, and how an application reports it. */
function NoErrors({ environment }: { environment: EnvironmentIds }) {
  const texts = backendWords.errors;
  return (
    <div class="empty">
      <strong>{texts.none}</strong>
      <p>{texts.noneText}</p>
      <p>
        <code>span.recordException(error)</code>
      </p>
      <Link class="button" href={viewHref(environment, 'connection')}>
        {backendWords.empty.toConnection}
      </Link>
    </div>
  );
}

import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { listOutcomes, type OutcomeItem, type OutcomeType } from '../../api/operations.generated.ts';
import { exact, money, time } from '../../format.ts';
import { AttributeList } from '../../parts/attribute-list.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { askedOf, type EnvironmentIds, useFields, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { EnvironmentFrame } from '../environment/environment-frame.tsx';
import { NotObserved } from '../environment/not-observed.tsx';
import { RangeMenu } from '../environment/range-menu.tsx';

const PAGE = 50;

/** Confirmed outcomes: by type and currency, and one by one. */
export default function OutcomesView({ environment }: { environment: EnvironmentIds }) {
  return (
    <EnvironmentFrame environment={environment} view="outcomes" controls={<RangeMenu />}>
      <Outcomes environment={environment} />
    </EnvironmentFrame>
  );
}

function Outcomes({ environment }: { environment: EnvironmentIds }) {
  const { fields } = useFields();
  const { type } = fields;
  const asked = { ...askedOf(environment, fields), ...(type && { type }) };
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: ['outcomes', asked],
      queryFn: ({ pageParam, signal }) =>
        listOutcomes(
          { ...asked, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) },
          signal,
        ),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    });
  if (error) return <Failure error={error} retry={refetch} />;
  const first = data?.pages[0];
  if (first === undefined) return <p class="empty">{words.loading}</p>;
  const outcomes = data?.pages.flatMap((page) => page.data.outcomes) ?? [];
  const texts = backendWords.outcomes;
  return (
    <div class={isPlaceholderData ? 'dimmed' : undefined}>
      <Types types={first.data.types} />
      {outcomes.length === 0 ? (
        <NotObserved environment={environment} observed={first.meta.coverage.observed} />
      ) : (
        <section class="card part" aria-label={texts.list}>
          <h2>{texts.list}</h2>
          <ul class="outcome-list">
            {outcomes.map((outcome) => (
              <OutcomeRow
                key={`${outcome.source} ${outcome.domainEventId}`}
                environment={environment}
                outcome={outcome}
              />
            ))}
          </ul>
        </section>
      )}
      {hasNextPage && (
        <p class="list-end">
          <button type="button" class="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {words.more}
          </button>
        </p>
      )}
    </div>
  );
}

/** Counts and exact sums. Nothing is converted between currencies. */
function Types({ types }: { types: readonly OutcomeType[] }) {
  const { fields, hrefWith } = useFields();
  const texts = backendWords.outcomes;
  if (types.length === 0) return null;
  return (
    <section class="card part" aria-label={texts.types}>
      <h2>{texts.types}</h2>
      <Scrolls label={texts.types}>
        <table class="list-table">
          <thead>
            <tr>
              <th>{texts.type}</th>
              <th class="number">{texts.count}</th>
              <th class="number">{texts.amount}</th>
            </tr>
          </thead>
          <tbody>
            {types.map(({ type, count, values }) => (
              <tr key={type}>
                <td>
                  <Link href={hrefWith({ type })} aria-current={type === fields.type ? 'true' : undefined}>
                    {type}
                  </Link>
                </td>
                <td class="number">{exact(count)}</td>
                <td class="number">
                  {values.map(({ currency, amount, count: of }) => (
                    <div key={currency} title={texts.with(of, exact(of))}>
                      {money(amount, currency)}
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
      <p class="soft">
        {texts.notConverted}{' '}
        {fields.type && <Link href={hrefWith({ type: undefined })}>{texts.allTypes}</Link>}
      </p>
    </section>
  );
}

function OutcomeRow({ environment, outcome }: { environment: EnvironmentIds; outcome: OutcomeItem }) {
  const texts = backendWords.outcomes;
  const { type, value, source, domainEventId, occurredAt, trace, sendings, conflicts, attributes } = outcome;
  return (
    <li class="event">
      <p>
        <strong>{type}</strong> {value && money(value.amount, value.currency)}{' '}
        <span class="soft">
          {source} {domainEventId} · {time(occurredAt, 'instant', 'UTC')}
        </span>
      </p>
      <p class="soft">
        {texts.sent(sendings, exact(sendings))}
        {conflicts > 0 && <span class="wrong"> · {texts.conflicts(conflicts, exact(conflicts))}</span>}
        {' · '}
        {trace === null ? (
          texts.noTrace
        ) : trace.observed ? (
          <Link href={viewHref(environment, `traces/${trace.traceId}`, { span: trace.spanId ?? undefined })}>
            {texts.toTrace}
          </Link>
        ) : (
          `${texts.traceNotObserved} ${trace.traceId}`
        )}
      </p>
      {Object.keys(attributes).length > 0 && <AttributeList attributes={attributes} />}
    </li>
  );
}

import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { getEvents, type Site } from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { goalWords } from '../../words/goals.ts';
import { words } from '../../words/index.ts';
import { CoverageNote } from '../site/coverage-note.tsx';
import { FilterChips } from '../site/filter-chips.tsx';
import { Revenue } from '../site/revenue.tsx';
import { SiteFrame } from '../site/site-frame.tsx';
import { ReportControls, useAsked } from '../site/site-view.tsx';
import { PageProperties, PropertiesDialog } from './properties.tsx';

const ROWS = 50;

/** Custom events: how often each came, and what it brought; and what page views brought. */
export default function EventsView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame siteId={siteId} view="events" controls={() => <ReportControls />}>
      {(site) => <Events site={site} />}
    </SiteFrame>
  );
}

function Events({ site }: { site: Site }) {
  const told = goalWords.events;
  const asked = useAsked(site);
  const [opened, setOpened] = useState<string | undefined>();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } =
    useInfiniteQuery({
      queryKey: ['events', asked],
      queryFn: ({ pageParam, signal }) =>
        getEvents({ ...asked, limit: ROWS, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    });
  if (error) return <Failure error={error} retry={refetch} />;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  const meta = data?.pages[0]?.meta;
  return (
    <>
      <FilterChips />
      {data === undefined && <p class="unseen">{words.loading}</p>}
      {meta && !meta.coverage.observed && <CoverageNote meta={meta} snippet={site.snippet} />}
      {meta?.coverage.observed && rows.length === 0 && (
        <div class="card empty">
          <strong>{told.none}</strong>
          <p>{told.noneText}</p>
        </div>
      )}
      {rows.length > 0 && (
        <section class={isPlaceholderData ? 'card sheet dimmed' : 'card sheet'}>
          <Scrolls label={words.views.events}>
            <table class="list-table">
              <thead>
                <tr>
                  <th>{told.name}</th>
                  <th class="number">{told.times}</th>
                  <th class="number">{words.columns.visits}</th>
                  <th class="number">{words.columns.visitors}</th>
                  <th class="number">{told.revenue}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ name, events, visits, visitors, revenue }) => (
                  <tr key={name}>
                    <td>
                      <button
                        type="button"
                        class="link"
                        aria-haspopup="dialog"
                        title={told.open(name)}
                        onClick={() => setOpened(name)}
                      >
                        {name}
                      </button>
                    </td>
                    <td class="number">{exact(events)}</td>
                    <td class="number">{exact(visits)}</td>
                    <td class="number">{exact(visitors)}</td>
                    <td class="number">
                      <Revenue sums={revenue} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolls>
          {hasNextPage && (
            <footer>
              <button
                type="button"
                class="button"
                disabled={isFetchingNextPage}
                onClick={() => fetchNextPage()}
              >
                {words.more}
              </button>
            </footer>
          )}
        </section>
      )}
      <div class="after">
        <PageProperties asked={asked} />
      </div>
      {opened !== undefined && (
        <PropertiesDialog asked={asked} event={opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

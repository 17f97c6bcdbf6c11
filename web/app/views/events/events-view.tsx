import { useState } from 'preact/hooks';
import { getEvents, type Site } from '../../api/operations.generated.ts';
import { Failure } from '../../parts/failure.tsx';
import { More, usePages } from '../../parts/paged.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { goalWords } from '../../words/goals.ts';
import { words } from '../../words/index.ts';
import { Compared, observedIn } from '../site/change.tsx';
import { CoverageNote } from '../site/coverage-note.tsx';
import { FilterChips } from '../site/filter-chips.tsx';
import { Revenue } from '../site/revenue.tsx';
import { SiteFrame } from '../site/site-frame.tsx';
import { OverviewControls, useAsked } from '../site/site-view.tsx';
import { useCompare } from '../site/use-overview.ts';
import { PageProperties, PropertiesDialog } from './properties.tsx';

const ROWS = 50;

/** Custom events: how often each came, and what it brought; and what page views brought. */
export default function EventsView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame
      siteId={siteId}
      view="events"
      controls={({ timezone }) => <OverviewControls zone={timezone} />}
    >
      {(site) => <Events site={site} />}
    </SiteFrame>
  );
}

function Events({ site }: { site: Site }) {
  const texts = goalWords.events;
  const asked = useAsked(site);
  const [opened, setOpened] = useState<string | undefined>();
  const [search, setSearch] = useState('');
  const compare = useCompare(asked);
  const wanted = {
    limit: ROWS,
    ...(compare !== undefined && { compare }),
    ...(search.trim() !== '' && { search: search.trim() }),
  };
  const { rows, first, error, refetch, isPlaceholderData, ...pages } = usePages(
    ['events', asked, wanted],
    (part, signal) => getEvents({ ...asked, ...wanted, ...part }, signal),
  );
  if (error) return <Failure error={error} retry={refetch} />;
  const meta = first?.meta;
  const isCompared = meta !== undefined && observedIn(meta) !== undefined;
  const isSearched = search !== '';
  return (
    <>
      <FilterChips />
      {rows === undefined && <p class="unseen">{words.loading}</p>}
      {meta && !meta.coverage.observed && <CoverageNote meta={meta} snippet={site.snippet} />}
      {meta?.coverage.observed && rows?.length === 0 && !isSearched && (
        <div class="card empty">
          <strong>{texts.none}</strong>
          <p>{texts.noneText}</p>
        </div>
      )}
      {rows && (rows.length > 0 || isSearched) && (
        <section class={isPlaceholderData ? 'card sheet dimmed' : 'card sheet'}>
          <SearchField value={search} onSearch={setSearch} />
          <Scrolls label={words.views.events}>
            <table class="list-table details">
              <thead>
                <tr>
                  <th>{texts.name}</th>
                  <th class="number">{texts.times}</th>
                  <th class="number">{words.columns.visits}</th>
                  <th class="number">{words.columns.visitors}</th>
                  <th class="number">{texts.revenue}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ name, events, visits, visitors, revenue, previous }) => (
                  <tr key={name}>
                    <td>
                      <button
                        type="button"
                        class="link"
                        aria-haspopup="dialog"
                        title={texts.open(name)}
                        onClick={() => setOpened(name)}
                      >
                        {name}
                      </button>
                    </td>
                    <td class="number">
                      <Compared now={events} before={isCompared ? (previous?.events ?? null) : undefined} />
                    </td>
                    <td class="number">
                      <Compared now={visits} before={isCompared ? (previous?.visits ?? null) : undefined} />
                    </td>
                    <td class="number">
                      <Compared
                        now={visitors}
                        before={isCompared ? (previous?.visitors ?? null) : undefined}
                      />
                    </td>
                    <td class="number">
                      <Revenue sums={revenue} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {rows.length === 0 && (
              <p class="empty" role="status">
                {words.list.notFound}
              </p>
            )}
          </Scrolls>
          <p class="soft small">{words.eventsPanel.edge}</p>
          {pages.hasNextPage && (
            <footer>
              <More of={pages} />
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

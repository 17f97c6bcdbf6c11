import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import type { JourneyItem } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { exact } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { RadioChoices } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { useParameter } from '../../state/use-parameter.ts';
import { behaviourWords } from '../../words/behaviour.ts';
import { words } from '../../words/index.ts';
import { CoverageNote } from '../site/coverage-note.tsx';
import { FilterChips } from '../site/filter-chips.tsx';
import { SiteFrame } from '../site/site-frame.tsx';
import { ReportControls, type ReportedSite, useAsked } from '../site/site-view.tsx';
import { FlowDrawing } from './flow-drawing.tsx';

const ROWS = 25;
/** As many as the API gives at once. */
const DRAWN = 100;

/** The ways of visits through the site. */
export default function JourneysView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame
      siteId={siteId}
      view="journeys"
      controls={({ timezone }) => <ReportControls zone={timezone} />}
    >
      {(site) => <Journeys site={site} />}
    </SiteFrame>
  );
}

/** Of a member's site, or of a share. */
export function Journeys({ site }: { site: ReportedSite }) {
  const texts = behaviourWords.journeys;
  const reader = useReader();
  const asked = useAsked(site);
  const [start, setStart] = useParameter('start');
  const [end, setEnd] = useParameter('end');
  const [chosen, setChosen] = useState<'start' | 'end'>('start');
  const between = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } =
    useInfiniteQuery({
      queryKey: ['journeys', asked, start, end],
      queryFn: ({ pageParam, signal }) =>
        reader.page<JourneyItem>(
          'journeys',
          asked,
          { ...between, limit: ROWS, ...(pageParam !== undefined && { cursor: pageParam }) },
          signal,
        ),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    });
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  const { data: drawn } = useQuery({
    queryKey: ['journeys-drawn', asked, start, end],
    queryFn: ({ signal }) =>
      reader.page<JourneyItem>('journeys', asked, { ...between, limit: DRAWN }, signal),
    placeholderData: keepPreviousData,
  });
  // A journey of one page goes nowhere.
  const ways = drawn?.data.filter(({ pages }) => pages.length > 1) ?? [];
  const meta = data?.pages[0]?.meta;
  const choose = chosen === 'start' ? setStart : setEnd;
  return (
    <>
      <FilterChips />
      <section class={isPlaceholderData ? 'card section dimmed' : 'card section'}>
        <p class="soft">{texts.text}</p>
        <RadioChoices
          label={texts.click}
          name="chosen"
          value={chosen}
          choices={[
            { value: 'start', label: texts.start },
            { value: 'end', label: texts.end },
          ]}
          onChoose={setChosen}
        />
        {(start !== undefined || end !== undefined) && (
          <ul class="chips">
            {start !== undefined && (
              <Chosen shown={texts.startsAt(start)} onRemove={() => setStart(undefined)} />
            )}
            {end !== undefined && <Chosen shown={texts.endsAt(end)} onRemove={() => setEnd(undefined)} />}
          </ul>
        )}
        {error && <Failure error={error} retry={refetch} />}
        {data === undefined && !error && <p class="unseen">{words.loading}</p>}
        {meta && <CoverageNote meta={meta} snippet={site.snippet} />}
        {meta?.coverage.observed && rows.length === 0 && <p class="empty">{texts.none}</p>}
        {ways.length > 0 && <FlowDrawing rows={ways} name={texts.journeys} />}
        {rows.length > 0 && (
          <Scrolls label={texts.journeys}>
            <table class="list-table">
              <thead>
                <tr>
                  <th>{texts.path}</th>
                  <th class="number">{texts.journeys}</th>
                  <th class="number">{words.columns.visitors}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ pages, journeys, visitors }) => (
                  <tr key={pages.join('\n')}>
                    <td>
                      <ol class="journey">
                        {pages.map((path, index) => (
                          <li key={index}>
                            <button type="button" class="link" onClick={() => choose(path)}>
                              {path}
                            </button>
                          </li>
                        ))}
                      </ol>
                    </td>
                    <td class="number">{exact(journeys)}</td>
                    <td class="number">{exact(visitors)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolls>
        )}
        {hasNextPage && (
          <p class="buttons">
            <button
              type="button"
              class="button"
              disabled={isFetchingNextPage}
              onClick={() => fetchNextPage()}
            >
              {words.more}
            </button>
          </p>
        )}
      </section>
    </>
  );
}

const Chosen = ({ shown, onRemove }: { shown: string; onRemove: () => void }) => (
  <li>
    <button
      type="button"
      class="button"
      onClick={onRemove}
      aria-label={behaviourWords.journeys.remove(shown)}
    >
      {shown}
      <Icon name="close" />
    </button>
  </li>
);

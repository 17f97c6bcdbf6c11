import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { RetentionItem } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { exact, percent, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { behaviourWords } from '../../words/behaviour.ts';
import { words } from '../../words/index.ts';
import { CoverageNote } from '../site/coverage-note.tsx';
import { FilterChips } from '../site/filter-chips.tsx';
import { SiteFrame } from '../site/site-frame.tsx';
import { FilterButton, type ReportedSite, useAsked } from '../site/site-view.tsx';

/** A range of 13 weeks touches 14 at most. */
const WEEKS = 14;

/** How many of those who came first in a week came again. */
export default function RetentionView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame siteId={siteId} view="retention" controls={() => <FilterButton />}>
      {(site) => <Retention site={site} />}
    </SiteFrame>
  );
}

/** Of a member's site, or of a share. */
export function Retention({ site }: { site: ReportedSite }) {
  const texts = behaviourWords.retention;
  const reader = useReader();
  const asked = useAsked(site, { period: '90d' });
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['retention', asked],
    queryFn: ({ signal }) => reader.page<RetentionItem>('retention', asked, { limit: WEEKS }, signal),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  const rows = data?.data.filter(({ visitors }) => visitors > 0) ?? [];
  return (
    <>
      <FilterChips />
      {data === undefined && <p class="unseen">{words.loading}</p>}
      {data && (
        <section class={isPlaceholderData ? 'card section dimmed' : 'card section'}>
          <p class="soft">{texts.text}</p>
          <CoverageNote meta={data.meta} snippet={site.snippet} />
          {data.meta.coverage.observed && rows.length === 0 && <p class="empty">{texts.none}</p>}
          {rows.length > 0 && <Cohorts rows={rows} zone={site.timezone} />}
          {rows.some(({ partial }) => partial) && <p class="soft small">{texts.unfinished}</p>}
          <p class="soft small">{texts.tier}</p>
        </section>
      )}
    </>
  );
}

function Cohorts({ rows, zone }: { rows: readonly RetentionItem[]; zone: string }) {
  const texts = behaviourWords.retention;
  const most = Math.max(...rows.map(({ returned }) => returned.length));
  const highest = Math.max(
    ...rows.flatMap(({ visitors, returned }) => returned.map((count) => (count ?? 0) / visitors)),
    0.01,
  );
  const columns = Array.from({ length: most }, (_, index) => index);
  return (
    <Scrolls label={words.views.retention}>
      <table class="list-table cohorts">
        <thead>
          <tr>
            <th>{texts.week}</th>
            <th class="number">{texts.visitors}</th>
            {columns.map((index) => (
              <th key={index} class="number">
                {texts.after(index + 1)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ week, visitors, returned, partial }) => {
            const isOpen = (index: number): boolean => partial === true && index === returned.length - 1;
            return (
              <tr key={week}>
                <td>{time(week, 'day', zone)}</td>
                <td class={partial && returned.length === 0 ? 'number unfinished' : 'number'}>
                  {exact(visitors)}
                </td>
                {columns.map((index) => {
                  const count = returned[index];
                  if (count == null) return <td key={index} />;
                  const share = (100 * count) / visitors;
                  return (
                    <td
                      key={index}
                      class={isOpen(index) ? 'number share unfinished' : 'number share'}
                      style={{ '--share': `${share / highest}%` }}
                      title={`${texts.cell(percent(share), exact(count))}${isOpen(index) ? `, ${words.chart.unfinished}` : ''}`}
                    >
                      {percent(share, 0)}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scrolls>
  );
}

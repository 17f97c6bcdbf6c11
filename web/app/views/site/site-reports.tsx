import { Suspense } from 'preact/compat';
import { useRef } from 'preact/hooks';
import { useReader } from '../../api/reader.ts';
import { dateIn } from '../../format.ts';
import { lazyView } from '../../lazy-view.tsx';
import type { Asked } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { Columns } from './columns.tsx';
import { DetailsDialog, RequestsPanel } from './dialogs.tsx';
import { FilterChips } from './filter-chips.tsx';
import { GoalsPanel } from './goals-panel.tsx';
import { ListPanel } from './list-panel.tsx';
import { MeasuresPanel } from './measures-panel.tsx';
import { PANELS, shownLists } from './panels.ts';
import { PrintedRange } from './printed-range.tsx';
import { Totals } from './totals.tsx';
import { useOverview } from './use-overview.ts';
import { useRefresh } from './use-refresh.ts';

const FirstVisit = lazyView(() => import('./first-visit.tsx'), 'adding', 'settings');

interface SiteReportsProps {
  asked: Asked;
  /** The site's time zone. */
  zone: string;
  /** What is pasted into the site's pages; only for members. */
  snippet?: string;
  /** The site's project; only for members. */
  projectId?: string;
}

/** What a member and a reader of a share see of a site: figures, chart, lists. */
export function SiteReports({ asked, zone, snippet, projectId }: SiteReportsProps) {
  useRefresh(asked, asked.to !== undefined && asked.to < dateIn(zone, Date.now()));
  const isNew = useOverview(asked).data?.meta.coverage.since === null && snippet !== undefined;
  const wasNew = useRef(false);
  wasNew.current ||= isNew;
  return (
    <>
      <PrintedRange zone={zone} />
      <FilterChips />
      {wasNew.current && snippet !== undefined && (
        <Suspense fallback={null}>
          <FirstVisit siteId={asked.siteId} zone={zone} snippet={snippet} />
        </Suspense>
      )}
      {!isNew && (
        <>
          <Totals {...{ asked, zone, snippet, projectId }} />
          <Columns>
            {[
              ...PANELS.map((panel) => <ListPanel key={panel.name} panel={panel} asked={asked} />),
              <GoalsPanel key="goals" asked={asked} />,
              <MeasuresPanel key="measures" asked={asked} />,
            ]}
          </Columns>
        </>
      )}
      {projectId !== undefined && <Requests asked={asked} projectId={projectId} />}
      <Details asked={asked} />
    </>
  );
}

/** The list that the address opens, in a dialog over the page. */
function Details({ asked }: { asked: Asked }) {
  const { shows } = useReader();
  const { details, query, go } = useSiteQuery();
  const list = shownLists(shows).find(({ report }) => report === details);
  return list === undefined ? null : (
    <DetailsDialog key={list.report} {...{ list, asked }} onClose={() => go(query, { replace: true })} />
  );
}

/** What the page asked of backends that the reports are filtered to, if it is one. */
function Requests({ asked, projectId }: { asked: Asked; projectId: string }) {
  const { query } = useSiteQuery();
  const [page, ...others] = query.filters.flatMap(({ dimension, operator, values }) =>
    dimension === 'page' && operator === 'is' ? values : [],
  );
  return page === undefined || others.length > 0 ? null : <RequestsPanel {...{ asked, page, projectId }} />;
}

import { useMemo, useState } from 'preact/hooks';
import type { Site } from '../../api/operations.generated.ts';
import { memberReader, ReaderProvider } from '../../api/reader.ts';
import { Icon } from '../../parts/icon.tsx';
import { askedOf } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { PeriodMenu } from './period-menu.tsx';
import { SiteFrame } from './site-frame.tsx';
import { SiteReports } from './site-reports.tsx';

/** A site: its figures, how they went, and where they come from. */
export const SiteView = ({ siteId }: { siteId: string }) => (
  <SiteFrame siteId={siteId} view="overview" controls={() => <ReportControls />}>
    {(site) => <Overview site={site} />}
  </SiteFrame>
);

/** The choices that all reports have: filters and the period. */
export function ReportControls() {
  const [filters, setFilters] = useState(false);
  return (
    <>
      <button type="button" class="button" onClick={() => setFilters(true)}>
        <Icon name="filter" />
        {words.filters.add}
      </button>
      <PeriodMenu />
      {filters && <FilterDialog onClose={() => setFilters(false)} />}
    </>
  );
}

/** What a view of the site asks its reports for. */
export function useAsked(site: Site) {
  const { query } = useSiteQuery();
  return useMemo(() => askedOf(site.id, query, site.timezone, Date.now()), [site, query]);
}

function Overview({ site }: { site: Site }) {
  const asked = useAsked(site);
  const reader = useMemo(() => memberReader(site.id), [site.id]);
  return (
    <ReaderProvider value={reader}>
      <SiteReports asked={asked} zone={site.timezone} snippet={site.snippet} />
    </ReaderProvider>
  );
}

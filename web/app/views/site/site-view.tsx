import { useMemo, useState } from 'preact/hooks';
import type { Site } from '../../api/operations.generated.ts';
import { Icon } from '../../parts/icon.tsx';
import { askedOf } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterDialog } from './filter-dialog.tsx';
import { ListPanel } from './list-panel.tsx';
import { PANELS } from './panels.ts';
import { PeriodMenu } from './period-menu.tsx';
import { SiteFrame } from './site-frame.tsx';
import { Totals } from './totals.tsx';

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
  return (
    <>
      <FilterChips />
      <Totals asked={asked} zone={site.timezone} />
      <div class="panels">
        {PANELS.map((panel) => (
          <ListPanel key={panel.name} panel={panel} asked={asked} />
        ))}
      </div>
    </>
  );
}

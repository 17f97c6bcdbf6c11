import { useMemo, useState } from 'preact/hooks';
import type { Site } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { Icon } from '../../parts/icon.tsx';
import { askedOf, type SiteQuery } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { FilterDialog } from './dialogs.tsx';
import { CompareMenu, PeriodMenu } from './period-menu.tsx';
import { SiteFrame } from './site-frame.tsx';
import { SiteReports } from './site-reports.tsx';

/** A site: its figures, how they went, and where they come from. */
export const SiteView = ({ siteId }: { siteId: string }) => (
  <SiteFrame
    siteId={siteId}
    view="overview"
    controls={({ timezone }) => <OverviewControls zone={timezone} />}
  >
    {(site) => <Overview site={site} />}
  </SiteFrame>
);

/** The choices that all reports have: filters and the period. */
export const ReportControls = ({ zone }: { zone: string }) => (
  <>
    <FilterButton />
    <PeriodMenu zone={zone} />
  </>
);

/** Those of the overview, whose reports can be compared too. */
export const OverviewControls = ({ zone }: { zone: string }) => (
  <>
    <FilterButton />
    <CompareMenu zone={zone} />
    <PeriodMenu zone={zone} />
  </>
);

export function FilterButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button plain" onClick={() => setOpen(true)}>
        <Icon name="filter" />
        {words.filters.add}
      </button>
      {isOpen && <FilterDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** A site as its reports need it: a member's, or that of a share, whose id is the share's secret. */
export interface ReportedSite {
  id: string;
  timezone: string;
  /** What is pasted into the site's pages; only for members. */
  snippet?: string | undefined;
}

/** What a view of the site asks its reports for. Shares take no segments. */
export function useAsked(site: ReportedSite, own: { period?: SiteQuery['period'] } = {}) {
  const { query } = useSiteQuery();
  const isShare = useReader().shows !== undefined;
  const { period } = own;
  return useMemo(() => {
    const asked = { ...query, ...(period && { period }), ...(isShare && { segment: undefined }) };
    return askedOf(site.id, asked, site.timezone, Date.now());
  }, [site.id, site.timezone, query, isShare, period]);
}

function Overview({ site }: { site: Site }) {
  const asked = useAsked(site);
  return <SiteReports asked={asked} zone={site.timezone} snippet={site.snippet} projectId={site.projectId} />;
}

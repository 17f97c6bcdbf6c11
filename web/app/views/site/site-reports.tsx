import type { Asked } from '../../state/site-query.ts';
import { Details } from './details-dialog.tsx';
import { FilterChips } from './filter-chips.tsx';
import { GoalsPanel } from './goals-panel.tsx';
import { ListPanel } from './list-panel.tsx';
import { MeasuresPanel } from './measures-panel.tsx';
import { PANELS } from './panels.ts';
import { Totals } from './totals.tsx';

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
export const SiteReports = ({ asked, zone, snippet, projectId }: SiteReportsProps) => (
  <>
    <FilterChips />
    <Totals {...{ asked, zone, snippet, projectId }} />
    <div class="panels">
      {PANELS.map((panel) => (
        <ListPanel key={panel.name} panel={panel} asked={asked} />
      ))}
      <GoalsPanel asked={asked} />
      <MeasuresPanel asked={asked} />
    </div>
    <Details asked={asked} />
  </>
);

import type { Asked } from '../../state/site-query.ts';
import { FilterChips } from './filter-chips.tsx';
import { ListPanel } from './list-panel.tsx';
import { PANELS } from './panels.ts';
import { Totals } from './totals.tsx';

/** What a member and a reader of a share see of a site: figures, chart, lists. */
export const SiteReports = ({ asked, zone }: { asked: Asked; zone: string }) => (
  <>
    <FilterChips />
    <Totals asked={asked} zone={zone} />
    <div class="panels">
      {PANELS.map((panel) => (
        <ListPanel key={panel.name} panel={panel} asked={asked} />
      ))}
    </div>
  </>
);

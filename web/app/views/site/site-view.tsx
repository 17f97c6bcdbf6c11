import { useQuery } from '@tanstack/preact-query';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { getLive, getSite, type Site } from '../../api/operations.generated.ts';
import { compact } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { askedOf } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterDialog } from './filter-dialog.tsx';
import { ListPanel } from './list-panel.tsx';
import { PANELS } from './panels.ts';
import { PeriodMenu } from './period-menu.tsx';
import { Totals } from './totals.tsx';

const LIVE_MS = 15_000;

/** A site: its figures, how they went, and where they come from. */
export function SiteView({ siteId }: { siteId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['site', siteId],
    queryFn: ({ signal }) => getSite({ siteId }, signal),
  });
  if (error) return <Failure error={error} retry={refetch} />;
  return data === undefined ? <p class="unseen">{words.loading}</p> : <KnownSite site={data.data} />;
}

function KnownSite({ site }: { site: Site }) {
  const { query } = useSiteQuery();
  const [filters, setFilters] = useState(false);
  const asked = useMemo(() => askedOf(site.id, query, site.timezone, Date.now()), [site, query]);
  useEffect(() => {
    document.title = `${site.name} · ${words.product}`;
  }, [site.name]);
  return (
    <>
      <div class="heading">
        <h1>{site.name}</h1>
        <a class="soft" href={`https://${site.domain}/`} rel="noreferrer">
          {site.domain}
        </a>
        <Now siteId={site.id} />
        <div class="controls">
          <button type="button" class="button" onClick={() => setFilters(true)}>
            <Icon name="filter" />
            {words.filters.add}
          </button>
          <PeriodMenu />
        </div>
      </div>
      <FilterChips />
      <Totals asked={asked} zone={site.timezone} />
      <div class="panels">
        {PANELS.map((panel) => (
          <ListPanel key={panel.name} panel={panel} asked={asked} />
        ))}
      </div>
      {filters && <FilterDialog onClose={() => setFilters(false)} />}
    </>
  );
}

/** Who is there now. Not asked for while nobody looks. */
function Now({ siteId }: { siteId: string }) {
  const { data } = useQuery({
    queryKey: ['live', siteId],
    queryFn: ({ signal }) => getLive({ siteId }, signal),
    refetchInterval: LIVE_MS,
  });
  if (data === undefined) return null;
  const { count } = data.data;
  return <span class="now">{words.live.now(count, compact(count))}</span>;
}

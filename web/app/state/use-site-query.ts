import { useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { readSiteQuery, type SiteQuery, writeSiteQuery } from './site-query.ts';

/** Parameters that a view or a panel has for itself. They stay while period and filters change. */
const OWN = [
  'view',
  'alert',
  'funnel',
  'start',
  'end',
  'pages',
  'sources',
  'places',
  'devices',
  'goals',
  'measures',
  'vitals',
] as const;
export type OwnParameter = (typeof OWN)[number];

/** The name of a list in the address, which is open as a whole. What leads elsewhere closes it. */
const DETAILS = 'details';

/** The state of the site's page, from its address; and the address of the same page with another state. */
export function useSiteQuery() {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const query = useMemo(() => readSiteQuery(search), [search]);
  const hrefOf = (next: SiteQuery): string => {
    const own = new URLSearchParams(search);
    const kept = new URLSearchParams(writeSiteQuery(next));
    for (const name of OWN) for (const value of own.getAll(name)) kept.set(name, value);
    return kept.size === 0 ? path : `${path}?${kept}`;
  };
  return {
    query,
    hrefOf,
    searchOf: writeSiteQuery,
    go: (next: SiteQuery, options?: { replace: boolean }) => navigate(hrefOf(next), options),
    details: new URLSearchParams(search).get(DETAILS),
    detailsHref(report: string): string {
      const here = hrefOf(query);
      return `${here}${here.includes('?') ? '&' : '?'}${DETAILS}=${report}`;
    },
  };
}

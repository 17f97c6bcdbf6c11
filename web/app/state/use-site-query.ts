import { useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { readSiteQuery, type SiteQuery, writeSiteQuery } from './site-query.ts';

/** The state of the site's page, from its address; and the address of the same page with another state. */
export function useSiteQuery() {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const query = useMemo(() => readSiteQuery(search), [search]);
  const hrefOf = (next: SiteQuery): string => path + writeSiteQuery(next);
  return { query, hrefOf, searchOf: writeSiteQuery, go: (next: SiteQuery) => navigate(hrefOf(next)) };
}

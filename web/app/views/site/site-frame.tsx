import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { SITE_VIEWS } from '../../../../lib/dashboard-views.ts';
import { getLive, getSite, type Site } from '../../api/operations.generated.ts';
import { memberReader, ReaderProvider } from '../../api/reader.ts';
import { compact } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { ViewLinks } from '../../parts/view-links.tsx';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { SegmentMenu } from './segment-menu.tsx';

const LIVE_MS = 10_000;
/** How often a site is asked for that is being summed again. */
const ASK_AGAIN_MS = 5000;

export type SiteViewName = (typeof SITE_VIEWS)[number];

interface SiteFrameProps {
  siteId: string;
  view: SiteViewName;
  /** What stands right of the name, if the view has it: period, filters. */
  controls?: (site: Site) => ComponentChildren;
  children: (site: Site) => ComponentChildren;
}

/** What all views of a site have: its name, who is there now, and the way to the other views. What is in it reads the site's reports as a member. */
export function SiteFrame({ siteId, view, controls, children }: SiteFrameProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['site', siteId],
    queryFn: ({ signal }) => getSite({ siteId }, signal),
    refetchInterval: ({ state }) => (state.data?.data.resumming ? ASK_AGAIN_MS : false),
  });
  const { searchOf, query } = useSiteQuery();
  const site = data?.data;
  useEffect(() => {
    if (site !== undefined) document.title = `${site.name}: ${words.views[view]} · ${words.product}`;
  }, [site, view]);
  const reader = useMemo(() => memberReader(siteId), [siteId]);
  const isHeaded = useNextTask(site !== undefined);
  if (error) return <Failure error={error} retry={refetch} />;
  if (site === undefined) return <p class="unseen">{words.loading}</p>;
  return (
    <ReaderProvider value={reader}>
      <div class="heading">
        <h1>{site.name}</h1>
        <a class="soft" href={`https://${site.domain}/`} rel="noreferrer">
          {site.domain}
        </a>
        <Now siteId={site.id} />
        {controls && (
          <div class="controls">
            <SegmentMenu site={site} />
            {controls(site)}
          </div>
        )}
      </div>
      <ViewLinks
        label={words.views.label}
        views={SITE_VIEWS}
        current={view}
        hrefOf={(one) => `/sites/${siteId}${one === 'overview' ? '' : `/${one}`}${searchOf(query)}`}
        nameOf={(one) => words.views[one]}
      />
      {isHeaded && children(site)}
    </ReaderProvider>
  );
}

/** Whether `begins` was true in a task before this one. On a slow phone, two short tasks let a touch in between. */
function useNextTask(begins: boolean): boolean {
  const [isNext, setNext] = useState(false);
  useLayoutEffect(() => {
    if (!begins) return;
    const timer = setTimeout(() => setNext(true));
    return () => clearTimeout(timer);
  }, [begins]);
  return isNext;
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

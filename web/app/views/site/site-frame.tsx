import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { SITE_VIEWS } from '../../../../lib/dashboard-views.ts';
import { getLive, getSite, type Site } from '../../api/operations.generated.ts';
import { memberReader, ReaderProvider } from '../../api/reader.ts';
import { compact } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { ViewBar } from '../../parts/view-bar.tsx';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { SegmentMenu } from './segment-menu.tsx';
import { useSegments } from './use-segments.ts';

const LIVE_MS = 10_000;
/** How often a site is asked for that is being summed again. */
const ASK_AGAIN_MS = 5000;

/** As many views have a link of their own; a menu has the others. */
const SHOWN_VIEWS = 4;

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
  // A menu that came later would move what is below. The page doesn't wait for a second try.
  const segments = useSegments(siteId, controls !== undefined);
  const isKnown = controls === undefined || !segments.isLoading || segments.failureCount > 0;
  const isHeaded = useNextTask(site !== undefined && isKnown);
  if (error) return <Failure error={error} retry={refetch} />;
  if (site === undefined || !isKnown) return <p class="unseen">{words.loading}</p>;
  return (
    <ReaderProvider value={reader}>
      <PageHead>
        <div class="page-title">
          <h1 title={site.domain}>{site.name}</h1>
          <a class="soft" href={`https://${site.domain}/`} rel="noreferrer">
            {site.domain}
          </a>
          <Now siteId={site.id} />
        </div>
        <ViewBar
          label={words.views.label}
          views={SITE_VIEWS}
          current={view}
          shown={SHOWN_VIEWS}
          hrefOf={(one) => `/sites/${siteId}${one === 'overview' ? '' : `/${one}`}${searchOf(query)}`}
          nameOf={(one) => words.views[one]}
          controls={
            controls && (
              <>
                <SegmentMenu site={site} />
                {controls(site)}
              </>
            )
          }
        />
      </PageHead>
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
  if (data === undefined) return <span class="now" />;
  const { count } = data.data;
  const text = words.live.now(count, compact(count));
  return (
    <Link class="now" href={`/sites/${siteId}/live`} title={text} aria-label={text}>
      {compact(count)}
    </Link>
  );
}

import { useQuery } from '@tanstack/preact-query';
import type { ComponentType } from 'preact';
import { Suspense } from 'preact/compat';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import { ApiError } from '../../api/operation.ts';
import { getShare, type SharedSite, unlockShare } from '../../api/operations.generated.ts';
import { ReaderProvider, shareReader } from '../../api/reader.ts';
import { lazyView } from '../../lazy-view.tsx';
import { Failure } from '../../parts/failure.tsx';
import { ViewBar } from '../../parts/view-bar.tsx';
import { keepUnlock, keptUnlock } from '../../state/own-preferences.ts';
import { useParameter } from '../../state/use-parameter.ts';
import { words } from '../../words/index.ts';
import type { WordGroup } from '../../words/load-words.ts';
import { SiteReports } from '../site/site-reports.tsx';
import {
  FilterButton,
  OverviewControls,
  ReportControls,
  type ReportedSite,
  useAsked,
} from '../site/site-view.tsx';

const lazyPart = (load: () => Promise<ComponentType<{ site: ReportedSite }>>, ...groups: WordGroup[]) =>
  lazyView<{ site: ReportedSite }>(async () => ({ default: await load() }), ...groups);

/** What a share shows beside the overview, each in a view of its own. The views are those of members. */
const VIEWS = {
  heatmap: lazyPart(async () => (await import('../heatmap/heatmap-view.tsx')).Heatmap, 'behaviour'),
  journeys: lazyPart(async () => (await import('../journeys/journeys-view.tsx')).Journeys, 'behaviour'),
  retention: lazyPart(async () => (await import('../retention/retention-view.tsx')).Retention, 'behaviour'),
  funnels: lazyPart(async () => (await import('../funnels/funnels-view.tsx')).Funnels, 'behaviour', 'goals'),
};
type OwnView = keyof typeof VIEWS;
const OWN_VIEWS = Object.keys(VIEWS) as OwnView[];

/** The views of a share that shows these reports. */
function viewsOf(reports: readonly string[]): ('overview' | OwnView)[] {
  const own = OWN_VIEWS.filter((view) => reports.includes(view));
  return own.length < reports.length ? ['overview', ...own] : own;
}

/** A share: the site's page with what the share shows, for whoever has its link. */
export default function ShareView({ secret }: { secret: string }) {
  const [token, setToken] = useState(() => keptUnlock(secret));
  const { data, error, refetch } = useQuery({
    queryKey: ['share', secret, token],
    queryFn: ({ signal }) => getShare({ secret }, signal, token),
  });
  if (error instanceof ApiError && error.status === 401) return <Locked secret={secret} onOpen={setToken} />;
  if (error) return <Failure error={error} retry={refetch} />;
  return data === undefined ? (
    <p class="unseen">{words.loading}</p>
  ) : (
    <Open {...{ secret, token }} share={data.data} />
  );
}

function Open({ secret, token, share }: { secret: string; token: string | undefined; share: SharedSite }) {
  const { site, reports } = share;
  const reader = useMemo(() => shareReader(secret, reports, token), [secret, reports, token]);
  const views = useMemo(() => viewsOf(reports), [reports]);
  const search = useSearch();
  const [chosen] = useParameter('view');
  const view = views.find((one) => one === chosen) ?? views[0] ?? 'overview';
  useEffect(() => {
    document.title = `${site.name} · ${words.product}`;
  }, [site.name]);
  const hrefOf = (one: string): string => {
    const query = new URLSearchParams(search);
    for (const own of ['view', 'start', 'end', 'funnel']) query.delete(own);
    if (one !== views[0]) query.set('view', one);
    return `/share/${secret}${query.size === 0 ? '' : `?${query}`}`;
  };
  const reported = { id: secret, timezone: site.timezone };
  const View = view === 'overview' ? undefined : VIEWS[view];
  return (
    <ReaderProvider value={reader}>
      <div class="heading">
        <h1>{site.name}</h1>
        <span class="soft">{site.domain}</span>
      </div>
      <ViewBar
        label={words.views.label}
        views={views.length > 1 ? views : []}
        current={view}
        hrefOf={hrefOf}
        nameOf={(one) => words.views[one]}
        controls={
          view === 'overview' ? (
            <OverviewControls zone={site.timezone} />
          ) : view === 'retention' ? (
            <FilterButton />
          ) : (
            <ReportControls zone={site.timezone} />
          )
        }
      />
      {View === undefined ? (
        <Overview site={reported} />
      ) : (
        <Suspense fallback={null}>
          <View key={view} site={reported} />
        </Suspense>
      )}
    </ReaderProvider>
  );
}

const Overview = ({ site }: { site: ReportedSite }) => (
  <SiteReports asked={useAsked(site)} zone={site.timezone} />
);

/** Asks for the share's password. */
function Locked({ secret, onOpen }: { secret: string; onOpen: (token: string) => void }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>();
  const texts = words.share;
  return (
    <form
      class="card locked form"
      onSubmit={async (event) => {
        event.preventDefault();
        try {
          const { data } = await unlockShare({ secret, password });
          keepUnlock(secret, data);
          onOpen(data.token);
        } catch (caught) {
          setError(caught);
        }
      }}
    >
      <h1>{texts.title}</h1>
      <p class="soft">{texts.text}</p>
      <label class="field">
        <span>{texts.password}</span>
        <input
          class="input"
          type="password"
          autocomplete="off"
          required
          value={password}
          onInput={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      </label>
      {error instanceof ApiError && error.status === 401 ? (
        <p class="down" role="alert">
          {texts.wrong}
        </p>
      ) : (
        error !== undefined && <Failure error={error} />
      )}
      <button type="submit" class="button main">
        {texts.open}
      </button>
    </form>
  );
}

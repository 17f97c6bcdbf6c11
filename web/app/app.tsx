import { QueryClientProvider } from '@tanstack/preact-query';
import { lazy, Suspense } from 'preact/compat';
import { Redirect, Route, Switch } from 'wouter-preact';
import { queries } from './api/queries.ts';
import { BackendPages } from './backend-pages.tsx';
import { Frame } from './parts/frame.tsx';
import { NotFoundView } from './views/not-found/not-found-view.tsx';
import { ShareView } from './views/share/share-view.tsx';
import { SiteView } from './views/site/site-view.tsx';
import { SitesView } from './views/sites/sites-view.tsx';

const EventsView = lazy(() => import('./views/events/events-view.tsx'));
const FunnelsView = lazy(() => import('./views/funnels/funnels-view.tsx'));
const GoalsView = lazy(() => import('./views/goals/goals-view.tsx'));
const InstallView = lazy(() => import('./views/install/install-view.tsx'));
const JourneysView = lazy(() => import('./views/journeys/journeys-view.tsx'));
const LiveView = lazy(() => import('./views/live/live-view.tsx'));
const NewSiteView = lazy(() => import('./views/new-site/new-site-view.tsx'));
const RetentionView = lazy(() => import('./views/retention/retention-view.tsx'));
const SettingsView = lazy(() => import('./views/settings/settings-view.tsx'));

/** The views, by their addresses. Those that aren't seen first are loaded when they are opened: `lazy(() => import(...))`. */
export const App = () => (
  <QueryClientProvider client={queries}>
    <Suspense fallback={null}>
      <Switch>
        <Route path="/share/:secret">{({ secret }) => <SharedPage secret={secret} />}</Route>
        <Route>
          <MemberPages />
        </Route>
      </Switch>
    </Suspense>
  </QueryClientProvider>
);

const SharedPage = ({ secret }: { secret: string }) => (
  <main id="content">
    <ShareView secret={secret} />
  </main>
);

const MemberPages = () => (
  <Frame>
    <Suspense fallback={null}>
      <Switch>
        <Route path="/">
          <Redirect to="/sites" replace />
        </Route>
        <Route path="/sites" component={SitesView} />
        <Route path="/sites/new" component={NewSiteView} />
        <Route path="/sites/:siteId">{({ siteId }) => <SiteView siteId={siteId} />}</Route>
        <Route path="/projects/*?" component={BackendPages} />
        <Route path="/sites/:siteId/events">{({ siteId }) => <EventsView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/funnels">{({ siteId }) => <FunnelsView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/journeys">{({ siteId }) => <JourneysView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/live">{({ siteId }) => <LiveView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/retention">{({ siteId }) => <RetentionView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/goals">{({ siteId }) => <GoalsView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/install">{({ siteId }) => <InstallView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/settings">{({ siteId }) => <SettingsView siteId={siteId} />}</Route>
        <Route component={NotFoundView} />
      </Switch>
    </Suspense>
  </Frame>
);

import { QueryClientProvider } from '@tanstack/preact-query';
import { Suspense } from 'preact/compat';
import { Redirect, Route, Switch } from 'wouter-preact';
import { queries } from './api/queries.ts';
import { BackendPages } from './backend-pages.tsx';
import { lazyView } from './lazy-view.tsx';
import { Frame } from './parts/frame.tsx';
import { Trouble } from './parts/trouble.tsx';
import { NotFoundView } from './views/not-found/not-found-view.tsx';
import { SiteView } from './views/site/site-view.tsx';
import { SitesView } from './views/sites/sites-view.tsx';

const AccountView = lazyView(() => import('./views/account/account-view.tsx'), 'people');
const AlertsView = lazyView(() => import('./views/alerts/site-alerts-view.tsx'), 'alerts');
const AuditView = lazyView(() => import('./views/audit/audit-view.tsx'), 'people');
const EventsView = lazyView(() => import('./views/events/events-view.tsx'), 'goals');
const FunnelsView = lazyView(() => import('./views/funnels/funnels-view.tsx'), 'behaviour', 'goals');
const GoalsView = lazyView(() => import('./views/goals/goals-view.tsx'), 'goals', 'behaviour');
const HeatmapView = lazyView(() => import('./views/heatmap/heatmap-view.tsx'), 'behaviour');
const InstallView = lazyView(() => import('./views/install/install-view.tsx'), 'adding', 'settings');
const JourneysView = lazyView(() => import('./views/journeys/journeys-view.tsx'), 'behaviour');
const KeysView = lazyView(() => import('./views/keys/keys-view.tsx'), 'people');
const LiveView = lazyView(() => import('./views/live/live-view.tsx'), 'behaviour');
const MembersView = lazyView(() => import('./views/members/members-view.tsx'), 'people');
const NewSiteView = lazyView(() => import('./views/new-site/new-site-view.tsx'), 'adding', 'settings');
const OwnProjectsView = lazyView(
  () => import('./views/own-projects/own-projects-view.tsx'),
  'people',
  'backend',
);
const RetentionView = lazyView(() => import('./views/retention/retention-view.tsx'), 'behaviour');
const SettingsView = lazyView(() => import('./views/settings/settings-view.tsx'), 'settings', 'messages');
const ShareView = lazyView(() => import('./views/share/share-view.tsx'));

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
    <Trouble isShared />
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
        <Route path="/sites/new">
          <NewSiteView />
        </Route>
        <Route path="/sites/:siteId">{({ siteId }) => <SiteView siteId={siteId} />}</Route>
        <Route path="/projects/*?" component={BackendPages} />
        <Route path="/settings">
          <Redirect to="/settings/account" replace />
        </Route>
        <Route path="/settings/account">
          <AccountView />
        </Route>
        <Route path="/settings/keys">
          <KeysView />
        </Route>
        <Route path="/settings/projects">
          <OwnProjectsView />
        </Route>
        <Route path="/settings/members">
          <MembersView />
        </Route>
        <Route path="/settings/audit">
          <AuditView />
        </Route>
        <Route path="/sites/:siteId/alerts">{({ siteId }) => <AlertsView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/events">{({ siteId }) => <EventsView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/funnels">{({ siteId }) => <FunnelsView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/heatmap">{({ siteId }) => <HeatmapView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/journeys">{({ siteId }) => <JourneysView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/live">{({ siteId }) => <LiveView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/retention">{({ siteId }) => <RetentionView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/goals">{({ siteId }) => <GoalsView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/install">{({ siteId }) => <InstallView siteId={siteId} />}</Route>
        <Route path="/sites/:siteId/settings">{({ siteId }) => <SettingsView siteId={siteId} />}</Route>
        <Route>
          <NotFoundView />
        </Route>
      </Switch>
    </Suspense>
  </Frame>
);

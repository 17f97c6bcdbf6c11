import type { ComponentType } from 'preact';
import { Redirect, Route, Switch } from 'wouter-preact';
import { lazyView } from './lazy-view.tsx';
import { type EnvironmentIds, viewHref } from './state/telemetry-query.ts';
import { NotFoundView } from './views/not-found/not-found-view.tsx';

const ChannelsView = lazyView(() => import('./views/channels/channels-view.tsx'), 'messages');
const ProjectsView = lazyView(() => import('./views/projects/projects-view.tsx'), 'backend');
const TraceView = lazyView(() => import('./views/trace/trace-view.tsx'), 'backend');
const VIEWS: Readonly<Record<string, ComponentType<{ environment: EnvironmentIds }>>> = {
  services: lazyView(() => import('./views/services/services-view.tsx'), 'backend'),
  errors: lazyView(() => import('./views/errors/errors-view.tsx'), 'backend'),
  logs: lazyView(() => import('./views/logs/logs-view.tsx'), 'backend'),
  metrics: lazyView(() => import('./views/metrics/metrics-view.tsx'), 'backend'),
  outcomes: lazyView(() => import('./views/outcomes/outcomes-view.tsx'), 'backend'),
  alerts: lazyView(() => import('./views/alerts/environment-alerts-view.tsx'), 'alerts', 'backend'),
  connection: lazyView(() => import('./views/connection/connection-view.tsx'), 'backend'),
  traces: lazyView(() => import('./views/traces/traces-view.tsx'), 'backend'),
};

/** The views below `/projects`, each loaded when it is opened. */
export const BackendPages = () => (
  <Switch>
    <Route path="/projects">
      <ProjectsView />
    </Route>
    <Route path="/projects/:projectId/channels">
      {({ projectId }) => <ChannelsView key={projectId} projectId={projectId} />}
    </Route>
    <Route path="/projects/:projectId/:environmentId">
      {({ projectId, environmentId }) => (
        <Redirect to={viewHref({ projectId, environmentId }, 'services')} replace />
      )}
    </Route>
    <Route path="/projects/:projectId/:environmentId/traces/:traceId">
      {({ projectId, environmentId, traceId }) => (
        <TraceView environment={{ projectId, environmentId }} traceId={traceId} />
      )}
    </Route>
    <Route path="/projects/:projectId/:environmentId/:view">
      {({ projectId, environmentId, view }) => {
        const View = Object.hasOwn(VIEWS, view) ? VIEWS[view] : undefined;
        return View ? <View key={view} environment={{ projectId, environmentId }} /> : <NotFoundView />;
      }}
    </Route>
    <Route>
      <NotFoundView />
    </Route>
  </Switch>
);

import type { ComponentType } from 'preact';
import { lazy } from 'preact/compat';
import { Redirect, Route, Switch } from 'wouter-preact';
import { type Place, viewHref } from './state/telemetry-query.ts';
import { NotFoundView } from './views/not-found/not-found-view.tsx';

const ProjectsView = lazy(() => import('./views/projects/projects-view.tsx'));
const TraceView = lazy(() => import('./views/trace/trace-view.tsx'));
const VIEWS: Readonly<Record<string, ComponentType<{ place: Place }>>> = {
  services: lazy(() => import('./views/services/services-view.tsx')),
  logs: lazy(() => import('./views/logs/logs-view.tsx')),
  metrics: lazy(() => import('./views/metrics/metrics-view.tsx')),
  outcomes: lazy(() => import('./views/outcomes/outcomes-view.tsx')),
  connection: lazy(() => import('./views/connection/connection-view.tsx')),
  traces: lazy(() => import('./views/traces/traces-view.tsx')),
};

/** The views below `/projects`, each loaded when it is opened. */
export const BackendPages = () => (
  <Switch>
    <Route path="/projects" component={ProjectsView} />
    <Route path="/projects/:projectId/:environmentId">
      {({ projectId, environmentId }) => (
        <Redirect to={viewHref({ projectId, environmentId }, 'services')} replace />
      )}
    </Route>
    <Route path="/projects/:projectId/:environmentId/traces/:traceId">
      {({ projectId, environmentId, traceId }) => (
        <TraceView place={{ projectId, environmentId }} traceId={traceId} />
      )}
    </Route>
    <Route path="/projects/:projectId/:environmentId/:view">
      {({ projectId, environmentId, view }) => {
        const View = Object.hasOwn(VIEWS, view) ? VIEWS[view] : undefined;
        return View ? <View key={view} place={{ projectId, environmentId }} /> : <NotFoundView />;
      }}
    </Route>
    <Route component={NotFoundView} />
  </Switch>
);

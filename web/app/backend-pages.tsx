import { lazy } from 'preact/compat';
import { Redirect, Route, Switch } from 'wouter-preact';
import { viewHref } from './state/telemetry-query.ts';
import { NotFoundView } from './views/not-found/not-found-view.tsx';

const ProjectsView = lazy(() => import('./views/projects/projects-view.tsx'));
const TracesView = lazy(() => import('./views/traces/traces-view.tsx'));
const TraceView = lazy(() => import('./views/trace/trace-view.tsx'));

/** The views below `/projects`, each loaded when it is opened. */
export const BackendPages = () => (
  <Switch>
    <Route path="/projects" component={ProjectsView} />
    <Route path="/projects/:projectId/:environmentId">
      {(place) => <Redirect to={viewHref(place, 'services')} replace />}
    </Route>
    <Route path="/projects/:projectId/:environmentId/traces">{(place) => <TracesView {...place} />}</Route>
    <Route path="/projects/:projectId/:environmentId/traces/:traceId">
      {(trace) => <TraceView {...trace} />}
    </Route>
    <Route component={NotFoundView} />
  </Switch>
);

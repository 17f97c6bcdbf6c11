import { QueryClientProvider } from '@tanstack/preact-query';
import { Suspense } from 'preact/compat';
import { Redirect, Route, Switch } from 'wouter-preact';
import { queries } from './api/queries.ts';
import { BackendPages } from './backend-pages.tsx';
import { Frame } from './parts/frame.tsx';
import { NotFoundView } from './views/not-found/not-found-view.tsx';
import { ShareView } from './views/share/share-view.tsx';
import { SiteView } from './views/site/site-view.tsx';
import { SitesView } from './views/sites/sites-view.tsx';

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
        <Route path="/sites/:siteId">{({ siteId }) => <SiteView siteId={siteId} />}</Route>
        <Route path="/projects/*?" component={BackendPages} />
        <Route component={NotFoundView} />
      </Switch>
    </Suspense>
  </Frame>
);

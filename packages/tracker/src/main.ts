import { decide, flush, forget, stopped, visitorId } from './delivery.ts';
import { listen } from './listen.ts';
import { clicked } from './load-parts.ts';
import { navigated, view } from './page-views.ts';
import type { Moment } from './part-types.ts';
import { dataset, site } from './script-tag.ts';
import { track } from './track.ts';

/** An element of the page with that name is no own property. */
const earlier = (Object.hasOwn(self, 'vendor') && self.vendor) as Vendor | undefined;

// A global with `track` and without a queue is a tracker that already runs: loaded twice, it counts once.
if (site && (!earlier?.track || earlier.q)) {
  self.vendor = { page: view, visitorId, consent: decide, track };
  dataset.manual ?? [
    view(),
    (['replaceState', 'pushState'] as const).map((method) => {
      const original = history[method];
      history[method] = (...args) => navigated(original.call(history, ...args));
    }),
    listen('pageshow,popstate', navigated),
  ];
  earlier?.q?.map(([name, ...args]) =>
    ((self.vendor as Vendor)[name] as (...given: unknown[]) => void)(...args),
  );
  listen('blur,focus,visibilitychange,pagehide', (event) => flush(event.type as Moment));
  listen('click,auxclick,submit', clicked, true);
  // The page is seen from the beginning.
  stopped ? forget() : flush('blur');
}

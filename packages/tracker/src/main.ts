import { decide, enqueue, flush, isSeenFromStart, measurable, startDelivery, visitorId } from './delivery.ts';
import { joinPage } from './join-page.ts';
import { listen } from './listen.ts';
import { chooseSender, signals, withLinks } from './load-parts.ts';
import { own } from './own.ts';
import { navigated, view } from './page-views.ts';
import { setCore } from './part-file.ts';
import type { Moment } from './part-types.ts';
import { safe } from './safe.ts';
import { dataset, site } from './script-tag.ts';
import { track } from './track.ts';
import { warn } from './warn.ts';

const tracker: Tracker = { page: view, track, consent: decide, visitorId };

/** What the page's own router calls works as before, whatever the tracker makes of it. */
const watchHistory = safe((method: 'pushState' | 'replaceState'): void => {
  const original = history[method];
  history[method] = function (...given) {
    const result = original.apply(this, given);
    navigated();
    return result;
  };
});

/** In browsers that have it, it also sees what no history call makes. */
const watchNavigation = safe(() => navigation.addEventListener('currententrychange', navigated));

/** A link may leave the page: what its click says goes at once. */
const hearClick = (event: Event): void => {
  const path = event.composedPath();
  flush('click');
  withLinks((seeClick) => {
    seeClick(event, path);
    flush('click');
  });
};

setCore(dataset, track, enqueue, measurable, signals, isSeenFromStart, own);
const calls = joinPage(site, tracker);
if (!site) warn('Vendor: no data-site');
else if (calls) {
  chooseSender();
  if (!('manual' in dataset)) {
    view();
    watchHistory('replaceState');
    watchHistory('pushState');
    listen('pageshow,popstate', navigated);
    watchNavigation();
  }
  for (const [name, ...given] of calls) (tracker[name] as (...given: unknown[]) => void)(...given);
  listen('blur,focus,visibilitychange,pagehide,online', (event) => flush(event.type as Moment));
  listen('click,auxclick,submit', hearClick, true);
  startDelivery();
}

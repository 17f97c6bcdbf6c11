import { decide, enqueue, flush, isSeenFromStart, measurable, startDelivery, visitorId } from './delivery.ts';
import { joinPage } from './join-page.ts';
import { listen } from './listen.ts';
import { chooseSender, signals } from './load-parts.ts';
import { own } from './own.ts';
import { navigated, view } from './page-views.ts';
import { setCore } from './part-file.ts';
import type { Moment } from './part-types.ts';
import { safe } from './safe.ts';
import { dataset, site } from './script-tag.ts';
import { track } from './track.ts';
import { sayUnknown } from './warn.ts';

const tracker: Tracker = { page: view, track, consent: decide, visitorId };

/** What the page's own router calls works as before, whatever the tracker makes of it. */
const watchHistory = (method: 'pushState' | 'replaceState'): void => {
  const original = history[method];
  history[method] = function (...given) {
    const result = original.apply(this, given);
    safe(navigated)();
    return result;
  };
};

/** Each step by itself: a page may have replaced what another step uses. */
const steps = (calls: VendorCall[]): (() => unknown)[] => [
  chooseSender,
  ...('manual' in dataset
    ? []
    : [
        view,
        () => watchHistory('replaceState'),
        () => watchHistory('pushState'),
        () => listen('pageshow,popstate', navigated),
        // In browsers that have it, it also sees what no history call makes.
        () => navigation.addEventListener('currententrychange', () => safe(navigated)()),
      ]),
  ...calls.map(
    ([name, ...given]) =>
      () =>
        (tracker[name] as (...given: unknown[]) => void)(...given),
  ),
  () => listen('blur,focus,visibilitychange,pagehide', (event) => flush(event.type as Moment)),
  () => listen('online', () => flush()),
  () =>
    listen(
      'click,auxclick,submit',
      (event) => {
        signals.click(event, event.composedPath());
        // A link may leave the page.
        flush('click');
      },
      true,
    ),
  startDelivery,
];

const calls = site ? joinPage(site, tracker) : sayUnknown();
setCore(dataset, track, enqueue, measurable, signals, isSeenFromStart, own);
if (calls) for (const step of steps(calls)) safe(step)();

/**
 * What may be measured with consent only: engaged time (visible and in focus), the deepest scroll, and the web vitals of the document.
 * Without a page view that may be measured it reads nothing.
 */
import { enqueue } from '../delivery.ts';
import { listen } from '../listen.ts';
import { own } from '../own.ts';
import { measurable } from '../page-views.ts';
import type { Moment, SeeMoment } from '../part-types.ts';
import type { PageView } from '../wire.ts';
import { beginVitals, endVitals, vitals } from './vitals.ts';

export let view: PageView | false | undefined;
/** Since when the page has attention, in seconds; falsy: it has none. */
let since: number | false | undefined;
let spent: number;
let deepestPx: number;
let reportedDepth: number;

/** Called at each moment; the first call begins. */
export const seeMoment: SeeMoment = (moment) => {
  if (view !== (view = measurable())) {
    // Attention goes on from one view to the next; with consent it begins.
    since = view && since;
    deepestPx = spent = reportedDepth = 0;
  }
  if (view) {
    const now = performance.now() / 1e3;
    spent += since ? now - since : 0;
    since = own('hasFocus').call(document) && !own('hidden') && now;
    deepestPx = Math.max(deepestPx, scrollY + innerHeight);
    // Later views have the view before as referrer.
    if (view.referrer === own('referrer')) vitals ?? beginVitals();
    // A scroll arrives as an event, whose text comes before `a`.
    if ((moment as Moment) > 'a') {
      if ((moment as Moment) > 'p') endVitals();
      // Depth is relative to the current height, so that late content counts.
      const scrollDepth = Math.min((deepestPx / own('documentElement').scrollHeight) * 100 + 0.5, 100) | 0;
      const seconds = spent | 0;
      if (scrollDepth > reportedDepth || seconds) {
        reportedDepth = scrollDepth;
        spent -= seconds;
        enqueue({ type: 'engagement', seconds, scrollDepth });
      }
    }
  }
};

/** Scrolling is a moment too. Repeated calls add no second listener. */
export const measureScroll = (): unknown => listen('scroll', seeMoment as () => void);

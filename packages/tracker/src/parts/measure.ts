/**
 * What may be measured with consent only: engaged time (visible and in focus), the deepest scroll, and the web vitals of the document.
 * Without a page view that may be measured it reads nothing.
 */
import { enqueue, measurable } from '../delivery.ts';
import { listen } from '../listen.ts';
import { own } from '../own.ts';
import type { Moment, SeeMoment } from '../part-types.ts';
import type { PageView } from '../wire.ts';
import { findScroller } from './scroller.ts';
import { beginVitals, endVitals, vitals } from './vitals.ts';

let view: PageView | false | undefined;
/** Since when the page has attention, in seconds; falsy: it has none. */
let since: number | false | undefined;
let spent: number;
let scroller: Element;
let deepestPx: number;
let reportedDepth: number;

const REPORTS: readonly unknown[] = ['blur', 'focus', 'visibilitychange', 'pagehide', 'pageview'];
/** The page is hidden or was hidden until now, or its first view ends. */
const ENDS: readonly unknown[] = ['visibilitychange', 'pagehide', 'pageview'];

const seeScroll = (): void => {
  const found = findScroller();
  if (found !== scroller) deepestPx = 0;
  scroller = found;
  deepestPx = Math.max(deepestPx, found.scrollTop + found.clientHeight);
};

const report = (): void => {
  // Depth is relative to the current height, so that late content counts.
  const scrollDepth = Math.min(Math.round((deepestPx / scroller.scrollHeight) * 100), 100) || 0;
  const seconds = Math.trunc(spent);
  if (scrollDepth > reportedDepth || seconds) {
    reportedDepth = scrollDepth;
    spent -= seconds;
    enqueue({ type: 'engagement', seconds, scrollDepth });
  }
};

/** Called at each moment; the first call begins. */
export const seeMoment: SeeMoment = (moment?: Moment) => {
  if (view !== (view = measurable())) {
    // Attention goes on from one view to the next; with consent it begins.
    since = view && since;
    deepestPx = spent = reportedDepth = 0;
  }
  if (!view) return;
  const now = performance.now() / 1e3;
  spent += since ? now - since : 0;
  since = own('hasFocus').call(document) && !own('hidden') && now;
  seeScroll();
  // Later views have the view before as referrer.
  if (view.referrer === own('referrer')) vitals ?? beginVitals();
  if (ENDS.includes(moment)) endVitals();
  if (REPORTS.includes(moment)) report();
};

/** Scrolling is a moment too. Events of a container that scrolls reach the window only on their way down. */
export const measureScroll = (): void => listen('scroll', () => seeMoment(), true);

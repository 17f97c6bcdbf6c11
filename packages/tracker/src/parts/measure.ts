/**
 * What consent alone allows to measure: engaged time (visible and in focus), the deepest scroll, and the web vitals of the
 * document. Without a page view that may be measured it reads nothing.
 */
import { enqueue } from '../delivery.ts';
import type { SeeMoment } from '../part.ts';
import { measurable } from '../policy.ts';
import type { PageView } from '../wire.ts';
import { observeVitals } from './vitals.ts';

let view: PageView | false | undefined;
/** Since when the visitor attends; falsy: doesn't. */
let since: number | false | undefined;
let spentMs: number;
let deepestPx: number;
let reportedDepth: number;
let endVitals: ReturnType<typeof observeVitals> | undefined;

/** To be called at each moment; the first one begins. */
export const seeMoment: SeeMoment = (moment) => {
  const next = measurable();
  if (next !== view) {
    // From one view to the next attention goes on; into consent it begins.
    since = view && next && since;
    view = next;
    spentMs = deepestPx = reportedDepth = 0;
  }
  if (!view) return;
  const now = performance.now();
  if (since) spentMs += now - since;
  since = !document.hidden && document.hasFocus() && now;
  deepestPx = Math.max(deepestPx, scrollY + innerHeight);
  // Later views have the one before them as their referrer.
  if (view.referrer === document.referrer) endVitals ??= observeVitals(view);
  if (moment === undefined) return;
  if (moment !== false || document.hidden) endVitals?.();
  // Depth is of the document's height now, so that late content counts.
  const scrollDepth = Math.min((deepestPx / document.documentElement.scrollHeight) * 100 + 0.5, 100) | 0;
  const seconds = (spentMs / 1e3) | 0;
  if (seconds || scrollDepth > reportedDepth) {
    spentMs -= seconds * 1e3;
    reportedDepth = scrollDepth;
    enqueue({ type: 'engagement', seconds, scrollDepth });
  }
};

addEventListener('scroll', () => seeMoment());

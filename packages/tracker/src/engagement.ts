/** Engaged time (visible and in focus) and the deepest scroll of the present page view. Measured at tier 3 only. */
import { enqueue, flush } from './delivery.ts';
import { page } from './pages.ts';
import { tier } from './policy.ts';
import { uuid } from './uuid.ts';

/** Since when the visitor is engaged, on the page's own clock; 0: isn't. */
export let since = 0;
let spentMs = 0;
let deepestPx = 0;
let reportedDepth = 0;

/** Forgets what was measured. `from`: as `since`. */
export const restartMeasuring = (from: number): void => {
  since = from;
  spentMs = deepestPx = reportedDepth = 0;
};

export const measure = (): void => {
  if (tier === 3) {
    const now = performance.now();
    if (since) spentMs += now - since;
    since = !document.hidden && document.hasFocus() ? now : 0;
    deepestPx = Math.max(deepestPx, scrollY + innerHeight);
  }
};

/**
 * Sends everything that waits, and what was measured since the last time. Depth is of the document's height now, so that
 * late content counts. `forGood`: the page goes away, there is no later.
 */
export const leave = (forGood?: unknown): void => {
  measure();
  if (tier === 3 && page) {
    const seconds = (spentMs / 1e3) | 0;
    const scrollDepth = Math.min((deepestPx / document.documentElement.scrollHeight) * 100 + 0.5, 100) | 0;
    if (seconds || scrollDepth > reportedDepth) {
      spentMs -= seconds * 1e3;
      reportedDepth = scrollDepth;
      enqueue({ id: uuid(), type: 'engagement', pageId: page.pageId, seconds, scrollDepth });
    }
  }
  flush(forGood);
};

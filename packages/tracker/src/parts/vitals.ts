/**
 * Core Web Vitals, FCP and TTFB by the definitions of the `web-vitals` library: times from the activation of the page, none of
 * loading for a page that was opened in the background, shifts in windows of at most 5 s with gaps under 1 s, the interaction
 * at the 98th percentile. Unlike there they end when the page is first hidden or left, and a return from the back/forward
 * cache isn't a load.
 */
import { enqueue } from '../delivery.ts';
import { measurable } from '../policy.ts';
import type { PageView, Vitals } from '../wire.ts';

/** With what the DOM library doesn't know. */
interface Entry extends PerformanceEntry {
  value?: number;
  hadRecentInput?: boolean;
  interactionId?: number;
  responseStart?: number;
  activationStart?: number;
}

const entriesOf = (type: string): Entry[] => performance.getEntriesByType(type);

/** What is read of the entries that browsers know; of some, when they began. */
const TYPES: Record<string, 'fcp' | 'lcp' | 0> = {
  // The first paint of all comes before the first with content.
  paint: 'fcp',
  'largest-contentful-paint': 'lcp',
  'layout-shift': 0,
  event: 0,
  'first-input': 0,
};

/** Begins, for that page view; the result ends it and sends them, once. What happens while nothing may be measured is left out. */
export const observeVitals = ({ pageId, url }: PageView): (() => void) => {
  let vitals: Vitals | undefined = { type: 'vitals', pageId, url };
  /** Milliseconds by interaction: the longest of its events. */
  const longest: Record<number, number> = {};
  /** Of the present window of shifts: their sum, when it began, and its last one. */
  let shift = 0;
  let first: number;
  let last: number;
  const { activationStart = 0, responseStart = 0 } = entriesOf('navigation')[0] || {};
  // A page that began in the background, and wasn't prerendered, says nothing of how it loads.
  const inSight = activationStart || entriesOf('visibility-state')[0]?.name !== 'hidden';
  const read = (entries: Entry[]): void => {
    if (vitals && measurable())
      for (const { entryType, startTime, duration, value, hadRecentInput, interactionId } of entries) {
        const name = TYPES[entryType];
        if (name && inSight) vitals[name] = Math.max(startTime - activationStart, 0);
        if (interactionId) longest[interactionId] = Math.max(longest[interactionId] || 0, duration);
        if (value && !hadRecentInput) {
          if (!shift || startTime - last >= 1e3 || startTime - first >= 5e3) {
            shift = 0;
            first = startTime;
          }
          last = startTime;
          shift += value;
          vitals.cls = Math.max(vitals.cls || 0, shift);
        }
      }
  };
  const observer = new PerformanceObserver((list) => read(list.getEntries()));
  for (const type of PerformanceObserver.supportedEntryTypes) {
    // Below 40 ms an interaction is noted only if it is the first.
    const options: PerformanceObserverInit & { durationThreshold: number } = {
      type,
      buffered: true,
      durationThreshold: 40,
    };
    if (type in TYPES) observer.observe(options);
  }
  if (inSight) vitals.ttfb = Math.max(responseStart - activationStart, 0);
  return () => {
    read(observer.takeRecords());
    // One interaction in 50 may be longer than what is told. Browsers that don't count them have the longest.
    const { interactionCount = 0 }: { interactionCount?: number } = performance;
    const inp = Object.values(longest)
      .sort((a, b) => b - a)
      .slice(0, interactionCount / 50 + 1)
      .pop();
    if (vitals) enqueue({ ...vitals, inp });
    vitals = undefined;
  };
};

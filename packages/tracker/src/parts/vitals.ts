/**
 * Core Web Vitals, FCP and TTFB by the definitions of the `web-vitals` library: times from the activation of the page, none of
 * loading for a page that was opened in the background, shifts in windows of at most 5 s with gaps under 1 s, the interaction
 * at the 98th percentile. Unlike there they end when the page is first hidden or left, and a return from the back/forward
 * cache isn't a load.
 */
import type { Vitals } from '../wire.ts';

type Values = Pick<Vitals, 'lcp' | 'inp' | 'cls' | 'fcp' | 'ttfb'>;

/** With what the DOM library doesn't know. */
interface Entry extends PerformanceEntry {
  value?: number;
  hadRecentInput?: boolean;
  interactionId?: number;
  responseStart?: number;
  activationStart?: number;
}

const entriesOf = (type: string): Entry[] => performance.getEntriesByType(type);

/** Begins; the result ends it and gives the vitals. While `isAllowed` says no, what happens is left out. */
export const observeVitals = (isAllowed: () => unknown): (() => Values) => {
  const values: Values = {};
  const longest: Record<number, number> = {};
  let shift = 0;
  let first: number;
  let last = -Infinity;
  const { activationStart = 0, responseStart = 0 } = entriesOf('navigation')[0] || {};
  const since =
    (name: 'fcp' | 'lcp' | 'ttfb') =>
    ({ startTime }: { startTime: number }): void => {
      // A page that began in the background, and wasn't prerendered, says nothing of how it loads.
      if (activationStart || entriesOf('visibility-state')[0]?.name !== 'hidden')
        values[name] = Math.max(startTime - activationStart, 0);
    };
  const interaction = ({ interactionId, duration }: Entry): void => {
    if (interactionId) longest[interactionId] = Math.max(longest[interactionId] || 0, duration);
  };
  const observers: Record<string, (entry: Entry) => void> = {
    // The first paint of all comes before the first with content.
    paint: since('fcp'),
    'largest-contentful-paint': since('lcp'),
    'layout-shift': ({ startTime, value = 0, hadRecentInput }) => {
      if (!hadRecentInput) {
        if (startTime - last >= 1e3 || startTime - first >= 5e3) {
          shift = 0;
          first = startTime;
        }
        last = startTime;
        shift += value;
        values.cls = Math.max(values.cls || 0, shift);
      }
    },
    event: interaction,
    'first-input': interaction,
  };
  since('ttfb')({ startTime: responseStart });
  const endings = PerformanceObserver.supportedEntryTypes.map((type) => {
    const see = observers[type];
    const seeAll = (entries: Entry[]): void => {
      if (see && isAllowed()) entries.forEach(see);
    };
    const observer = new PerformanceObserver((list) => seeAll(list.getEntries()));
    // Below 40 ms an interaction is noted only if it is the first.
    const options: PerformanceObserverInit & { durationThreshold: number } = {
      type,
      buffered: true,
      durationThreshold: 40,
    };
    if (see) observer.observe(options);
    return () => seeAll(observer.takeRecords());
  });
  return () => {
    for (const end of endings) end();
    const sorted = Object.values(longest).sort((a, b) => b - a);
    // Browsers that don't count interactions have the longest.
    const { interactionCount = 0 }: { interactionCount?: number } = performance;
    const inp = sorted[Math.min((interactionCount / 50) | 0, sorted.length - 1)];
    return inp ? { ...values, inp } : values;
  };
};

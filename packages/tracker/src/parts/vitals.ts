/**
 * The web vitals of a document, as the `web-vitals` library defines them: times count from the page's activation; a page opened in the
 * background has no paints or shifts; shifts form windows of at most 5 s with gaps under 1 s; without shifts the value is 0; the
 * interaction is the 98th percentile. Unlike the library, measuring ends when the page is first hidden or left, and a return from the
 * back/forward cache isn't a load.
 */
import { enqueue, isSeenFromStart, measurable } from '../delivery.ts';
import type { PageView, Vitals } from '../wire.ts';

/** Adds fields that the DOM library lacks. */
interface Entry extends PerformanceEntry {
  size?: number;
  value?: number;
  hadRecentInput?: boolean;
  interactionId?: number;
  responseStart?: number;
  activationStart?: number;
}

/** Undefined: not started. False: sent. */
export let vitals: Vitals | false | undefined;
let activation: number;
/** By interaction: the longest of its events, in milliseconds. */
const longest: number[] = [];
/** The current window of shifts: its sum (undefined where the browser reports none), its latest end, and its last shift. */
let shift: number;
let limit: number;
/** The time of the last shift. Until the first shift it is the response start, which has no effect without a window. */
let last: number;

const sinceActivation = (time: number): number => Math.max(time - activation, 0);

/** Ignores everything that happens while measuring isn't allowed. */
const read = ({
  entryType,
  interactionId,
  size,
  startTime,
  duration,
  value,
  hadRecentInput,
}: Entry): void => {
  if (measurable() && vitals) {
    // The page was visible from the start, or prerendered. Among these types only a largest paint has a size. The first paint
    // precedes the first contentful paint.
    if (isSeenFromStart() || activation) {
      if (size) vitals.lcp = sinceActivation(startTime);
      else if (entryType === 'paint') vitals.fcp = sinceActivation(startTime);
      else if (hadRecentInput === false) {
        // Before the first shift there is no limit, and a comparison with undefined is false.
        if (startTime < limit && startTime - last < 1e3) shift += value as number;
        else {
          shift = value as number;
          limit = startTime + 5e3;
        }
        last = startTime;
      }
      (vitals.cls as number) > shift || (vitals.cls = shift);
    }
    if (interactionId) (longest[interactionId] as number) > duration || (longest[interactionId] = duration);
  }
};

const observer = new PerformanceObserver((list) => list.getEntries().map(read));

/** Starts measuring for the current page view. */
export const beginVitals = (): void => {
  [{ responseStart: last = 0, activationStart: activation = 0 } = {} as Entry] = performance.getEntriesByType(
    'navigation',
  ) as Entry[];
  vitals = { type: 'vitals', url: (measurable() as PageView).url, ttfb: sinceActivation(last) };
  PerformanceObserver.supportedEntryTypes.map((type) => {
    // Largest paint and layout shifts, first input, paint, events. An interaction below 40 ms is reported only if it is the first.
    if (/la|fi|^p|ev/.test(type)) {
      // Only for layout shifts.
      if (/y/.test(type)) shift = 0;
      observer.observe({ type, durationThreshold: 40, buffered: true } as PerformanceObserverInit);
    }
  });
};

/** Sends the vitals once. */
export const endVitals = (): void => {
  if (vitals) {
    observer.takeRecords().map(read);
    // One interaction in 50 may be longer than the reported one. Browsers that don't count interactions report the longest.
    vitals.inp = Object.values(longest)
      .sort((a, b) => a - b)
      .slice(~(((performance as { interactionCount?: number }).interactionCount as number) / 50))[0];
    enqueue(vitals);
    vitals = false;
  }
};

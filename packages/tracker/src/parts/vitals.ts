/**
 * The web vitals of a document, by the definitions of the `web-vitals` library: times from the activation of the page, no
 * paints or shifts of a page that was opened in the background, shifts in windows of at most 5 s with gaps under 1 s and 0
 * without any, the interaction at the 98th percentile. Unlike there they end when the page is first hidden or left, and a
 * return from the back/forward cache isn't a load.
 */
import { enqueue, started } from '../delivery.ts';
import type { Moment } from '../part-types.ts';
import type { PageView, Vitals } from '../wire.ts';
import { view } from './measure.ts';

/** With what the DOM library doesn't know. */
interface Entry extends PerformanceEntry {
  size?: number;
  value?: number;
  hadRecentInput?: boolean;
  interactionId?: number;
  responseStart?: number;
  activationStart?: number;
}

/** Undefined: not begun. False: sent. */
export let vitals: Vitals | false | undefined;
let activation: number;
/** Milliseconds by interaction: the longest of its events. */
const longest: number[] = [];
/** Of the present window of shifts: their sum, none where the browser tells of none; when it must end, and its last one. */
let shift: number;
let limit: number;
/** Before the first of them, when the response began; without a window that says nothing of them. */
let last: number;

const sinceActivation = (time: number): number => Math.max(time - activation, 0);

/** What happens while nothing may be measured is left out. */
const read = ({
  entryType,
  interactionId,
  size,
  startTime,
  duration,
  value,
  hadRecentInput,
}: Entry): void => {
  if (view && vitals) {
    // Seen from the beginning, or prerendered. Of these types the largest paint alone has a size, and `paint` comes after `p`;
    // the first paint of all comes before the first with content.
    if ((started as Moment) < 'e' || activation) {
      if (size) vitals.lcp = sinceActivation(startTime);
      else if (entryType > 'p') vitals.fcp = sinceActivation(startTime);
      else if (hadRecentInput === false) {
        // Before the first there is no limit, and comparing with none is false.
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

/** Begins, for the present page view. */
export const beginVitals = (): void => {
  [{ responseStart: last = 0, activationStart: activation = 0 } = {} as Entry] = performance.getEntriesByType(
    'navigation',
  ) as Entry[];
  vitals = { type: 'vitals', url: (view as PageView).url, ttfb: sinceActivation(last) };
  PerformanceObserver.supportedEntryTypes.map((type) => {
    // Largest paint and layout shifts, the first input, paint, events. Below 40 ms an interaction is noted only if it is first.
    if (/la|fi|^p|ev/.test(type)) {
      // Layout shifts alone.
      if (/y/.test(type)) shift = 0;
      observer.observe({ type, durationThreshold: 40, buffered: true } as PerformanceObserverInit);
    }
  });
};

/** Sends them, once. */
export const endVitals = (): void => {
  if (vitals) {
    observer.takeRecords().map(read);
    // One interaction in 50 may be longer than what is told. Browsers that don't count them have the longest.
    vitals.inp = Object.values(longest)
      .sort((a, b) => a - b)
      .slice(~(((performance as { interactionCount?: number }).interactionCount as number) / 50))[0];
    enqueue(vitals);
    vitals = false;
  }
};

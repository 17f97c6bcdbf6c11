/**
 * The web vitals of a document, by the definitions of the `web-vitals` library: times from the activation of the page, no
 * paint of a page that was opened in the background, shifts in windows of at most 5 s with gaps under 1 s, the interaction
 * at the 98th percentile. Unlike there they end when the page is first hidden or left, and a return from the back/forward
 * cache isn't a load.
 */
import { enqueue, started } from '../delivery.ts';
import type { Moment } from '../part.ts';
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
/** Of the present window of shifts: their sum, when it must end, and its last one. */
let shift: number;
let limit: number;
/** Before the first of them, when the response began; without a window that says nothing of them. */
let last: number;

const sinceActivation = (time: number): number => Math.max(time - activation, 0);

/** What happens while nothing may be measured is left out. */
const read = (entries: Entry[]): void => {
  for (const { entryType, duration, value, size, startTime, hadRecentInput, interactionId } of entries)
    if (vitals && view) {
      // Seen from the beginning, or prerendered. Of these types the largest paint alone has a size, and `paint` comes after `p`;
      // the first paint of all comes before the first with content.
      if (activation || (started as Moment) < 'e')
        if (size) vitals.lcp = sinceActivation(startTime);
        else if (entryType > 'p') vitals.fcp = sinceActivation(startTime);
      if (interactionId) (longest[interactionId] as number) > duration || (longest[interactionId] = duration);
      if (hadRecentInput === false) {
        // Before the first there is no limit, and comparing with none is false.
        if (!(startTime - last < 1e3 && startTime < limit)) {
          shift = 0;
          limit = startTime + 5e3;
        }
        last = startTime;
        shift += value as number;
        (vitals.cls as number) > shift || (vitals.cls = shift);
      }
    }
};

const observer = new PerformanceObserver((list) => read(list.getEntries()));

/** Begins, for the present page view. */
export const beginVitals = (): void => {
  [{ activationStart: activation = 0, responseStart: last = 0 } = {} as Entry] = performance.getEntriesByType(
    'navigation',
  ) as Entry[];
  vitals = { type: 'vitals', url: (view as PageView).url, ttfb: sinceActivation(last) };
  PerformanceObserver.supportedEntryTypes.map(
    // Paint, largest paint and layout shifts, events, the first input. Below 40 ms an interaction is noted only if it is first.
    (type) =>
      /^pa|la|ev|fi/.test(type) &&
      observer.observe({ type, durationThreshold: 40, buffered: true } as PerformanceObserverInit),
  );
};

/** Sends them, once. */
export const endVitals = (): void => {
  if (vitals) {
    read(observer.takeRecords());
    // One interaction in 50 may be longer than what is told. Browsers that don't count them have the longest.
    vitals.inp = Object.values(longest)
      .sort((a, b) => b - a)
      .slice(0, ((performance as { interactionCount?: number }).interactionCount as number) / 50 + 1 || 1)
      .pop();
    enqueue(vitals);
    vitals = false;
  }
};

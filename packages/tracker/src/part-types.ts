/** The interface between the core and the parts. */
import type { Enqueue, PageView } from './wire.ts';

/**
 * The type of the browser's event, or `pageview`: another view of the same document begins. With `p` or later in the alphabet
 * the page is no longer seen, or wasn't until now; the others are of the visitor's attention. None: something goes or has changed.
 */
export type Moment = 'blur' | 'focus' | 'visibilitychange' | 'pagehide' | 'pageview';

/** Passes a moment to the part that measures. */
export type SeeMoment = (moment?: Moment) => void;

/**
 * Tells of a click or a submission. With the elements on its way, where an event has forgotten them: it has once everybody
 * has heard it.
 */
export type SeeClick = (
  event: Event & { button?: number },
  path?: EventTarget[],
  submitted?: boolean,
) => void;

export type Click = [event: Event, path: EventTarget[]];

/** Clicks, each with its path behind it. A part puts itself in the place of what it hears of. */
export interface Signals {
  push: (...click: Click) => unknown;
  see?: SeeMoment;
  splice: (start: 0) => (Click[0] | Click[1])[];
  readonly [index: number]: unknown;
}

/** What the core gives to a part that is a file of its own. */
export type Core = [
  settings: DOMStringMap,
  track: Vendor['track'],
  enqueue: Enqueue,
  measurable: () => PageView | false | undefined,
  signals: Signals,
  started: Moment | undefined,
];

/** The default export of such a file. */
export type Part = (...core: Core) => void;

/** What the core and the parts say to each other. */
import type { Enqueue, PageView } from './wire.ts';

/**
 * For what measures: `undefined`: something goes, or has changed; `false`: the visitor's attention may have changed; the page
 * is left: `0` for another view of the same document, `true` for good.
 */
export type Moment = undefined | boolean | 0;

/** Tells what measures. */
export type SeeMoment = (moment?: Moment) => void;

/** Tells of a click or a submission, with the elements on its way, which an event forgets once everybody has heard it. */
export type SeeClick = (event: { type: string; button?: number }, path: EventTarget[]) => void;

export type Click = Parameters<SeeClick>;

/** Clicks, each with its path behind it. A part puts itself in the place of what it hears of. */
export interface Signals {
  push: (...click: Click) => unknown;
  see?: SeeMoment;
  splice: (start: 0) => (Click[0] | Click[1])[];
  readonly [index: number]: unknown;
}

/** What a part that is a file of its own is handed. */
export type Core = [
  settings: DOMStringMap,
  track: Vendor['track'],
  enqueue: Enqueue,
  measurable: () => PageView | false | undefined,
  signals: Signals,
];

/** The default export of such a file. */
export type Part = (...core: Core) => void;

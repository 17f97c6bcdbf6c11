/** What the core tells the parts. */
import type { Enqueue, PageView } from './wire.ts';

/**
 * A moment for those who measure: `undefined` something goes or has changed, `null` all is forgotten; the visitor's attention
 * may have changed: `false`; the page is left: `0` for another view of the same document, `true` for good.
 */
export type Moment = undefined | null | boolean | 0;

/** A moment; or what the visitor did, with the elements on its way, which an event forgets once everybody has heard it. */
type Hear = (signal: Moment | Event, path?: EventTarget[]) => unknown;

/** Keeps what it is told, a path behind its event, until a part takes it out and puts its own `push` in front. */
export interface Signals {
  push: Hear;
  splice: (start: 0) => (Moment | Event | EventTarget[])[];
  readonly [index: number]: unknown;
}

/** The default export of each part. `current`: the page view that may be measured. */
export type Part = (
  signals: Signals,
  settings: DOMStringMap,
  track: Vendor['track'],
  enqueue: Enqueue,
  current: () => PageView | false | undefined,
) => void;

export const signals: Signals = [] as (Moment | Event | EventTarget[])[];

/** The interface between the core and the parts. */
import type { Enqueue, PageView, TrackerEvent } from './wire.ts';

/**
 * The type of a browser event, `pageview` for a new view of the same document, or `consent` before that changes. No moment: data is sent or the state changed.
 */
export type Moment =
  | 'blur'
  | 'focus'
  | 'visibilitychange'
  | 'pagehide'
  | 'pageview'
  | 'click'
  | 'online'
  | 'consent';

/** Passes a moment to the part that measures. */
export type SeeMoment = (moment?: Moment) => void;

/** Reports a click or a submission with the elements on its path: an event loses its path after it is dispatched. */
export type SeeClick = (event: Event & { button?: number }, path: EventTarget[]) => void;

/** What is called when something happens on the page. The part that measures puts itself in. */
export interface Signals {
  see?: SeeMoment;
}

/** What the core gives to a part that is a file of its own. */
export type Core = [
  settings: DOMStringMap,
  track: Vendor['track'],
  enqueue: Enqueue,
  measurable: () => PageView | false | undefined,
  signals: Signals,
  isSeenFromStart: () => boolean,
  own: typeof import('./own.ts').own,
];

/** What `data-debug` adds to the guard. */
export interface Debug {
  /** Why something isn't sent. `dropped`: by the function of `data-before-send`. */
  say: (why: 'excluded' | 'ignored' | 'dropped', event?: TrackerEvent) => void;
  /** Instead of `fetch`. */
  post: (url: URL, init: RequestInit) => Promise<Response>;
}

/**
 * Instead of `fetch`. `events`: those of the body as they wait in the queue, with their callbacks; none where the policy is asked for.
 * It takes out those that may not be sent, unless others go with them. `tier`: what is answered where nothing is sent.
 */
export type Send = (url: URL, init: RequestInit, events: TrackerEvent[], tier?: number) => Promise<Response>;

/** The default export of such a file. What it returns is described at `load`'s callers. */
export type Part = (...core: Core) => unknown;

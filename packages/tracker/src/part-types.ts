/** The interface between the core and the parts. */
import type { Enqueue, PageView, TrackerEvent } from './wire.ts';

/**
 * The type of a browser event, or `pageview` for a new view of the same document. From `p` on in the alphabet, the page is hidden or
 * was hidden until now; the others are about the visitor's attention. No moment: data is sent or the state changed.
 */
export type Moment = 'blur' | 'focus' | 'visibilitychange' | 'pagehide' | 'pageview';

/** Passes a moment to the part that measures. */
export type SeeMoment = (moment?: Moment) => void;

/** Reports a click or a submission with the elements on its path: an event loses its path after it is dispatched. */
export type SeeClick = (
  event: Event & { button?: number },
  path?: EventTarget[],
  submitted?: boolean,
) => void;

export type Click = [event: Event, path: EventTarget[]];

/** Clicks, each followed by its path. A part replaces `push` to receive them directly. */
export interface Signals {
  push: (...click: Click) => unknown;
  see?: SeeMoment;
  splice: (start: 0) => (Click[0] | Click[1])[];
  [name: string | number]: unknown;
}

/** What the core gives to a part that is a file of its own. */
export type Core = [
  settings: DOMStringMap,
  track: Vendor['track'],
  enqueue: Enqueue,
  measurable: () => PageView | false | undefined,
  signals: Pick<Signals, 'see'>,
  started: Moment | undefined,
  own: typeof import('./own.ts').own,
];

/** What `data-debug` adds to the guard. */
export interface Debug {
  /** Why something isn't sent. `dropped`: by the function of `data-before-send`. */
  say: (why: 'excluded' | 'ignored' | 'dropped', event?: TrackerEvent) => void;
  /** In place of `fetch`. */
  post: Send;
}

/** In place of `fetch`. `events`: those of the body as they wait in the queue, with their callbacks. */
export type Send = (url: URL, init: RequestInit, events?: TrackerEvent[] | false) => Promise<Response>;

/** The default export of such a file. What it returns is told at `load`'s callers. */
export type Part = (...core: Core) => unknown;

/** The shapes of docs/tracker-protocol.md#events, as this script sends and reads them. */

/** The server's answer: what it stores of this visitor. */
export interface Policy {
  maxTier: number;
  stop?: 'gpc' | 'policy';
  cap?: 'dnt';
}

/** Of `track`, with the policy inside, or of `policy`, which is the policy itself. */
export interface Answer extends Policy {
  policy?: Policy;
}

interface Identified {
  /** Given when it is queued. */
  id?: string;
  /** Of the present page view, unless it says another. */
  pageId?: string | undefined;
}

export interface PageView extends Identified {
  type: 'pageview';
  url: string;
  /** Empty when there is none. */
  referrer: string;
}

export interface CustomEvent extends Identified {
  type: 'event';
  url: string;
  name: string;
  props: VendorProps | undefined;
  revenue: VendorRevenue | undefined;
}

export interface Engagement extends Identified {
  type: 'engagement';
  url?: never;
  /** Engaged time since the last one of this page view. */
  seconds: number;
  /** Percent of the document's height. */
  scrollDepth: number;
}

/** Of the page view that the document was loaded for, when it is left or hidden for the first time. */
export interface Vitals extends Identified {
  type: 'vitals';
  url: string;
  /** Milliseconds, but for `cls`, which has no unit. */
  lcp?: number;
  inp?: number | undefined;
  cls?: number;
  fcp?: number;
  ttfb?: number;
}

export type TrackerEvent = PageView | CustomEvent | Engagement | Vitals;

export type Enqueue = (event: TrackerEvent) => void;

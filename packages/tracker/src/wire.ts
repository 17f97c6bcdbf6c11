/** The shapes of docs/tracker-protocol.md#events that this script sends and reads. */

/** The server's answer: the highest tier that it stores for this visitor. */
export interface Policy {
  maxTier: number;
  stop?: 'gpc' | 'policy';
  cap?: 'dnt';
}

/** The answer of `track` contains the policy; the answer of `policy` is the policy. */
export interface Answer extends Policy {
  policy?: Policy;
  /** What was changed, left out or dropped. */
  warnings?: string[];
}

interface Identified {
  /** Not sent: JSON has no functions. */
  callback?: (() => void) | undefined;
  /** Set when the event is queued. */
  id?: string;
  /** The id of the current page view, unless the event has another. */
  pageId?: string | undefined;
}

export interface PageView extends Identified {
  type: 'pageview';
  url: string;
  /** Empty when there is none. */
  referrer: string;
  props?: VendorProps | undefined;
}

export interface CustomEvent extends Identified {
  type: 'event';
  url: string;
  name: string;
  props: VendorProps | undefined;
  revenue: VendorRevenue | string | undefined;
  interactive?: boolean | undefined;
}

export interface Engagement extends Identified {
  type: 'engagement';
  url?: never;
  /** Engaged time since the last engagement event of this page view; none if it isn't there. */
  seconds?: number;
  /** Percent of the document's height. */
  scrollDepth?: number;
}

/** Belongs to the page view for which the document was loaded. Sent when the document is left or hidden for the first time. */
export interface Vitals extends Identified {
  type: 'vitals';
  url: string;
  /** Milliseconds, except `cls`, which has no unit. */
  lcp?: number;
  inp?: number | undefined;
  cls?: number;
  fcp?: number;
  ttfb?: number;
}

/** A request of the page, and the trace of the backend that answered it. */
export interface Association extends Identified {
  type: 'association';
  url?: never;
  /** 32 hexadecimal digits. */
  traceId: string;
  origin: string;
  status?: number | undefined;
  /** The id is that of a `traceparent` that the request carried; the response named none. */
  sent?: true | undefined;
}

/** Consent was given on this page, whose page view was counted before. */
export interface Consent extends Identified {
  type: 'consent';
  url: string;
}

export type TrackerEvent = PageView | CustomEvent | Engagement | Vitals | Association | Consent;

export type Enqueue = (event: TrackerEvent) => void;

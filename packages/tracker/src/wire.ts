/** The shapes of contract section 3, as this script sends and reads them. */

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
  id: string;
  pageId: string | undefined;
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
  /** Engaged time since the last one of this page view. */
  seconds: number;
  /** Percent of the document's height. */
  scrollDepth: number;
}

export type TrackerEvent = PageView | CustomEvent | Engagement;

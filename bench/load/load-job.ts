/** Messages to and from the process that generates load. */

export interface LoadJob {
  url: string;
  connections: number;
  seconds: number;
  /** Requests a second at even intervals, also while earlier ones wait for their answers. Default: as many as are answered. */
  perSecond?: number;
  request: LoadRequest;
  /** The status of an accepted request. */
  status: number;
}

/** A generated page view of one of these sites, or of this website of Umami; or always the same message, each time from another address. */
export type LoadRequest =
  | { siteIds: readonly string[] }
  | { websiteId: string }
  | { headers: Record<string, string>; body: string };

export interface LoadResult {
  /** A request that is answered with the job's status. */
  accepted: number;
  /** Number of answers by other status, and of connection errors. */
  others: Record<string, number>;
  /** Requests that weren't sent in time, since every connection waited for an answer. */
  heldBack: number;
  /** Median response time in milliseconds. */
  medianMs: number;
  /** The 95th percentile of the response time in milliseconds. */
  p95Ms: number;
  /** The 99th percentile of the response time in milliseconds. */
  p99Ms: number;
  seconds: number;
}

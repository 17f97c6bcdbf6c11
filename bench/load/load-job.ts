/** Messages to and from the process that generates load. */

export interface LoadJob {
  url: string;
  connections: number;
  seconds: number;
  request: LoadRequest;
  /** The status of an accepted request. */
  status: number;
}

/** A generated page view of this site, or always the same message, each time from another address. */
export type LoadRequest = { siteId: string } | { headers: Record<string, string>; body: string };

export interface LoadResult {
  /** A request that is answered with the job's status. */
  accepted: number;
  /** Number of answers by other status, and of connection errors. */
  others: Record<string, number>;
  /** Median response time in milliseconds. */
  medianMs: number;
  /** The 99th percentile of the response time in milliseconds. */
  p99Ms: number;
  seconds: number;
}

/** What the process that makes load is told, and what it tells. */

export interface LoadJob {
  url: string;
  connections: number;
  seconds: number;
  request: LoadRequest;
  /** The status of a request that counts as accepted. */
  status: number;
}

/** A page view of this site, made up each time; or the same message each time, from another address. */
export type LoadRequest = { siteId: string } | { headers: Record<string, string>; body: string };

export interface LoadResult {
  /** Answers with the job's status. */
  accepted: number;
  /** Answers of each other status, and errors of the connection. */
  others: Record<string, number>;
  /** Milliseconds until an answer was there, the median of all. */
  medianMs: number;
  /** The same, of the slowest in a hundred. */
  p99Ms: number;
  seconds: number;
}

/** What the process that makes load is told, and what it tells. */

export interface LoadJob {
  url: string;
  connections: number;
  seconds: number;
  /** Whose pages are viewed. */
  siteId: string;
}

export interface LoadResult {
  /** Answers with 202. */
  accepted: number;
  /** Answers of each other status, and errors of the connection. */
  others: Record<string, number>;
  seconds: number;
}

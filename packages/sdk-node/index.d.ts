/** Traces, logs, metrics and confirmed outcomes of a Node.js backend, sent to Vendor. See README.md. */

export interface StartOptions {
  /** Address of the service, such as `https://vendor.example`. Default: `VENDOR_ENDPOINT`. */
  endpoint?: string;
  /** An ingest key, `ving_…`. Default: `VENDOR_API_KEY`. Keep it out of code and browsers. */
  apiKey?: string;
  /** Default: `VENDOR_SERVICE_NAME`, then `OTEL_SERVICE_NAME`. */
  serviceName?: string;
  /** What is left out unless it is asked for. Default: the names in `VENDOR_REVEAL`, with commas between them. */
  reveal?: {
    /** What stands behind `?` in addresses: it may have names, tokens and search words. */
    queryStrings?: boolean;
    /** IP addresses of those who ask. */
    clientAddresses?: boolean;
    /** Browsers and programs of those who ask. */
    userAgents?: boolean;
    /** Messages of errors that nobody catches, and of requests that fail: they may have anything. */
    errorMessages?: boolean;
  };
  /**
   * Origins of pages, such as `https://shop.example`, that learn which trace answered their requests. Default: `VENDOR_PAGE_ORIGINS`, with
   * commas between them; without it none is.
   */
  pageOrigins?: readonly string[];
  /** How long `flush()` and `shutdown()` take at most, in milliseconds. Default: 2,000; at most 60,000. */
  shutdownMs?: number;
}

export interface Outcome {
  /** Who says so, such as `shop`. */
  source: string;
  /** Its id there: the same id is the same outcome, however often it is sent. */
  domainEventId: string;
  /** What happened, such as `order.paid`. */
  type: string;
  /** When it happened there: a text of RFC 3339 or a date. The same each time that the outcome is sent. */
  occurredAt: string | Date;
  /** A decimal number as text, such as `49.90`, with its currency. */
  value?: { amount: string; currency: string };
  /** Default: the id of the active trace, if it is sampled, together with the id of the active span. */
  traceId?: string;
  /** The site that earned it, if the key's project has it. */
  siteId?: string;
  /** Scalars by name. */
  attributes?: Record<string, string | number | boolean>;
}

/** `created`: stored now. `duplicate`: it was stored before, with the same content. */
export interface OutcomeResult {
  status: 'created' | 'duplicate';
}

/** An outcome that wasn't stored. */
export declare class OutcomeError extends Error {
  constructor(code: OutcomeError['code'], message: string);
  readonly name: 'OutcomeError';
  /**
   * - `conflict`: the id is known with other content.
   * - `invalid`: a field breaks a rule; the message names both.
   * - `refused`: the ingest key is wrong or may not send outcomes.
   * - `unavailable`: no answer within the time. It may have been stored; send it again.
   * - `inactive`: the SDK isn't started.
   */
  readonly code: 'conflict' | 'invalid' | 'refused' | 'unavailable' | 'inactive';
}

export interface Sdk {
  /** Sends what is left and ends, within `shutdownMs`. Never rejects. */
  shutdown(): Promise<void>;
  /** Sends what was collected so far, within `shutdownMs`: before a platform freezes the process. Never rejects. */
  flush(): Promise<void>;
  /** Names the route of the request that is being answered, such as `/orders/:id`. Elsewhere it does nothing. */
  setRoute(route: string): void;
  /** Stores an outcome. Rejects with an `OutcomeError`. */
  confirmOutcome(outcome: Outcome): Promise<OutcomeResult>;
}

/**
 * Starts collecting and sending. Never throws: what is wrong is said once on the error stream, and the application runs on. Called again, it
 * returns what the first call returned.
 */
export function start(options?: StartOptions): Sdk;

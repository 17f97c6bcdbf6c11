import { Redis } from '@upstash/redis/cloudflare';

export type { Redis };

export interface RedisAddress {
  /** The REST endpoint, `https://...`. */
  url: string;
  token: string;
}

/** Default time after which Redis counts as away for a command. */
export const REDIS_TIMEOUT_MS = 1000;
/**
 * The same for counting. Guesses wait as long; all else is decided after `PATIENCE_MS`, and its count is booked meanwhile. A Redis that
 * wasn't used for a while answers after a second.
 */
export const COUNT_TIMEOUT_MS = 3000;

/**
 * Redis over HTTP. Each command is one attempt of at most `timeoutMs` and then throws, because retries would overload a Redis in trouble.
 * The caller decides what happens then.
 */
export function connectRedis(address: RedisAddress, timeoutMs: number = REDIS_TIMEOUT_MS): Redis {
  return new Redis({
    ...address,
    // With `retry: false` this client still tries twice.
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(timeoutMs),
    enableTelemetry: false,
    automaticDeserialization: false,
  });
}

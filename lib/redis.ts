import { Redis } from '@upstash/redis/cloudflare';

export type { Redis };

export interface RedisAddress {
  /** The REST endpoint, `https://...`. */
  url: string;
  token: string;
}

/** How long a command may take before Redis counts as away, where nobody says otherwise. */
export const REDIS_TIMEOUT_MS = 1000;

/**
 * Redis over HTTP: each command is one attempt of at most `timeoutMs`, then it throws. Retries would pile up on a Redis
 * that is already in trouble; whoever calls decides what its absence means.
 */
export function connectRedis(address: RedisAddress, timeoutMs: number = REDIS_TIMEOUT_MS): Redis {
  return new Redis({
    ...address,
    // `retry: false` of this client still tries twice.
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(timeoutMs),
    enableTelemetry: false,
    automaticDeserialization: false,
  });
}

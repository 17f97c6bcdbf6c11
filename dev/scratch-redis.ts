import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import type { RealRedis } from '../tooling/upstash/real-redis.ts';

export interface ScratchRedis extends RealRedis {
  drop(): Promise<void>;
}

/** A private part of the Redis at `url`: keys with a prefix of their own. `drop` deletes these keys and no others. */
export function createScratchRedis(url: string, prefix = 'vendor_scratch'): ScratchRedis {
  const keyPrefix = `${prefix}_${randomBytes(6).toString('hex')}:`;
  return { url, keyPrefix, drop: () => unlinkAll(url, keyPrefix) };
}

/** Deletes the keys that begin with `keyPrefix`. */
export async function unlinkAll(url: string, keyPrefix: string): Promise<void> {
  const client = new Redis(url, { maxRetriesPerRequest: 0 });
  try {
    for await (const keys of client.scanStream({ match: `${keyPrefix}*`, count: 1000 })) {
      if (keys.length > 0) await client.unlink(keys);
    }
  } finally {
    client.disconnect();
  }
}

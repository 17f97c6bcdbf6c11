import type { Redis } from '@upstash/redis';

const DAY_MS = 86_400_000;
/** Contract section 3: at most 48 h after the day's beginning, if nobody forgot it before. */
const SALT_LIFETIME_MS = 2 * DAY_MS;
const SALT_BYTES = 32;

export interface SaltPorts {
  redis: Redis;
  /** The present instant, epoch milliseconds. */
  now: () => number;
}

/** The key of one UTC day's hashes. It can sign and nothing else, so that not even this isolate can read it again. */
export type DaySalt = CryptoKey;

/**
 * Gives the salt of the present UTC day. The first one to ask makes it, in one round trip whoever wins the race; the
 * isolate keeps it for the day alone. Throws what the Redis client throws when Redis is out of reach.
 */
export function createSaltSource({ redis, now }: SaltPorts): () => Promise<DaySalt> {
  let held: { day: string; salt: DaySalt } | undefined;
  return async () => {
    const at = now();
    const day = utcDay(at);
    if (held?.day === day) return held.salt;
    held = undefined;
    const salt = await importSalt(await agreeOnSalt(redis, at));
    held = { day, salt };
    return salt;
  };
}

async function agreeOnSalt(redis: Redis, at: number): Promise<string> {
  const key = saltKey(utcDay(at));
  const expiresInMs = startOfDay(at) + SALT_LIFETIME_MS - at;
  const [, salt] = await redis
    .multi()
    .set(key, randomSalt(), { nx: true, px: expiresInMs })
    .get<string>(key)
    .exec();
  if (typeof salt !== 'string') throw new Error("the day's salt is not in Redis right after it was set");
  return salt;
}

/** Forgets the salts of the days before, for good: nothing that bears the old hashes can be made again. */
export async function forgetSalts(redis: Redis, now: number): Promise<void> {
  const daysAgo = (days: number) => saltKey(utcDay(now - days * DAY_MS));
  await redis.del(daysAgo(1), daysAgo(2));
}

const startOfDay = (at: number): number => at - (at % DAY_MS);
const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
const saltKey = (day: string): string => `salt:${day}`;

function randomSalt(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  return btoa(String.fromCharCode(...bytes));
}

function importSalt(salt: string): Promise<DaySalt> {
  const bytes = Uint8Array.from(atob(salt), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

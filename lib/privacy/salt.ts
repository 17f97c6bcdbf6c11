import type { Redis } from '../redis.ts';

const DAY_MS = 86_400_000;
/** A salt ends 48 h after its day began, if it isn't deleted before (docs/tracker-protocol.md#visitors-and-sessions). */
export const SALT_LIFETIME_MS = 2 * DAY_MS;
const SALT_BYTES = 32;
/** After a failure Redis isn't asked for this long: a Redis in trouble makes one request slow, not each. */
const PAUSE_MS = 2_000;

/** The key of one UTC day's hashes. It can only sign: not even this isolate can read it. */
export type DaySalt = CryptoKey;

/**
 * Gives the salt of the UTC day of an instant (epoch milliseconds), by one command. The first request of a day makes it, and in a race
 * all get the same. An isolate keeps the salt of one day only. Throws when Redis is out of reach.
 */
export function createSaltSource(redis: Redis): (at: number) => Promise<DaySalt> {
  let held: { day: string; salt: DaySalt } | undefined;
  let pausedUntil = 0;
  return async (at) => {
    const day = utcDay(at);
    if (held?.day === day) return held.salt;
    held = undefined;
    if (at < pausedUntil) throw new Error('Redis was out of reach a moment ago.');
    try {
      const salt = await importSalt(await agreeOnSalt(redis, at));
      held = { day, salt };
      return salt;
    } catch (fault) {
      pausedUntil = at + PAUSE_MS;
      throw fault;
    }
  };
}

async function agreeOnSalt(redis: Redis, at: number): Promise<string> {
  const key = saltKey(utcDay(at));
  const known = await redis.get<string>(key);
  if (known !== null) return known;
  const expiresInMs = SALT_LIFETIME_MS - (at % DAY_MS);
  const pipeline = redis.pipeline();
  pipeline.set(key, randomSalt(), { nx: true, px: expiresInMs });
  pipeline.get<string>(key);
  const [, salt] = await pipeline.exec<[unknown, string | null]>();
  if (salt === null) throw new Error("The day's salt was gone right after it was set.");
  return salt;
}

/** Deletes the salts of the days before `now` for good: their hashes can't be made again. */
export async function forgetSalts(redis: Redis, now: number): Promise<void> {
  await redis.del(saltKey(utcDay(now - DAY_MS)), saltKey(utcDay(now - 2 * DAY_MS)));
}

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

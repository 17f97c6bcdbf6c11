import * as v from 'valibot';

/** Variables and secrets of the track function. */
export const Env = v.object({
  UPSTASH_REDIS_REST_URL: v.pipe(v.string(), v.url()),
  UPSTASH_REDIS_REST_TOKEN: v.pipe(v.string(), v.nonEmpty()),
  /** Keys the hashes that limits count client addresses by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Comma-separated parts of user agents that count as people although they look like robots. */
  BOT_EXCEPTIONS: v.optional(v.string(), ''),
});
export type Env = v.InferOutput<typeof Env>;

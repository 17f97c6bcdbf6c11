import * as v from 'valibot';
import { redisFields } from '../../lib/http/env-fields.ts';

/** Variables and secrets of the track function. */
export const Env = v.object({
  ...redisFields,
  /** Keys the hashes that limits count client addresses by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Comma-separated parts of user agents that count as people although they look like robots. */
  BOT_EXCEPTIONS: v.optional(v.string(), ''),
  /** Comma-separated numbers of networks (AS) that count as people's although servers are rented out there. */
  NETWORK_EXCEPTIONS: v.optional(v.pipe(v.string(), v.regex(/^[\d,\s]*$/)), ''),
});
export type Env = v.InferOutput<typeof Env>;

import * as v from 'valibot';
import { saltRedisFields } from '../../lib/http/env-fields.ts';

/** Variables and secrets of the track function. */
export const Env = v.object({
  ...saltRedisFields,
  /** Keys the hashes of client addresses that limits count by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Comma-separated parts of user agents that count as people although they look like robots. */
  BOT_EXCEPTIONS: v.optional(v.string(), ''),
  /** Comma-separated AS numbers of networks that count as people's networks although they rent out servers. */
  NETWORK_EXCEPTIONS: v.optional(v.pipe(v.string(), v.regex(/^[\d,\s]*$/)), ''),
});
export type Env = v.InferOutput<typeof Env>;

import * as v from 'valibot';
import { redisFields } from '../../lib/http/env-fields.ts';

/** Variables and secrets of the content function. */
export const Env = v.object({
  ...redisFields,
  /** The address that clients reach the service by. Its origin may ask, and documents name it. */
  CONTENT_URL: v.pipe(v.string(), v.url()),
  /** Comma-separated further origins whose pages may ask. */
  ALLOWED_ORIGINS: v.optional(v.string(), ''),
  /** Authenticates cursors. Another one makes those that were issued before invalid. */
  CURSOR_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Keys the hashes that limits count client addresses by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
});
export type Env = v.InferOutput<typeof Env>;

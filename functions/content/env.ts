import * as v from 'valibot';
import { redisFields } from '../../lib/http/env-fields.ts';

/** Variables and secrets of the content function. */
export const Env = v.object({
  ...redisFields,
  /** The address that clients use. Its origin may send requests, and documents name it. */
  CONTENT_URL: v.pipe(v.string(), v.url()),
  /** Comma-separated further origins whose pages may send requests. */
  ALLOWED_ORIGINS: v.optional(v.string(), ''),
  /** Authenticates cursors. A new key makes older cursors invalid. */
  CURSOR_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Keys the hashes of client addresses that limits count by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
});
export type Env = v.InferOutput<typeof Env>;

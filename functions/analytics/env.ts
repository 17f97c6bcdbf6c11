import * as v from 'valibot';
import { databaseFields, redisFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...redisFields,
  /** Keys the hashes that limits count client addresses by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Authenticates what opens shares with a password. Another one locks those that were opened before. */
  SHARE_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Authenticates cursors. Another one makes those that were issued before invalid. */
  CURSOR_KEY: v.pipe(v.string(), v.minLength(32)),
});
export type Env = v.InferOutput<typeof Env>;

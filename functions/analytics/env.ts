import * as v from 'valibot';
import { databaseFields, redisFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...redisFields,
  /** The address that browsers reach the service by: its pages alone may use a session. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
  /** Keys the hashes that limits count client addresses by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Authenticates what opens shares with a password. Another one locks those that were opened before. */
  SHARE_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Authenticates cursors. Another one makes those that were issued before invalid. */
  CURSOR_KEY: v.pipe(v.string(), v.minLength(32)),
});
export type Env = v.InferOutput<typeof Env>;

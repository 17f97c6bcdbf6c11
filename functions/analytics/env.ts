import * as v from 'valibot';
import { databaseFields, redisFields, replicaFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...replicaFields,
  ...redisFields,
  /** The address that browsers use. Only pages of this origin may use a session. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
  /** Keys the hashes of client addresses that limits count by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Authenticates tokens that open shares with a password. A new key locks opened shares again. */
  SHARE_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Authenticates cursors. A new key makes older cursors invalid. */
  CURSOR_KEY: v.pipe(v.string(), v.minLength(32)),
});
export type Env = v.InferOutput<typeof Env>;

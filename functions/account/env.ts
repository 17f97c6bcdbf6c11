import * as v from 'valibot';
import {
  channelFields,
  databaseFields,
  mailFields,
  peopleFields,
  redisFields,
} from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...redisFields,
  ...peopleFields,
  ...channelFields,
  ...mailFields,
  /** The address that browsers use. With `https` the session's cookie is `Secure`. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
  /** Authenticates cookies and encrypts second factors. */
  AUTH_KEY: v.pipe(v.string(), v.minLength(32)),
  /** The key before, as long as something of it is in use. Without it a new key signs everybody out and makes second factors useless. */
  AUTH_KEY_OLD: v.optional(v.pipe(v.string(), v.minLength(32))),
  /** Keys the hashes of client addresses that limits count by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
});
export type Env = v.InferOutput<typeof Env>;

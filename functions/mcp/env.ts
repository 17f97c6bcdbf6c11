import * as v from 'valibot';
import { databaseFields, redisFields, replicaFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...replicaFields,
  ...redisFields,
  /** The address that browsers use. Pages of other origins may not send requests. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
  /** Authenticates cursors. A new key makes older cursors invalid. */
  CURSOR_KEY: v.pipe(v.string(), v.minLength(32)),
});
export type Env = v.InferOutput<typeof Env>;

import * as v from 'valibot';
import { databaseFields, redisFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...redisFields,
  /** The address that browsers reach the service by: only its own pages may ask. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
});
export type Env = v.InferOutput<typeof Env>;

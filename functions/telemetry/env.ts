import * as v from 'valibot';
import { databaseFields, redisFields, replicaFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...replicaFields,
  ...redisFields,
  /** The address that browsers use. Only pages of this origin may send requests. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
});
export type Env = v.InferOutput<typeof Env>;

import * as v from 'valibot';
import { databaseFields, redisFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...redisFields,
  /** The address that visitors' browsers use. The snippet points there. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
  /** Makes the secrets of shares' links. */
  SHARE_KEY: v.pipe(v.string(), v.minLength(32)),
});
export type Env = v.InferOutput<typeof Env>;

import * as v from 'valibot';
import { peopleFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...peopleFields,
  /** The address that browsers use. It decides the name of the session's cookie. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
});
export type Env = v.InferOutput<typeof Env>;

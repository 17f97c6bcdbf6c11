import * as v from 'valibot';
import { channelFields, databaseFields, mailFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...channelFields,
  ...mailFields,
  /** The address that browsers use. Links in messages begin with it. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
  /** Who makes the requests to receivers, if not the platform, whose `fetch` reaches no private network (`tooling/egress`). */
  EGRESS_URL: v.optional(v.pipe(v.string(), v.url())),
  EGRESS_TOKEN: v.optional(v.string(), ''),
});
export type Env = v.InferOutput<typeof Env>;

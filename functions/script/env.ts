import * as v from 'valibot';

/** Files need no variable. */
export const Env = v.object({});
export type Env = v.InferOutput<typeof Env>;

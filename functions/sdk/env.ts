import * as v from 'valibot';

/** Static files need no variables. */
export const Env = v.object({});
export type Env = v.InferOutput<typeof Env>;

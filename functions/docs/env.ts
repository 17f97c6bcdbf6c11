import * as v from 'valibot';

/** The function needs no variables. */
export const Env = v.object({});
export type Env = v.InferOutput<typeof Env>;

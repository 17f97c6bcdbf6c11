import * as v from 'valibot';

/** The document and the 404 need no variable. */
export const Env = v.object({});
export type Env = v.InferOutput<typeof Env>;

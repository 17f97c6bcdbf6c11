import * as v from 'valibot';

export const Env = v.object({ NEEDED: v.string(), WISHED: v.optional(v.string()) });

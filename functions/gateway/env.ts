import * as v from 'valibot';

/** The gateway has no variables and no secrets, only bindings. */
export const Env = v.strictObject({});

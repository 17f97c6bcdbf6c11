import * as v from 'valibot';

/** The empty Worker has no vars and no secrets. */
export const Env = v.strictObject({});

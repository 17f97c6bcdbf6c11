import * as v from 'valibot';

/** The id in lower case, or undefined if the value isn't a UUID. Apart from `fields.ts`, so that `track` doesn't bundle that file. */
export const idFrom = (value: unknown): string | undefined =>
  v.is(v.pipe(v.string(), v.uuid()), value) ? value.toLowerCase() : undefined;

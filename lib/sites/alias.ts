import * as v from 'valibot';

/** What calls a site from outside: its id, or a name that its managers have given it. Lower case. */
export const Alias = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(253),
  v.regex(/^[\w.-]+$/, 'must be letters, digits, `.`, `-` and `_` alone'),
  v.transform((name) => name.toLowerCase()),
);

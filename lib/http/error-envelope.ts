import * as v from 'valibot';

/** The schema of the envelope of errors, for documents. */
export const ErrorBody = v.object({
  error: v.pipe(v.string(), v.description('A code, for programs.')),
  message: v.pipe(v.string(), v.description('A sentence, for people.')),
  details: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
});

import type { MiddlewareHandler } from 'hono';
import type * as v from 'valibot';
import { DomainError } from '../../lib/errors.ts';
import { check } from '../../lib/http/issues.ts';
import { isLanguage } from '../../lib/languages.ts';

/**
 * Checks a verb's input. Throws `NOT_FOUND` for a language that doesn't exist (docs/content.md#errors), and `VALIDATION_ERROR` for every
 * other fault.
 */
export function readInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): v.InferOutput<Schema> {
  if (typeof input === 'object' && input !== null && 'language' in input) requireKnown(input.language);
  return check(schema, input);
}

/** Throws `NOT_FOUND` if the query names a language that doesn't exist. */
export const requireKnownLanguage: MiddlewareHandler = async function requireKnownLanguage(c, next) {
  requireKnown(c.req.query('language'));
  await next();
};

function requireKnown(language: unknown): void {
  if (typeof language !== 'string' || isLanguage(language)) return;
  throw new DomainError(
    'NOT_FOUND',
    'There is no content in this language. There is content in en, es and pt-PT.',
  );
}

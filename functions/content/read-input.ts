import type { Context } from 'hono';
import * as v from 'valibot';
import { ContentId } from '../../lib/content/schemas.ts';
import { DomainError } from '../../lib/errors.ts';
import { check } from '../../lib/http/issues.ts';
import { readQuery } from '../../lib/http/read.ts';
import { isLanguage } from '../../lib/languages.ts';

/**
 * Checked input of a verb. A language outside the three is `NOT_FOUND` (docs/content.md#errors), anything else that is
 * wrong `VALIDATION_ERROR`.
 */
export function readInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): v.InferOutput<Schema> {
  if (typeof input === 'object' && input !== null && 'language' in input) requireKnown(input.language);
  return check(schema, input);
}

/** The same for a query, whose language is the parameter of that name. */
export function readContentQuery<Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
  languageParameter = 'language',
): v.InferOutput<Schema> {
  requireKnown(c.req.query(languageParameter));
  return readQuery(c, schema);
}

/** The id in the path. */
export const readContentId = (c: Context): string =>
  check(v.object({ id: ContentId }), { id: c.req.param('id') }).id;

function requireKnown(language: unknown): void {
  if (typeof language !== 'string' || isLanguage(language)) return;
  throw new DomainError(
    'NOT_FOUND',
    'There is no content in this language. There is content in en, es and pt-PT.',
  );
}

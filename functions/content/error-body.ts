import * as v from 'valibot';
import type { DomainError } from '../../lib/errors.ts';
import { messageOf } from '../../lib/http/http-errors.ts';
import { UNKNOWN_FIELD } from '../../lib/rules.ts';

/** The codes in docs/content.md#errors. */
const CODES = [
  'invalid_input',
  'invalid_cursor',
  'origin_denied',
  'not_found',
  'method_not_allowed',
  'revision_changed',
  'body_too_large',
  'rate_limited',
  'content_unavailable',
  'internal',
] as const;
export type ContentErrorCode = (typeof CODES)[number];

/** The body of every error (docs/content.md#errors), for documents and tests. */
export const ErrorBody = v.strictObject({
  error: v.strictObject({
    code: v.pipe(v.picklist(CODES), v.description('For programs.')),
    message: v.pipe(v.string(), v.description('A sentence, for people.')),
  }),
});
export type ContentError = v.InferOutput<typeof ErrorBody>['error'];

/** An error in this service's form, the same for REST and MCP: a code, and a sentence with the fields and their rules. */
export const describeError = (error: DomainError): ContentError => ({
  code: codeOf(error),
  message: sentenceOf(error),
});

export const errorBody = (error: DomainError): v.InferOutput<typeof ErrorBody> => ({
  error: describeError(error),
});

function codeOf({ code, details }: DomainError): ContentErrorCode {
  switch (code) {
    case 'VALIDATION_ERROR':
      return isAboutCursor(details) ? 'invalid_cursor' : 'invalid_input';
    case 'REGIONAL_NOT_ALLOWED':
    case 'UNSUPPORTED_MEDIA_TYPE':
      return 'invalid_input';
    case 'UNAUTHORIZED':
    case 'FORBIDDEN':
      return 'origin_denied';
    case 'NOT_FOUND':
      return 'not_found';
    case 'METHOD_NOT_ALLOWED':
      return 'method_not_allowed';
    case 'CONFLICT':
      return 'revision_changed';
    case 'PAYLOAD_TOO_LARGE':
      return 'body_too_large';
    case 'RATE_LIMITED':
      return 'rate_limited';
    case 'UNAVAILABLE':
      return 'content_unavailable';
    case 'INTERNAL_ERROR':
      return 'internal';
  }
}

/** A tool that takes no cursor has an unknown field of that name. */
const isAboutCursor = (details: DomainError['details'] = []): boolean =>
  details.length > 0 && details.every(({ path, message }) => path === 'cursor' && message !== UNKNOWN_FIELD);

function sentenceOf(error: DomainError): string {
  const { details } = error;
  if (details === undefined || details.length === 0) return messageOf(error);
  const sentences = details
    .map(({ path, message: rule }) => (path === '' ? rule : `\`${path}\` ${rule}`))
    .join('; ');
  return sentences.endsWith('?') ? sentences : `${sentences}.`;
}

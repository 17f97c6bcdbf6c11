import { DomainError, type ErrorCode, type ErrorDetail } from '../errors.ts';

/** The body of every error (docs/api.md#errors). */
export interface ErrorEnvelope {
  error: ErrorCode;
  message: string;
  details?: readonly ErrorDetail[];
}

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503;

/** The only function that maps a code to a status. The switch is exhaustive: a new code doesn't compile until it has a case here. */
export function statusOf(code: ErrorCode): ErrorStatus {
  switch (code) {
    case 'VALIDATION_ERROR':
    case 'REGIONAL_NOT_ALLOWED':
      return 400;
    case 'UNAUTHORIZED':
      return 401;
    case 'FORBIDDEN':
      return 403;
    case 'NOT_FOUND':
      return 404;
    case 'METHOD_NOT_ALLOWED':
      return 405;
    case 'CONFLICT':
      return 409;
    case 'PAYLOAD_TOO_LARGE':
      return 413;
    case 'UNSUPPORTED_MEDIA_TYPE':
      return 415;
    case 'RATE_LIMITED':
      return 429;
    case 'INTERNAL_ERROR':
      return 500;
    case 'UNAVAILABLE':
      return 503;
  }
}

const INTERNAL = new DomainError('INTERNAL_ERROR', 'Something went wrong on our side. It was logged.');

/** The error that the caller may see: a domain error as it is; any other error becomes a 500 without details. */
export function toDomainError(error: unknown): DomainError {
  return error instanceof DomainError ? error : INTERNAL;
}

export function envelopeOf(error: DomainError): ErrorEnvelope {
  const { code, details } = error;
  const message = messageOf(error);
  return details === undefined ? { error: code, message } : { error: code, message, details };
}

/** The error's sentence, with the seconds to wait: agents don't see `Retry-After`. */
export function messageOf({ message, retryAfterSeconds: seconds }: DomainError): string {
  if (seconds === undefined) return message;
  return `${message} Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} before the next try.`;
}

/** Headers of an error: when to retry (`Retry-After`), and how to authenticate (`WWW-Authenticate`). */
export function errorHeaders(error: DomainError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  if (error.code === 'UNAUTHORIZED') headers['WWW-Authenticate'] = 'Bearer';
  return headers;
}

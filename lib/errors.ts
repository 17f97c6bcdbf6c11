/** The coded errors of the domain. Transports map codes to statuses; nothing here knows of HTTP (docs/api.md#errors). */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'REGIONAL_NOT_ALLOWED'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE';

/** One broken rule: where it is and what it says. Never holds the input itself. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/**
 * An error that its caller may see. `message` is a plain sentence that says what to do next, without the input in it;
 * `cause` is the rich reason and goes to the log only.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: readonly ErrorDetail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const notFound = (what: string): DomainError => new DomainError('NOT_FOUND', `No such ${what}.`);

export const unavailable = (cause: unknown): DomainError =>
  new DomainError('UNAVAILABLE', 'A part of the service is out of reach. Nothing was changed; try again.', {
    retryAfterSeconds: 2,
    cause,
  });

/** Throws what is said of a `cursor` that isn't one. */
export function refuseCursor(): never {
  throw new DomainError(
    'VALIDATION_ERROR',
    'The service did not issue this cursor. Start again without it.',
    {
      details: [{ path: 'cursor', message: 'must be `nextCursor` of an answer, unchanged' }],
    },
  );
}

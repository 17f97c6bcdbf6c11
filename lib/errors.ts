/** The coded errors of the domain. Transports map codes to statuses; this file knows nothing of HTTP (docs/api.md#errors). */
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

/** One broken rule: its path and its message. Never holds the input itself. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/**
 * An error that the caller may see. `message` is a plain sentence that says what to do next, without the input. `cause` is the detailed
 * reason; only the log gets it.
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

/** A question met its deadline: it has too much to read, or the connection hangs. */
export class TooLate extends DomainError {
  constructor(cause: unknown) {
    super(
      'UNAVAILABLE',
      'The answer took too long. Nothing was changed. If it takes too long once more, ask for a shorter range.',
      { retryAfterSeconds: 2, cause },
    );
  }
}

export const notFound = (what: string): DomainError => new DomainError('NOT_FOUND', `No such ${what}.`);

export const noSuchTrace = (): DomainError =>
  new DomainError(
    'NOT_FOUND',
    'No such trace in this environment: it may belong to another one, be older than what is kept, or not have arrived yet.',
  );

export const unavailable = (cause: unknown): DomainError =>
  new DomainError('UNAVAILABLE', 'A part of the service is out of reach. Nothing was changed; try again.', {
    retryAfterSeconds: 2,
    cause,
  });

const MAYBE_STORED =
  'A part of the service is out of reach. What was sent may have been stored; send it again.';

/** For a call that failed after something was sent: nobody knows whether it was stored. */
export const maybeStored = (cause: unknown): DomainError =>
  new DomainError('UNAVAILABLE', MAYBE_STORED, { retryAfterSeconds: 2, cause });

/** The same error for a request that only reads: it changed nothing. */
export const forReader = (error: DomainError): DomainError =>
  error.message === MAYBE_STORED ? unavailable(error.cause) : error;

/** The error for a `cursor` of another request. */
export const otherRequest = (): DomainError =>
  new DomainError(
    'CONFLICT',
    'This cursor belongs to another request, or the data has changed since. Start again without `cursor`.',
  );

/** Throws the error for an invalid `cursor`. */
export function refuseCursor(): never {
  throw new DomainError(
    'VALIDATION_ERROR',
    'The service did not issue this cursor. Start again without it.',
    {
      details: [{ path: 'cursor', message: 'must be `nextCursor` of an answer, unchanged' }],
    },
  );
}

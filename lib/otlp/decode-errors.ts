import { DomainError } from '../errors.ts';

/** The body isn't a valid request of its kind. `path` names the place if it is known. The message never quotes the input. */
export function undecodable(message: string, path?: string): DomainError {
  return new DomainError(
    'VALIDATION_ERROR',
    'The body is not a valid OTLP request of this path.',
    path === undefined ? { cause: message } : { details: [{ path, message }], cause: message },
  );
}

export const tooLarge = (what: string): DomainError => new DomainError('PAYLOAD_TOO_LARGE', what);

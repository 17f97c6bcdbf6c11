import { isAPIError } from 'better-auth/api';
import { DomainError } from '../../errors.ts';

const wrong = (path: string, message: string): DomainError =>
  new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', {
    details: [{ path, message }],
  });

/** For the token of a link that isn't valid any more, or never was. */
export const wrongToken = (): DomainError => wrong('token', 'has been used, is over, or never was');

const LOCKED_SECONDS = 900;

/** Maps the library's error codes to ours. Codes that aren't listed are faults of the service. */
const ERRORS: Readonly<Record<string, (cause: unknown) => DomainError>> = {
  INVALID_EMAIL_OR_PASSWORD: () =>
    new DomainError('UNAUTHORIZED', 'No account has this e-mail address and this password.'),
  INVALID_PASSWORD: () => new DomainError('FORBIDDEN', 'This is not your password.'),
  INVALID_CODE: () => new DomainError('UNAUTHORIZED', 'This code is wrong or has expired.'),
  INVALID_BACKUP_CODE: () => new DomainError('UNAUTHORIZED', 'This code is wrong or has expired.'),
  INVALID_TWO_FACTOR_COOKIE: () => new DomainError('UNAUTHORIZED', 'Sign in with your password first.'),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () =>
    new DomainError('UNAUTHORIZED', 'Too many wrong codes. Sign in with your password again.'),
  ACCOUNT_TEMPORARILY_LOCKED: () =>
    new DomainError('RATE_LIMITED', 'Too many wrong codes.', {
      retryAfterSeconds: LOCKED_SECONDS,
    }),
  TOTP_ALREADY_ENABLED: () => new DomainError('CONFLICT', 'There is a second factor already.'),
  TOTP_NOT_ENABLED: () => new DomainError('CONFLICT', 'There is no second factor.'),
  BACKUP_CODES_NOT_ENABLED: () => new DomainError('CONFLICT', 'There is no second factor.'),
  // Another request used the same backup code at the same time.
  CONFLICT: () => new DomainError('UNAUTHORIZED', 'This code is wrong or has expired.'),
  UNAUTHORIZED: () => new DomainError('UNAUTHORIZED', 'Sign in.'),
};

/** Awaits a call of the library and turns its errors into ours. */
export async function askAuth<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const code = isAPIError(error) ? (error.body?.code ?? error.status) : undefined;
    throw ERRORS[String(code)]?.(error) ?? error;
  }
}

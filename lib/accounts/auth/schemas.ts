/** Signing in at the boundary. */
import * as v from 'valibot';
import { Id, Instant } from '../../fields.ts';

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;

/** As long as SMTP takes one (RFC 5321). */
const MAX_EMAIL_LENGTH = 254;

export const Email = v.pipe(
  v.string(),
  v.description('White space around it is cut, and case is nothing.'),
  v.trim(),
  v.minLength(3),
  v.maxLength(MAX_EMAIL_LENGTH),
  v.toLowerCase(),
  v.email('must be an e-mail address'),
);

const NewPassword = v.pipe(v.string(), v.minLength(MIN_PASSWORD_LENGTH), v.maxLength(MAX_PASSWORD_LENGTH));
/** One that is there already: what it was made by may be older than today's rule. */
const Password = v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_PASSWORD_LENGTH));

export const SignUp = v.strictObject({
  email: Email,
  password: NewPassword,
  name: v.optional(
    v.pipe(
      v.string(),
      v.description('Of the person, and of their first project. Default: from the address.'),
      v.trim(),
      v.minLength(1),
      v.maxLength(100),
    ),
  ),
});

export const SignIn = v.strictObject({ email: Email, password: Password });

export const SignInSecondFactor = v.strictObject({
  code: v.pipe(
    v.string(),
    v.description('6 digits from the authenticator app, or one of the backup codes, which works once.'),
    v.regex(/^(?:\d{6}|[A-Za-z0-9]{5}-[A-Za-z0-9]{5})$/, 'must be 6 digits or a backup code'),
  ),
});

export const SetUpSecondFactor = v.strictObject({ password: Password });

export const ConfirmSecondFactor = v.strictObject({
  code: v.pipe(v.string(), v.regex(/^\d{6}$/, 'must be 6 digits')),
});

export const RemoveSecondFactor = v.strictObject({ password: Password });

export const ChangePassword = v.strictObject({ currentPassword: Password, newPassword: NewPassword });

export const RequestPasswordReset = v.strictObject({ email: Email });

/** What the library makes for a mailed link. */
export const RESET_TOKEN = /^[A-Za-z0-9]{24}$/;

export const ResetPassword = v.strictObject({
  token: v.pipe(v.string(), v.description('What the link in the mail ends with.'), v.regex(RESET_TOKEN)),
  password: NewPassword,
});

export const Person = v.object({
  id: Id,
  email: v.string(),
  name: v.string(),
  secondFactor: v.pipe(v.boolean(), v.description('Signing in takes a code too.')),
  createdAt: Instant,
});
export type Person = v.InferOutput<typeof Person>;

export const SignedIn = v.object({
  user: v.nullable(Person),
  secondFactorRequired: v.pipe(
    v.boolean(),
    v.description(
      'The password was right, and nobody is signed in before `/api/auth/sign-in/second-factor`.',
    ),
  ),
});

/** Of verbs that name a session and nothing else. */
export const OneSession = v.strictObject({ sessionId: Id });
export type OneSession = v.InferOutput<typeof OneSession>;

export const Session = v.object({
  id: Id,
  browser: v.nullable(v.string()),
  os: v.nullable(v.string()),
  current: v.pipe(v.boolean(), v.description('The one that asks.')),
  createdAt: Instant,
  expiresAt: Instant,
});
export type Session = v.InferOutput<typeof Session>;

export const SecondFactorSetup = v.object({
  uri: v.pipe(v.string(), v.description('`otpauth://totp/...`, for an authenticator app to scan.')),
  backupCodes: v.pipe(v.array(v.string()), v.description('Shown this once. Each works once.')),
});
export type SecondFactorSetup = v.InferOutput<typeof SecondFactorSetup>;

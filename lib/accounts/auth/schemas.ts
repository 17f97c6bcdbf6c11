/** Schemas of signing up and signing in. */
import * as v from 'valibot';
import { Id, Instant } from '../../fields.ts';

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;

/** The maximum length in SMTP (RFC 5321). */
const MAX_EMAIL_LENGTH = 254;

export const Email = v.pipe(
  v.string(),
  v.description('White space around it is removed; upper and lower case are equal.'),
  v.trim(),
  v.minLength(3),
  v.maxLength(MAX_EMAIL_LENGTH),
  v.toLowerCase(),
  v.email('must be an e-mail address'),
);

const NewPassword = v.pipe(v.string(), v.minLength(MIN_PASSWORD_LENGTH), v.maxLength(MAX_PASSWORD_LENGTH));
/** An existing password: it may be older than today's rules for new passwords. */
const Password = v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_PASSWORD_LENGTH));

/** 32 random bytes in base64url. */
export const INVITATION_SECRET = /^[A-Za-z0-9_-]{43}$/;

export const InvitationSecret = v.pipe(
  v.string(),
  v.description('The part of the invitation’s link after the `#`.'),
  v.regex(INVITATION_SECRET),
);

/** When it ends, in epoch seconds, and a MAC of that in base64url. */
export const FIRST_OWNER_TOKEN = /^(\d{10})\.([\w-]{43})$/;

export const SignUp = v.strictObject({
  email: Email,
  password: NewPassword,
  name: v.optional(
    v.pipe(
      v.string(),
      v.description('The name of the person and of their first project. Default: from the address.'),
      v.trim(),
      v.minLength(1),
      v.maxLength(100),
    ),
  ),
  invitation: v.optional(
    v.pipe(
      InvitationSecret,
      v.description('An open invitation’s secret: needed where sign-up is closed. It isn’t used up.'),
    ),
  ),
  firstOwner: v.optional(
    v.pipe(
      v.string(),
      v.description('What the first owner’s link has after `#first-owner=`. `npm start` prints that link.'),
      v.regex(FIRST_OWNER_TOKEN),
    ),
  ),
});
export type SignUp = v.InferOutput<typeof SignUp>;

export const SignIn = v.strictObject({ email: Email, password: Password });
export type SignIn = v.InferOutput<typeof SignIn>;

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

export const ProveSession = v.strictObject({
  proof: v.pipe(
    v.string(),
    v.description(
      'With a second factor: 6 digits from the authenticator app, or a backup code. Without one: the password.',
    ),
    v.minLength(1),
    v.maxLength(MAX_PASSWORD_LENGTH),
  ),
});

export const RemoveSecondFactor = v.strictObject({ password: Password });

export const ChangePassword = v.strictObject({
  currentPassword: Password,
  newPassword: NewPassword,
  revokeKeys: v.optional(
    v.pipe(
      v.boolean(),
      v.description('Also revokes all API keys, query tokens and open invitations of the person.'),
    ),
    false,
  ),
});

export const DeleteAccount = v.strictObject({ password: Password });

export const RequestPasswordReset = v.strictObject({ email: Email });
export type RequestPasswordReset = v.InferOutput<typeof RequestPasswordReset>;

/** The longest address makes a token of about 500 characters. */
const MAX_CONFIRMATION_LENGTH = 640;

/** The token of a mailed link that confirms an address: a JWT, as the library makes it. */
export const CONFIRMATION_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{43}$/;

export const ConfirmEmail = v.strictObject({
  token: v.pipe(
    v.string(),
    v.description('The last part of the mailed link.'),
    v.maxLength(MAX_CONFIRMATION_LENGTH),
    v.regex(CONFIRMATION_TOKEN),
  ),
});
export type ConfirmEmail = v.InferOutput<typeof ConfirmEmail>;

/** The token of a mailed link that resets a password. */
export const RESET_TOKEN = /^[A-Za-z0-9]{24}$/;

export const ResetPassword = v.strictObject({
  token: v.pipe(v.string(), v.description('The last part of the mailed link.'), v.regex(RESET_TOKEN)),
  password: NewPassword,
});
export type ResetPassword = v.InferOutput<typeof ResetPassword>;

export const Person = v.object({
  id: Id,
  email: v.string(),
  name: v.string(),
  emailConfirmed: v.pipe(
    v.boolean(),
    v.description('False: the person may sign in, and change nothing before the address is confirmed.'),
  ),
  secondFactor: v.pipe(v.boolean(), v.description('Signing in also needs a code.')),
  createdAt: Instant,
});
export type Person = v.InferOutput<typeof Person>;

export const SignedIn = v.object({
  user: v.nullable(Person),
  secondFactorRequired: v.pipe(
    v.boolean(),
    v.description('The password was right. The sign-in ends with `/api/auth/sign-in/second-factor`.'),
  ),
});
export type SignedIn = v.InferOutput<typeof SignedIn>;

/** Input of verbs that need only a session's id. */
export const OneSession = v.strictObject({ sessionId: Id });
export type OneSession = v.InferOutput<typeof OneSession>;

export const Session = v.object({
  id: Id,
  browser: v.nullable(v.string()),
  os: v.nullable(v.string()),
  current: v.pipe(v.boolean(), v.description('The session of this request.')),
  createdAt: Instant,
  expiresAt: Instant,
});
export type Session = v.InferOutput<typeof Session>;

export const SecondFactorSetup = v.object({
  uri: v.pipe(v.string(), v.description('`otpauth://totp/...`, for an authenticator app to scan.')),
  backupCodes: v.pipe(v.array(v.string()), v.description('Shown this once. Each works once.')),
});
export type SecondFactorSetup = v.InferOutput<typeof SecondFactorSetup>;

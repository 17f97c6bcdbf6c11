import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Sql } from '../../db.ts';
import type { Language } from '../../languages.ts';
import type { SendMail } from '../../mail.ts';
import { MAILS } from '../../mails.ts';
import { authAdapter } from './adapter.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './schemas.ts';
import { COOKIE_PREFIX } from './session-cookie.ts';

export interface AuthOptions {
  sql: Sql;
  /** Authenticates cookies and encrypts second factors (AUTH_KEY). */
  secret: string;
  /** Where browsers reach the service, without a final slash. With `https` the cookies are `Secure`. */
  publicUrl: string;
  sendMail: SendMail;
  /** Told of a mail that could not be sent: the answer is the same, so that it tells nobody who has an account. */
  onLostMail: (error: unknown) => void;
  /** In which language to write to whoever asks. */
  languageOf: (request: Request | undefined) => Language;
}

const DAY_SECONDS = 24 * 60 * 60;
const RESET_SECONDS = 60 * 60;

/**
 * Signing in, by better-auth: called by our routes, which check what comes in; none of its own are served. Passwords are hashed
 * by native scrypt (N 16384, r 16, p 1: 32 MiB). Sessions end 14 days after their last day of use.
 */
export function createAuth({ sql, secret, publicUrl, sendMail, onLostMail, languageOf }: AuthOptions) {
  return betterAuth({
    appName: 'Vendor',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    database: authAdapter(sql),
    // It writes addresses of people into its lines. What goes wrong is thrown, and logged by us.
    logger: { disabled: true },
    telemetry: { enabled: false },
    // Counted by our own limits, which refuse when nobody can count.
    rateLimit: { enabled: false },
    session: { expiresIn: 14 * DAY_SECONDS, updateAge: DAY_SECONDS },
    verification: { storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }, request) =>
        sendMail({
          to: user.email,
          ...MAILS[languageOf(request)].passwordReset(`${publicUrl}/reset-password#${token}`),
        }).catch(onLostMail),
    },
    plugins: [twoFactor({ issuer: 'Vendor' })],
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      database: { generateId: 'uuid' },
      ipAddress: { disableIpTracking: true },
    },
  });
}

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
  /** The address that browsers use, without a final slash. With `https` the cookies are `Secure`. */
  publicUrl: string;
  sendMail: SendMail;
  /** Called when a mail could not be sent. The answer stays the same, so that it doesn't show who has an account. */
  onLostMail: (error: unknown) => void;
  /** The language for mails to the sender of the request. */
  languageOf: (request: Request | undefined) => Language;
}

const DAY_SECONDS = 24 * 60 * 60;
const RESET_SECONDS = 60 * 60;

/**
 * Signing in, by better-auth. Our routes check the input and call it; none of its own routes is served. It hashes passwords with native
 * scrypt (N 16384, r 16, p 1: 32 MiB). Sessions end 14 days after the last day of use.
 */
export function createAuth({ sql, secret, publicUrl, sendMail, onLostMail, languageOf }: AuthOptions) {
  return betterAuth({
    appName: 'Vendor',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    database: authAdapter(sql),
    // The library's log lines contain e-mail addresses. We log its errors ourselves.
    logger: { disabled: true },
    telemetry: { enabled: false },
    // Our own limits count requests, and they refuse when nothing can be counted.
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

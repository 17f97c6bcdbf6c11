import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Sql } from '../../db.ts';
import { authAdapter } from './adapter.ts';
import type { AuthKeys } from './auth-keys.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './schemas.ts';
import { cookiePrefixOf, isSecure } from './session-cookie.ts';

export interface AuthOptions {
  sql: Sql;
  /** Authenticate cookies and encrypt second factors. */
  keys: AuthKeys;
  /** The address that browsers use, without a final slash. With `https` the cookies are `Secure`. */
  publicUrl: string;
  /** Uses a code of a person's authenticator app up. Returns false if it was used before. */
  useCode: (userId: string, code: string) => Promise<boolean>;
}

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Signing in, by better-auth. Our routes check the input and call it; none of its own routes is served. It hashes passwords with native
 * scrypt (N 16384, r 16, p 1: 32 MiB). Sessions end 14 days after the last day of use. Links that reset a password are our own
 * (password-reset.ts), because the library's reset isn't one transaction.
 */
export function createAuth({ sql, keys, publicUrl, useCode }: AuthOptions) {
  return betterAuth({
    appName: 'Vendor',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret: keys.current,
    database: authAdapter(sql, keys),
    // The library's log lines contain e-mail addresses. We log its errors ourselves.
    logger: { disabled: true },
    telemetry: { enabled: false },
    // Our own limits count requests, and they refuse when nothing can be counted.
    rateLimit: { enabled: false },
    session: { expiresIn: 14 * DAY_SECONDS, updateAge: DAY_SECONDS },
    verification: { storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      // Accounts are made by our own statement (sign-up.ts).
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
    },
    hooks: { before: useCodesOnce(useCode) },
    plugins: [twoFactor({ issuer: 'Vendor' })],
    advanced: {
      // The library's own prefix would be `__Secure-`.
      useSecureCookies: false,
      cookiePrefix: cookiePrefixOf(publicUrl),
      defaultCookieAttributes: { secure: isSecure(publicUrl) },
      database: { generateId: 'uuid' },
      ipAddress: { disableIpTracking: true },
    },
  });
}

/** Refuses a code that the person used before, which the library would take for 90 seconds (RFC 6238 section 5.2). */
const useCodesOnce = (useCode: AuthOptions['useCode']) =>
  createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/two-factor/verify-totp') return;
    const session = await getSessionFromCtx(ctx);
    const { name } = ctx.context.createAuthCookie('two_factor');
    const challenge = session ? null : await ctx.getSignedCookie(name, ctx.context.secret);
    const found = challenge ? await ctx.context.internalAdapter.findVerificationValue(challenge) : null;
    const userId = session?.user.id ?? found?.value;
    // Without a person the library refuses the code.
    if (userId === undefined || (await useCode(userId, ctx.body.code))) return;
    throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE' });
  });

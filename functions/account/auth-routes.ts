import type { Context } from 'hono';
import { askAuth } from '../../lib/accounts/auth/api-error.ts';
import { toPerson } from '../../lib/accounts/auth/person.ts';
import { requireAllowed } from '../../lib/http/rate-limit.ts';
import { addRoutes } from '../../lib/http/routes.ts';
import { authRoutes } from './auth-contract.ts';
import { GUESSES } from './limits.ts';
import { type AccountApp, everybody, type Resources } from './resources.ts';

/** Copies the library's cookies to the answer and returns the library's result. */
export function takeCookies<T>(c: Context, { headers, response }: { headers: Headers; response: T }): T {
  for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true });
  return response;
}

/** Counts a guess at an account, by its e-mail address or its person's id. This limit comes on top of the one in the headers. */
export async function countGuess(c: { var: { resources: Resources } }, account: string): Promise<void> {
  const { addressKey, limiterOf } = c.var.resources;
  requireAllowed(await limiterOf(GUESSES).take(await addressKey(undefined, account)), 'refuse');
}

/** Arguments for library calls that may set cookies. */
export const askOf = (c: Context) => ({ headers: c.req.raw.headers, returnHeaders: true as const });

/** Signing up and in, for people who aren't signed in. The contract checks bodies; the library never gets the request itself. */
export const addAuthRoutes = (app: AccountApp): void =>
  addRoutes(app, authRoutes, everybody, {
    signUp: async (_, { email, password, name = email.slice(0, email.indexOf('@')) }, c) => {
      const { api } = c.var.resources.auth;
      const body = { email, password, name };
      const { user } = takeCookies(c, await askAuth(api.signUpEmail({ body, ...askOf(c) })));
      return { data: { user: toPerson(user), secondFactorRequired: false } };
    },
    signIn: async (_, body, c) => {
      await countGuess(c, body.email);
      const { api } = c.var.resources.auth;
      const answer = takeCookies(c, await askAuth(api.signInEmail({ body, ...askOf(c) })));
      // With a second factor the result has no user, because nobody is signed in yet.
      const user = 'twoFactorRedirect' in answer ? null : toPerson(answer.user);
      return { data: { user, secondFactorRequired: user === null } };
    },
    signInSecondFactor: async (_, body, c) => {
      const { api } = c.var.resources.auth;
      const isBackup = body.code.includes('-');
      const { user } = isBackup
        ? takeCookies(c, await askAuth(api.verifyBackupCode({ body, ...askOf(c) })))
        : takeCookies(c, await askAuth(api.verifyTOTP({ body, ...askOf(c) })));
      return { data: { user: toPerson(user), secondFactorRequired: false } };
    },
    requestPasswordReset: async (_, body, c) => {
      await countGuess(c, body.email);
      const { api } = c.var.resources.auth;
      await askAuth(api.requestPasswordReset({ body, request: c.req.raw }));
    },
    resetPassword: async (_, { token, password }, c) => {
      const { api } = c.var.resources.auth;
      const body = { token, newPassword: password };
      await askAuth(api.resetPassword({ body, headers: c.req.raw.headers }));
    },
  });

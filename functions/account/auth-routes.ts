import type { Context } from 'hono';
import { askAuth } from '../../lib/accounts/auth/api-error.ts';
import { toPerson } from '../../lib/accounts/auth/person.ts';
import {
  PasswordReset,
  ResetRequest,
  SecondFactorCode,
  SigningIn,
  SigningUp,
} from '../../lib/accounts/auth/schemas.ts';
import { requireAllowed } from '../../lib/http/rate-limit.ts';
import { NoQuery, readJson, readQuery } from '../../lib/http/read.ts';
import type { AccountApp, Guards } from './guards.ts';
import type { Resources } from './resources.ts';

/** Hands the cookies that the library sets to the browser; returns what else it answered. */
export function takeCookies<T>(c: Context, { headers, response }: { headers: Headers; response: T }): T {
  for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true });
  return response;
}

/** Counts a guess at an account, by its e-mail address or its person's id. Beside the limit that the headers tell of. */
export async function countGuess(c: { var: { resources: Resources } }, account: string): Promise<void> {
  const { addressKey, guessLimiter } = c.var.resources;
  requireAllowed(await guessLimiter.take(await addressKey(undefined, account)), 'refuse');
}

/** What the library is handed of a request whose answer may set cookies. */
export const askOf = (c: Context) => ({ headers: c.req.raw.headers, returnHeaders: true as const });

/** Signing up and in, for who isn't signed in. Bodies are checked here; the library never sees a request itself. */
export function addAuthRoutes(app: AccountApp, { limitAddress }: Guards) {
  return app
    .post('/api/auth/sign-up', limitAddress, async (c) => {
      readQuery(c, NoQuery);
      const { email, password, name = email.slice(0, email.indexOf('@')) } = await readJson(c, SigningUp);
      const { api } = c.var.resources.auth;
      const body = { email, password, name };
      const { user } = takeCookies(c, await askAuth(api.signUpEmail({ body, ...askOf(c) })));
      return c.json({ data: { user: toPerson(user), secondFactorRequired: false } }, 201);
    })
    .post('/api/auth/sign-in', limitAddress, async (c) => {
      readQuery(c, NoQuery);
      const body = await readJson(c, SigningIn);
      await countGuess(c, body.email);
      const { api } = c.var.resources.auth;
      const answer = takeCookies(c, await askAuth(api.signInEmail({ body, ...askOf(c) })));
      // With a second factor the answer has no user: nobody is signed in yet.
      const user = 'twoFactorRedirect' in answer ? null : toPerson(answer.user);
      return c.json({ data: { user, secondFactorRequired: user === null } });
    })
    .post('/api/auth/sign-in/second-factor', limitAddress, async (c) => {
      readQuery(c, NoQuery);
      const body = await readJson(c, SecondFactorCode);
      const { api } = c.var.resources.auth;
      const isBackup = body.code.includes('-');
      const { user } = isBackup
        ? takeCookies(c, await askAuth(api.verifyBackupCode({ body, ...askOf(c) })))
        : takeCookies(c, await askAuth(api.verifyTOTP({ body, ...askOf(c) })));
      return c.json({ data: { user: toPerson(user), secondFactorRequired: false } });
    })
    .post('/api/auth/password/reset-request', limitAddress, async (c) => {
      readQuery(c, NoQuery);
      const body = await readJson(c, ResetRequest);
      await countGuess(c, body.email);
      const { api } = c.var.resources.auth;
      await askAuth(api.requestPasswordReset({ body, request: c.req.raw }));
      return c.body(null, 202);
    })
    .post('/api/auth/password/reset', limitAddress, async (c) => {
      readQuery(c, NoQuery);
      const { token, password } = await readJson(c, PasswordReset);
      const { api } = c.var.resources.auth;
      const body = { token, newPassword: password };
      await askAuth(api.resetPassword({ body, headers: c.req.raw.headers }));
      return c.body(null, 204);
    });
}

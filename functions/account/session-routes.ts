import { askAuth } from '../../lib/accounts/auth/api-error.ts';
import { toPerson } from '../../lib/accounts/auth/person.ts';
import { PasswordChange, PasswordOnly, TotpCode } from '../../lib/accounts/auth/schemas.ts';
import { listSessions, revokeOtherSessions, revokeSession } from '../../lib/accounts/sessions.ts';
import { DomainError } from '../../lib/errors.ts';
import { NoQuery, readId, readJson, readQuery } from '../../lib/http/read.ts';
import { askOf, countGuess, takeCookies } from './auth-routes.ts';
import type { AccountApp, Guards } from './guards.ts';
import { contextOf } from './resources.ts';

/** What a person who is signed in does about signing in. Passwords that are asked again count as guesses at the account. */
export function addSessionRoutes(app: AccountApp, { gate, limit }: Guards) {
  return app
    .get('/api/auth/session', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const { api } = c.var.resources.auth;
      const session = takeCookies(c, await askAuth(api.getSession(askOf(c))));
      if (session === null) throw new DomainError('UNAUTHORIZED', 'Sign in at `/api/auth/sign-in`.');
      return c.json({ data: toPerson(session.user) });
    })
    .post('/api/auth/sign-out', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const { api } = c.var.resources.auth;
      takeCookies(c, await askAuth(api.signOut(askOf(c))));
      return c.body(null, 204);
    })
    .get('/api/auth/sessions', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listSessions(contextOf(c)) });
    })
    .delete('/api/auth/sessions', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await revokeOtherSessions(contextOf(c));
      return c.body(null, 204);
    })
    .delete('/api/auth/sessions/:sessionId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await revokeSession(contextOf(c), readId(c, 'sessionId', 'session'));
      return c.body(null, 204);
    })
    .post('/api/auth/password', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const change = await readJson(c, PasswordChange);
      await countGuess(c, c.var.actor.userId);
      const { api } = c.var.resources.auth;
      const body = { ...change, revokeOtherSessions: true };
      takeCookies(c, await askAuth(api.changePassword({ body, ...askOf(c) })));
      return c.body(null, 204);
    })
    .post('/api/auth/second-factor', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const body = await readJson(c, PasswordOnly);
      await countGuess(c, c.var.actor.userId);
      const { api } = c.var.resources.auth;
      const made = await askAuth(api.enableTwoFactor({ body, headers: c.req.raw.headers }));
      if (made.method !== 'totp') throw new Error('The library made another second factor than asked for.');
      return c.json({ data: { uri: made.totpURI, backupCodes: made.backupCodes } }, 201);
    })
    .post('/api/auth/second-factor/confirm', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const body = await readJson(c, TotpCode);
      await countGuess(c, c.var.actor.userId);
      const { api } = c.var.resources.auth;
      takeCookies(c, await askAuth(api.verifyTOTP({ body, ...askOf(c) })));
      return c.body(null, 204);
    })
    .post('/api/auth/second-factor/remove', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const body = await readJson(c, PasswordOnly);
      await countGuess(c, c.var.actor.userId);
      const { api } = c.var.resources.auth;
      takeCookies(c, await askAuth(api.disableTwoFactor({ body, ...askOf(c) })));
      return c.body(null, 204);
    });
}

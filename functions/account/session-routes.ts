import { deleteAccount, getAccountDeletion } from '../../lib/accounts/account-deletion.ts';
import { askAuth } from '../../lib/accounts/auth/api-error.ts';
import { confirmEmail, requestConfirmation } from '../../lib/accounts/auth/email-confirmation.ts';
import { toPerson } from '../../lib/accounts/auth/person.ts';
import { hasSecondFactor, noteProof, requireCode, voidProofs } from '../../lib/accounts/proofs.ts';
import { revokeAllKeys } from '../../lib/accounts/revoke-keys.ts';
import {
  listSessions,
  notSignedIn,
  revokeOtherSessions,
  revokeSession,
} from '../../lib/accounts/sessions.ts';
import { addRoutes, data } from '../../lib/http/add-routes.ts';
import { askOf, countGuess, headersOf, takeCookies } from './auth-routes.ts';
import { PROOFS } from './limits.ts';
import { count } from './mailer.ts';
import { type AccountApp, people } from './resources.ts';
import { sessionRoutes } from './session-contract.ts';

/** Routes for the session, the password and the second factor. A password that is asked for again counts as a guess at the account. */
export const addSessionRoutes = (app: AccountApp): void =>
  addRoutes(app, sessionRoutes, people, {
    getSession: async (_ctx, _input, c) => {
      const { api } = c.var.resources.auth;
      const session = takeCookies(c, await askAuth(api.getSession(await askOf(c))));
      if (session === null) throw notSignedIn();
      return { data: toPerson(session.user) };
    },
    requestEmailConfirmation: requestConfirmation,
    confirmEmail,
    signOut: async (_ctx, _input, c) => {
      const { api } = c.var.resources.auth;
      takeCookies(c, await askAuth(api.signOut(await askOf(c))));
    },
    listSessions: data(listSessions),
    revokeOtherSessions,
    revokeSession,
    changePassword: async (ctx, { revokeKeys, ...change }, c) => {
      await countGuess(c, ctx.actor.userId);
      await requireCode(ctx);
      const { api } = c.var.resources.auth;
      const body = { ...change, revokeOtherSessions: true };
      takeCookies(c, await askAuth(api.changePassword({ body, ...(await askOf(c)) })));
      if (revokeKeys) await revokeAllKeys(ctx);
    },
    setUpSecondFactor: async ({ actor }, body, c) => {
      await countGuess(c, actor.userId);
      const { api } = c.var.resources.auth;
      const made = await askAuth(api.enableTwoFactor({ body, headers: await headersOf(c) }));
      if (made.method !== 'totp') throw new Error('The library made another second factor than asked for.');
      return { data: { uri: made.totpURI, backupCodes: made.backupCodes } };
    },
    confirmSecondFactor: async (ctx, body, c) => {
      await countGuess(c, ctx.actor.userId);
      // The library gives this browser a new session, which begins with the code.
      await voidProofs(ctx);
      const { api } = c.var.resources.auth;
      takeCookies(c, await askAuth(api.verifyTOTP({ body, ...(await askOf(c)) })));
    },
    proveSession: async (ctx, { proof }, c) => {
      await count(c.var.resources, PROOFS, ctx.actor.userId);
      const { api } = c.var.resources.auth;
      const headers = await headersOf(c);
      if (!(await hasSecondFactor(ctx)))
        await askAuth(api.verifyPassword({ body: { password: proof }, headers }));
      else if (proof.includes('-')) await askAuth(api.verifyBackupCode({ body: { code: proof }, headers }));
      else await askAuth(api.verifyTOTP({ body: { code: proof }, headers }));
      await noteProof(ctx);
    },
    removeSecondFactor: async (ctx, body, c) => {
      await countGuess(c, ctx.actor.userId);
      await requireCode(ctx);
      const { api } = c.var.resources.auth;
      takeCookies(c, await askAuth(api.disableTwoFactor({ body, ...(await askOf(c)) })));
    },
    getAccountDeletion: data(getAccountDeletion),
    deleteAccount: async (ctx, body, c) => {
      await countGuess(c, ctx.actor.userId);
      const { api } = c.var.resources.auth;
      await askAuth(api.verifyPassword({ body, headers: await headersOf(c) }));
      await deleteAccount(ctx);
      takeCookies(c, await askAuth(api.signOut(await askOf(c))));
    },
  });

import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { askAuth } from '../../lib/accounts/auth/api-error.ts';
import { mailConfirmation } from '../../lib/accounts/auth/email-confirmation.ts';
import { isKnownBrowser, markBrowser } from '../../lib/accounts/auth/known-browser.ts';
import { createPasswordReset, resetPassword } from '../../lib/accounts/auth/password-reset.ts';
import { toPerson } from '../../lib/accounts/auth/person.ts';
import { renewCookies } from '../../lib/accounts/auth/renew-cookies.ts';
import type { SignedIn, SignIn } from '../../lib/accounts/auth/schemas.ts';
import { isSecure } from '../../lib/accounts/auth/session-cookie.ts';
import { signUp, signUpClosed } from '../../lib/accounts/auth/sign-up.ts';
import { addRoutes } from '../../lib/http/add-routes.ts';
import { clientAddress } from '../../lib/http/client-address.ts';
import type { Passed } from '../../lib/http/doors.ts';
import { requireAllowed } from '../../lib/http/rate-limit.ts';
import { MAILS } from '../../lib/mails.ts';
import { authRoutes } from './auth-contract.ts';
import { GUESSES, KNOWN_GUESSES, SIGN_UPS } from './limits.ts';
import { count } from './mailer.ts';
import { type AccountApp, everybody, languageOf, type Resources, requireMailer } from './resources.ts';

type Signing = Passed<Resources>;
/** What the library needs of a request, whoever sent it. */
type Asking = Pick<Context, 'req'> & { var: { resources: Resources } };

/** Copies the library's cookies to the answer and returns the library's result. */
export function takeCookies<T>(c: Context, { headers, response }: { headers: Headers; response: T }): T {
  for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true });
  return response;
}

/** Browsers keep a cookie for 400 days at most. */
const KNOWN_SECONDS = 400 * 24 * 60 * 60;

/** Marks the browser as one that the account was used with. */
async function knowBrowser(c: Signing, email: string): Promise<void> {
  const { authKeys, knownBrowserCookie, publicUrl } = c.var.resources;
  setCookie(c, knownBrowserCookie, await markBrowser(authKeys, email), {
    path: '/',
    httpOnly: true,
    secure: isSecure(publicUrl),
    sameSite: 'Lax',
    maxAge: KNOWN_SECONDS,
  });
}

/** Counts a guess at an account by its address. Guesses of browsers that the account was used with are counted apart. */
async function countSignIn(c: Signing, email: string): Promise<void> {
  const { authKeys, knownBrowserCookie } = c.var.resources;
  const isKnown = await isKnownBrowser(authKeys, email, getCookie(c, knownBrowserCookie));
  await count(c.var.resources, isKnown ? KNOWN_GUESSES : GUESSES, email);
}

/** Counts an account that is made, or an address that is tried so, by the client's address. */
async function countSignUp(c: Signing): Promise<void> {
  const { addressKey, limiterOf } = c.var.resources;
  const key = await addressKey(clientAddress(c.req.raw.headers), SIGN_UPS.name);
  requireAllowed(await limiterOf(SIGN_UPS).take(key, 'wait'));
}

/** Counts a guess of somebody who is signed in at the password of their account. */
export const countGuess = (c: { var: { resources: Resources } }, userId: string): Promise<void> =>
  count(c.var.resources, GUESSES, userId);

/** The request's headers for the library. */
export const headersOf = (c: Asking): Promise<Headers> =>
  renewCookies(c.var.resources.authKeys, c.req.raw.headers);

/** Arguments for library calls that may set cookies. */
export const askOf = async (c: Asking) => ({ headers: await headersOf(c), returnHeaders: true as const });

/** Signs in with the password; sets the cookies. */
async function signIn(c: Signing, body: SignIn): Promise<SignedIn> {
  const { api } = c.var.resources.auth;
  const answer = takeCookies(c, await askAuth(api.signInEmail({ body, ...(await askOf(c)) })));
  // With a second factor the result has no user, because nobody is signed in yet.
  const user = 'twoFactorRedirect' in answer ? null : toPerson(answer.user);
  if (user !== null) await knowBrowser(c, user.email);
  return { user, secondFactorRequired: user === null };
}

/** Signing up and in, for people who aren't signed in. The contract checks bodies; the library never gets the request itself. */
export const addAuthRoutes = (app: AccountApp): void =>
  addRoutes(app, authRoutes, everybody, {
    signUp: async (ctx, input, c) => {
      const { authKeys, isSignUpOpen, publicUrl, mailer, logLostMail } = c.var.resources;
      // Nobody could confirm the address.
      if (mailer === undefined && input.firstOwner === undefined) throw signUpClosed();
      await countSignUp(c);
      const { email, password } = input;
      const { emailConfirmed } = await signUp({ ...ctx, authKey: authKeys.current, isSignUpOpen }, input);
      const signedIn = await signIn(c, { email, password });
      // The account is made: whoever gets no mail asks for another one.
      if (mailer !== undefined && !emailConfirmed)
        await mailConfirmation(
          { authKeys, publicUrl, sendConfirmation: mailer.sendConfirmation, language: languageOf(c) },
          { email },
        ).catch(logLostMail);
      return { data: signedIn };
    },
    signIn: async (_, body, c) => {
      await countSignIn(c, body.email);
      return { data: await signIn(c, body) };
    },
    signInSecondFactor: async (_, body, c) => {
      const { api } = c.var.resources.auth;
      const isBackup = body.code.includes('-');
      const { user } = isBackup
        ? takeCookies(c, await askAuth(api.verifyBackupCode({ body, ...(await askOf(c)) })))
        : takeCookies(c, await askAuth(api.verifyTOTP({ body, ...(await askOf(c)) })));
      await knowBrowser(c, user.email);
      return { data: { user: toPerson(user), secondFactorRequired: false } };
    },
    requestPasswordReset: async (ctx, { email }, c) => {
      const { publicUrl, logLostMail } = c.var.resources;
      const { countReset, sendReset } = requireMailer(c.var.resources);
      await countReset(email);
      const token = await createPasswordReset(ctx, { email });
      if (token === undefined) return;
      const url = `${publicUrl}/reset-password#${token}`;
      // The answer is the same if the mail is lost, so that it doesn't show who has an account.
      await sendReset({ to: email, ...MAILS[languageOf(c)].passwordReset(url) }).catch(logLostMail);
    },
    resetPassword,
  });

import { createAuth } from '../../lib/accounts/auth/create-auth.ts';
import type { SessionActor } from '../../lib/accounts/find-session.ts';
import { addressKeys } from '../../lib/http/client-address.ts';
import { causesOf, type Log } from '../../lib/http/log.ts';
import { redisLimiter } from '../../lib/http/redis-limiter.ts';
import { createSessionApi } from '../../lib/http/session-api.ts';
import { chooseLanguage } from '../../lib/languages.ts';
import { connectMail } from '../../lib/mail.ts';
import type { AccountContext } from '../../lib/projects/project.ts';
import type { Env } from './env.ts';

/** What one client address may do without being signed in. */
const SIGN_IN = { name: 'sign-in', quota: 20, windowSeconds: 60 };
/** Guesses at one account, whatever addresses they come from. */
const GUESSES = { name: 'sign-in-account', quota: 30, windowSeconds: 900 };
/** Whatever a person does who is signed in. */
const ACCOUNT = { name: 'account', quota: 120, windowSeconds: 60 };

export type Resources = ReturnType<typeof createResources>;

/** What the function makes once an isolate. */
export function createResources(env: Env, log: Log) {
  const api = createSessionApi(env, ACCOUNT);
  const { redis, sql } = api;
  const publicUrl = env.PUBLIC_URL.replace(/\/+$/, '');
  const sendMail = connectMail({ url: env.MAIL_URL, token: env.MAIL_TOKEN, from: env.MAIL_FROM });
  return {
    ...api,
    publicUrl,
    sendMail,
    auth: createAuth({
      ...{ sql, secret: env.AUTH_KEY, publicUrl, sendMail },
      onLostMail: (error) =>
        log({ level: 'error', function: 'account', event: 'lost-mail', causes: causesOf(error) }),
      languageOf: (request) => chooseLanguage(request?.headers.get('Accept-Language') ?? undefined),
    }),
    addressKey: addressKeys(env.ADDRESS_KEY),
    signInLimiter: redisLimiter(redis, SIGN_IN),
    guessLimiter: redisLimiter(redis, GUESSES),
  };
}

interface Asked {
  req: { header(name: string): string | undefined };
  var: Readonly<{ actor: SessionActor; requestId: string; resources: Resources }>;
}

/** What a verb gets of the request and of the isolate. */
export function contextOf(c: Asked): AccountContext {
  const { actor, requestId, resources } = c.var;
  const { sql, publicUrl, sendMail } = resources;
  const language = chooseLanguage(c.req.header('Accept-Language'));
  return { actor, requestId, sql, publicUrl, sendMail, language, now: Date.now };
}

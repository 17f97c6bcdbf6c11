import type { Context } from 'hono';
import type { AccountContext } from '../../lib/accounts/account-context.ts';
import type { AuthKeys } from '../../lib/accounts/auth/auth-keys.ts';
import { createAuth } from '../../lib/accounts/auth/create-auth.ts';
import { knownBrowserCookieOf } from '../../lib/accounts/auth/session-cookie.ts';
import type { SessionActor } from '../../lib/accounts/find-session.ts';
import { DomainError, unavailable } from '../../lib/errors.ts';
import type { createApp } from '../../lib/http/app.ts';
import { countQuestion } from '../../lib/http/channel-questions.ts';
import { type AddressKey, addressKeys } from '../../lib/http/client-address.ts';
import { type Passed, publicDoor } from '../../lib/http/doors.ts';
import { mailAddressOf } from '../../lib/http/env-fields.ts';
import { sessionDoor } from '../../lib/http/known-doors.ts';
import { causesOf, type Log } from '../../lib/http/log.ts';
import { createSessionApi } from '../../lib/http/session-api.ts';
import { chooseLanguage, type Language } from '../../lib/languages.ts';
import { connectMail } from '../../lib/mail.ts';
import type { ChannelContext } from '../../lib/messages/channel-context.ts';
import { channelKeys } from '../../lib/messages/webhook-secrets.ts';
import type { Redis } from '../../lib/redis.ts';
import type { Env } from './env.ts';
import { createMailer, type Mailer } from './mailer.ts';

export type Resources = ReturnType<typeof createResources>;

export type AccountApp = ReturnType<typeof createApp<typeof Env, Bindings, Resources>>;

/** What wakes the function that sends messages. */
export interface Bindings {
  SENDER: { send(message: null): Promise<unknown> };
}

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env, { SENDER }: Bindings, log: Log) {
  const api = createSessionApi(env);
  const { sql, publicUrl, limiterOf } = api;
  const addressKey = addressKeys(env.ADDRESS_KEY);
  const authKeys: AuthKeys = { current: env.AUTH_KEY, previous: env.AUTH_KEY_OLD };
  const mailAddress = mailAddressOf(env);
  return {
    ...api,
    addressKey,
    authKeys,
    channelKeys: channelKeys(env.CHANNEL_KEY),
    loopback: env.LOOPBACK_RECEIVERS,
    /** The row waits in the outbox, and a cron finds it. */
    wakeSender: () =>
      SENDER.send(null).then(
        () => {},
        () => {},
      ),
    auth: createAuth({ sql, keys: authKeys, publicUrl, useCode: codesOnce(api.redis, addressKey) }),
    knownBrowserCookie: knownBrowserCookieOf(env.PUBLIC_URL),
    isSignUpOpen: env.SIGN_UP === 'open',
    /** Undefined: the service sends no mail. */
    mailer: mailAddress && createMailer(connectMail(mailAddress), { limiterOf, addressKey }),
    mailDelivery: mailAddress && env.MAIL_DELIVERY,
    /** For mails whose loss the answer doesn't tell. */
    logLostMail: (error: unknown): void =>
      log({ level: 'error', function: 'account', event: 'lost-mail', causes: causesOf(error) }),
  };
}

/** Longer than an authenticator app's code is good: 30 seconds, and those before and after. */
const CODE_SECONDS = 120;

/** Notes used codes, which Redis gets as hashes. The first one to note a code gets true. */
const codesOnce =
  (redis: Redis, addressKey: AddressKey) =>
  async (userId: string, code: string): Promise<boolean> => {
    const key = `used-code:${await addressKey(undefined, `${userId} ${code}`)}`;
    try {
      return (await redis.set(key, '1', { nx: true, ex: CODE_SECONDS })) !== null;
    } catch (cause) {
      throw unavailable(cause);
    }
  };

const NO_MAIL = 'This service sends no mail. Ask whoever runs it.';

/** What sends mails. Throws `FORBIDDEN` if the service sends none. */
export function requireMailer({ mailer }: Resources): Mailer {
  if (mailer === undefined) throw new DomainError('FORBIDDEN', NO_MAIL);
  return mailer;
}

export const languageOf = (c: Context): Language => chooseLanguage(c.req.header('Accept-Language'));

/** A request of a person who is signed in. */
type Signed = Passed<Resources, SessionActor>;

/** The verbs' context, from the request and the isolate. */
function contextOf(c: Signed): AccountContext & ChannelContext {
  const { actor, call, resources } = c.var;
  const { sql, publicUrl, authKeys, channelKeys, loopback, wakeSender } = resources;
  return {
    ...{ ...call, actor, sql, now: Date.now, publicUrl, authKeys, language: languageOf(c) },
    ...{ channelKeys, loopback, wakeSender },
    countQuestion: async (mailbox) => {
      requireMailer(resources);
      await countQuestion(resources, mailbox, actor.userId);
    },
    sendInvitation: (mail) => requireMailer(resources).sendInvitation(mail, actor.userId),
    sendConfirmation: (mail) => requireMailer(resources).sendConfirmation(mail),
  };
}

/** For people who are signed in. */
export const people = sessionDoor(contextOf);

/** For everybody. Nobody can sign in while Redis is away, because nothing would limit guesses. */
export const everybody = publicDoor(({ var: { resources, call } }: Passed<Resources>) => ({
  ...call,
  sql: resources.sql,
  now: Date.now,
}));

import { createAuth } from '../../lib/accounts/auth/create-auth.ts';
import type { SessionActor } from '../../lib/accounts/find-session.ts';
import type { createApp } from '../../lib/http/app.ts';
import { addressKeys } from '../../lib/http/client-address.ts';
import { type Passed, publicDoor } from '../../lib/http/doors.ts';
import { sessionDoor } from '../../lib/http/known-doors.ts';
import { causesOf, type Log } from '../../lib/http/log.ts';
import { createSessionApi } from '../../lib/http/session-api.ts';
import { chooseLanguage } from '../../lib/languages.ts';
import { connectMail } from '../../lib/mail.ts';
import type { AccountContext } from '../../lib/projects/project.ts';
import type { Env } from './env.ts';

export type Resources = ReturnType<typeof createResources>;

export type AccountApp = ReturnType<typeof createApp<typeof Env, object, Resources>>;

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env, log: Log) {
  const api = createSessionApi(env);
  const { sql, publicUrl } = api;
  const sendMail = connectMail({ url: env.MAIL_URL, token: env.MAIL_TOKEN, from: env.MAIL_FROM });
  return {
    ...api,
    sendMail,
    auth: createAuth({
      ...{ sql, secret: env.AUTH_KEY, publicUrl, sendMail },
      onLostMail: (error) =>
        log({ level: 'error', function: 'account', event: 'lost-mail', causes: causesOf(error) }),
      languageOf: (request) => chooseLanguage(request?.headers.get('Accept-Language') ?? undefined),
    }),
    addressKey: addressKeys(env.ADDRESS_KEY),
  };
}

/** A request of a person who is signed in. */
type Signed = Passed<Resources, SessionActor>;

/** The verbs' context, from the request and the isolate. */
function contextOf(c: Signed): AccountContext {
  const { actor, call, resources } = c.var;
  const { sql, publicUrl, sendMail } = resources;
  const language = chooseLanguage(c.req.header('Accept-Language'));
  return { ...call, actor, sql, publicUrl, sendMail, language, now: Date.now };
}

/** For people who are signed in. */
export const people = sessionDoor(contextOf);

/** For everybody. Nobody can sign in while Redis is away, because nothing would limit guesses. */
export const everybody = publicDoor(({ var: { resources } }: Passed<Resources>) => ({ sql: resources.sql }));

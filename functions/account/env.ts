import * as v from 'valibot';
import { EnvError } from '../../lib/http/env.ts';
import { channelFields, databaseFields, peopleFields, redisFields } from '../../lib/http/env-fields.ts';
import type { MailAddress } from '../../lib/mail.ts';

export const Env = v.object({
  ...databaseFields,
  ...redisFields,
  ...peopleFields,
  ...channelFields,
  /** The address that browsers use. With `https` the session's cookie is `Secure`. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
  /** Authenticates cookies and encrypts second factors. */
  AUTH_KEY: v.pipe(v.string(), v.minLength(32)),
  /** The key before, as long as something of it is in use. Without it a new key signs everybody out and makes second factors useless. */
  AUTH_KEY_OLD: v.optional(v.pipe(v.string(), v.minLength(32))),
  /** Keys the hashes of client addresses that limits count by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
  /**
   * The address that mails are posted to, as JSON `{from, to, subject, text}`: Resend's interface or a similar one. Without `MAIL_*` the
   * service sends no mail: nobody can sign up, and the operator makes accounts.
   */
  MAIL_URL: v.optional(v.pipe(v.string(), v.url())),
  MAIL_TOKEN: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** The sender of mails: `Vendor <no-reply@vendor.example>`. */
  MAIL_FROM: v.optional(v.pipe(v.string(), v.minLength(3))),
});
export type Env = v.InferOutput<typeof Env>;

/** Where mails are posted to, or undefined if the service sends none. Throws `EnvError` if some of the variables are missing. */
export function mailAddressOf({ MAIL_URL, MAIL_TOKEN, MAIL_FROM }: Env): MailAddress | undefined {
  if (MAIL_URL !== undefined && MAIL_TOKEN !== undefined && MAIL_FROM !== undefined)
    return { url: MAIL_URL, token: MAIL_TOKEN, from: MAIL_FROM };
  const given = { MAIL_URL, MAIL_TOKEN, MAIL_FROM };
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length < Object.keys(given).length) throw new EnvError(missing);
  return undefined;
}

import * as v from 'valibot';
import { databaseFields, redisFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...redisFields,
  /** The address that browsers use. With `https` the session's cookie is `Secure`. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
  /** Authenticates cookies and encrypts second factors. A new key signs everybody out and makes all second factors useless. */
  AUTH_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Keys the hashes of client addresses that limits count by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
  /** The address that mails are posted to, as JSON `{from, to, subject, text}`: Resend's interface or a similar one. */
  MAIL_URL: v.pipe(v.string(), v.url()),
  MAIL_TOKEN: v.pipe(v.string(), v.minLength(1)),
  /** The sender of mails: `Vendor <no-reply@vendor.example>`. */
  MAIL_FROM: v.pipe(v.string(), v.minLength(3)),
});
export type Env = v.InferOutput<typeof Env>;

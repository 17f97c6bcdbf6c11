import * as v from 'valibot';
import { databaseFields, redisFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({
  ...databaseFields,
  ...redisFields,
  /** The address that browsers reach the service by. With `https` the session's cookie is `Secure`. */
  PUBLIC_URL: v.pipe(v.string(), v.url()),
  /** Authenticates cookies and encrypts second factors. Another one signs everybody out and makes second factors useless. */
  AUTH_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Keys the hashes that limits count client addresses by. */
  ADDRESS_KEY: v.pipe(v.string(), v.minLength(32)),
  /** Where mails are posted to, as `{from, to, subject, text}`: Resend's interface, or one like it. */
  MAIL_URL: v.pipe(v.string(), v.url()),
  MAIL_TOKEN: v.pipe(v.string(), v.minLength(1)),
  /** Whom they are from: `Vendor <no-reply@vendor.example>`. */
  MAIL_FROM: v.pipe(v.string(), v.minLength(3)),
});
export type Env = v.InferOutput<typeof Env>;

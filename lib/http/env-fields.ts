/** Variables that several functions need. Each function spreads them into its env schema. */
import * as v from 'valibot';
import type { MailAddress } from '../mail.ts';
import { EnvError } from './env.ts';

export const databaseFields = {
  DATABASE_URL: v.pipe(v.string(), v.minLength(1)),
  /** The address of the driver's HTTP protocol, if it isn't the provider's own. */
  DATABASE_HTTP_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
};

/** A replica of the database, for functions that answer questions (docs/scale.md#a-read-replica). */
export const replicaFields = {
  DATABASE_READ_URL: v.optional(v.pipe(v.string(), v.minLength(1))),
  DATABASE_READ_HTTP_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
};

export const redisFields = {
  UPSTASH_REDIS_REST_URL: v.pipe(v.string(), v.url()),
  UPSTASH_REDIS_REST_TOKEN: v.pipe(v.string(), v.minLength(1)),
};

/** Where the day's salt is, if not in the Redis of all functions (docs/configuration.md#a-redis-of-its-own-for-the-salt). */
export const saltRedisFields = {
  ...redisFields,
  SALT_REDIS_REST_URL: v.optional(v.pipe(v.string(), v.url())),
  SALT_REDIS_REST_TOKEN: v.optional(v.pipe(v.string(), v.minLength(1))),
};

/** How people come in, for the functions with their pages. */
export const peopleFields = {
  /** `closed`: only who has an invitation makes an account, or who has the first owner's link. */
  SIGN_UP: v.optional(v.picklist(['open', 'closed']), 'open'),
  /** `kept`: the mails at `MAIL_URL` reach nobody; they lie where whoever runs the service finds them. */
  MAIL_DELIVERY: v.optional(v.picklist(['sent', 'kept']), 'sent'),
};
export type MailDelivery = v.InferOutput<typeof peopleFields.MAIL_DELIVERY>;

/** For functions that make channels or send to them (docs/messages.md). */
export const channelFields = {
  /** Makes the secrets of webhooks, and the links in mails. A new key makes all of them new. */
  CHANNEL_KEY: v.pipe(v.string(), v.minLength(32)),
  /** `allowed`: receivers may be on the loopback interface, by http too. For a service that only its own machine reaches. */
  LOOPBACK_RECEIVERS: v.optional(v.picklist(['refused', 'allowed']), 'refused'),
};

/** How mails go out. */
export const mailFields = {
  /**
   * The address that mails are posted to, as JSON `{from, to, subject, text, html?, headers?}`: Resend's interface or a similar one. Without
   * `MAIL_*` the service sends no mail: nobody can sign up, and the operator makes accounts.
   */
  MAIL_URL: v.optional(v.pipe(v.string(), v.url())),
  MAIL_TOKEN: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** The sender of mails: `Vendor <no-reply@vendor.example>`. */
  MAIL_FROM: v.optional(v.pipe(v.string(), v.minLength(3))),
};
interface MailVariables {
  MAIL_URL?: string | undefined;
  MAIL_TOKEN?: string | undefined;
  MAIL_FROM?: string | undefined;
}

/** Where mails are posted to, or undefined if the service sends none. Throws `EnvError` if some of the variables are missing. */
export function mailAddressOf({ MAIL_URL, MAIL_TOKEN, MAIL_FROM }: MailVariables): MailAddress | undefined {
  if (MAIL_URL !== undefined && MAIL_TOKEN !== undefined && MAIL_FROM !== undefined)
    return { url: MAIL_URL, token: MAIL_TOKEN, from: MAIL_FROM };
  const given = { MAIL_URL, MAIL_TOKEN, MAIL_FROM };
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length < Object.keys(given).length) throw new EnvError(missing);
  return undefined;
}

/** The parts of a comma-separated variable, trimmed. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

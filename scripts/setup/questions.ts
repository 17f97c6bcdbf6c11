/** What setup asks, in this order. The names are those of docs/configuration.md#variables. */
import { NONE } from '../../tooling/setup-file.ts';

export interface Question {
  name: string;
  /** The flag: `--database-url`. */
  flag: string;
  ask: string;
  /** Not shown while it is typed. */
  secret?: boolean;
  /** May be answered by `none`, and what is missing then. */
  without?: string;
  /** Asked only if this other question was not answered by `none`. */
  after?: string;
  /** Why an answer can't be right, as a sentence; undefined if it may be. */
  fault(answer: string): string | undefined;
}

const flagOf = (name: string): string => name.toLowerCase().replaceAll('_', '-');
const question = (name: string, rest: Omit<Question, 'name' | 'flag'>): Question => ({
  ...{ name, flag: flagOf(name) },
  ...rest,
});

const isUrl = (protocols: string[], example: string) => (answer: string) =>
  protocols.includes(URL.parse(answer)?.protocol ?? '')
    ? undefined
    : `It begins with ${protocols[0]}//, such as ${example}.`;
const isWeb = (example: string) => (answer: string) =>
  URL.parse(answer)?.protocol === 'https:' ||
  /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(`${answer}/`)
    ? undefined
    : `It begins with https://, such as ${example}.`;
const isToken = (answer: string) =>
  /^\S{8,}$/.test(answer) ? undefined : 'It has at least 8 characters and no spaces.';
const isHost = (answer: string) =>
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/.test(answer)
    ? undefined
    : 'A host in lower case, without https:// and without a path, such as stats.example.org.';
const isMail = (answer: string) =>
  /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(answer) ? undefined : 'An e-mail address.';
const isSender = (answer: string) =>
  /^([^<>]+<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(answer)
    ? undefined
    : 'A sender, such as Vendor <no-reply@example.org>.';

export const QUESTIONS: readonly Question[] = [
  question('DATABASE_URL', {
    ask: 'Address of the database, with its owner’s password (Neon: Connect, without pooling)',
    secret: true,
    fault: isUrl(
      ['postgres:', 'postgresql:'],
      'postgres://owner:password@ep-name.eu-central-1.aws.neon.tech/vendor',
    ),
  }),
  question('UPSTASH_REDIS_REST_URL', {
    ask: 'Redis: its REST address (Upstash: Details, REST API)',
    fault: isWeb('https://name.upstash.io'),
  }),
  question('UPSTASH_REDIS_REST_TOKEN', { ask: 'Redis: its token', secret: true, fault: isToken }),
  question('SALT_REDIS_REST_URL', {
    ask: 'A second Redis for the day’s salt: its REST address',
    without:
      'the salt is in the Redis of all functions; setup parts it by a token for each function where that Redis makes users',
    fault: isWeb('https://other.upstash.io'),
  }),
  question('SALT_REDIS_REST_TOKEN', {
    ask: 'The second Redis: its token',
    secret: true,
    after: 'SALT_REDIS_REST_URL',
    fault: isToken,
  }),
  question('MAIL_URL', {
    ask: 'Where mails are posted to, Resend’s interface',
    without:
      'mails go nowhere: nobody can sign up or reset a password, and you make accounts by npm run account',
    fault: isWeb('https://api.resend.com/emails'),
  }),
  question('MAIL_TOKEN', { ask: 'The mail service’s key', secret: true, after: 'MAIL_URL', fault: isToken }),
  question('MAIL_FROM', { ask: 'The sender of mails', after: 'MAIL_URL', fault: isSender }),
  question('VENDOR_HOST', {
    ask: 'A host of a zone that you have at Cloudflare, for the service',
    without: 'the service answers at an address of workers.dev',
    fault: isHost,
  }),
  question('CONTENT_HOST', {
    ask: 'Another host, for the content service',
    without: 'the content service answers at an address of workers.dev',
    fault: isHost,
  }),
  question('ACCOUNT_EMAIL', { ask: 'Your e-mail address, for the first account', fault: isMail }),
];

/** Answers that are taken but never asked for. */
export const FURTHER: readonly Question[] = [
  question('DATABASE_HTTP_ENDPOINT', {
    ask: 'Where Neon’s HTTP protocol is spoken, if the database isn’t at Neon',
    without: 'Neon’s own address for the host',
    fault: isWeb('https://db.example.org/sql'),
  }),
  question('CLOUDFLARE_ACCOUNT_ID', {
    ask: 'The Cloudflare account, if the access reaches several',
    fault: (answer) => (/^[0-9a-f]{32}$/.test(answer) ? undefined : '32 hexadecimal digits.'),
  }),
];

export const isNone = (answer: string | undefined): boolean => answer === undefined || answer === NONE;

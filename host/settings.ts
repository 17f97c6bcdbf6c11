/** The settings of `npm start`: environment variables, each also as `<NAME>_FILE`, a file with the value (docs/self-host.md#settings). */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { ROOT } from '../tooling/deployment.ts';
import { type IsTrusted, trustedProxies } from './edge/client-address.ts';
import type { ListenAddress } from './edge/listen.ts';

const MAX_PROCESSES = 64;

const Origin = v.pipe(
  v.string(),
  v.url('must be an address such as https://stats.example.com'),
  v.regex(/^https?:\/\//, 'must begin with http:// or https://'),
  v.transform((text) => new URL(text)),
  v.check(
    ({ pathname, search, hash }) => pathname === '/' && search === '' && hash === '',
    'must be an address without a path: the service answers at its root',
  ),
  v.transform(({ origin }) => origin),
);
const Listen = v.pipe(
  v.string(),
  v.regex(
    /^(unix:.+|(\[[^\]]+\]|[^:[\]]+):\d{1,5})$/,
    'must be host:port, such as 127.0.0.1:8787, or unix:PATH',
  ),
  v.transform((text): ListenAddress => {
    if (text.startsWith('unix:')) return { socket: resolve(text.slice('unix:'.length)) };
    const colon = text.lastIndexOf(':');
    return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
  }),
  v.check((at) => 'socket' in at || at.port <= 65_535, 'must have a port of at most 65535'),
);
const schemed = (...schemes: string[]) =>
  v.pipe(
    v.string(),
    v.regex(
      new RegExp(`^(${schemes.join('|')})://`),
      `must be a connection string that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    ),
  );
const Proxies = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return trustedProxies(
        dataset.value
          .split(',')
          .map((cidr) => cidr.trim())
          .filter(Boolean),
      );
    } catch (error) {
      addIssue({
        message: `must be addresses and networks with commas between them: ${(error as Error).message}`,
      });
      return NEVER;
    }
  }),
);
const Secret = v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'));

const Settings = v.object({
  PUBLIC_URL: v.optional(Origin, 'http://localhost:8787'),
  CONTENT_URL: v.optional(Origin),
  LISTEN: v.optional(Listen, '127.0.0.1:8787'),
  DATA_FOLDER: v.optional(v.pipe(v.string(), v.nonEmpty('must be a path')), './data'),
  DATABASE_URL: v.optional(schemed('postgres', 'postgresql')),
  REDIS_URL: v.optional(schemed('redis', 'rediss')),
  SMTP_URL: v.optional(schemed('smtp', 'smtps')),
  MAIL_FROM: v.optional(v.pipe(v.string(), v.regex(/@/, 'must be a sender: Vendor <no-reply@example.com>'))),
  TRUSTED_PROXIES: v.optional(Proxies, '127.0.0.0/8, ::1'),
  COUNTRY_DATABASE: v.optional(v.string()),
  PROCESSES: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d+$/, 'must be a number'),
      v.transform(Number),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(MAX_PROCESSES, `must be at most ${MAX_PROCESSES}`),
    ),
    // One core is PostgreSQL's.
    String(Math.min(Math.max(1, availableParallelism() - 1), MAX_PROCESSES)),
  ),
  SIGN_UP: v.optional(v.picklist(['closed', 'open'], 'must be closed or open'), 'closed'),
  LOOPBACK_RECEIVERS: v.optional(v.picklist(['refused', 'allowed'], 'must be refused or allowed'), 'refused'),
  METRICS_LISTEN: v.optional(Listen),
  // What functions of the service read; secrets are made where they aren't given.
  AUTH_KEY: v.optional(Secret),
  AUTH_KEY_OLD: v.optional(Secret),
  ADDRESS_KEY: v.optional(Secret),
  CURSOR_KEY: v.optional(Secret),
  SHARE_KEY: v.optional(Secret),
  CHANNEL_KEY: v.optional(Secret),
  BOT_EXCEPTIONS: v.optional(v.string()),
  NETWORK_EXCEPTIONS: v.optional(
    v.pipe(v.string(), v.regex(/^[\d,\s]*$/, 'must be AS numbers with commas between them')),
  ),
  ALLOWED_ORIGINS: v.optional(v.string()),
});

export type Settings = Omit<v.InferOutput<typeof Settings>, 'TRUSTED_PROXIES' | 'CONTENT_URL'> & {
  CONTENT_URL: string;
  TRUSTED_PROXIES: IsTrusted;
};
export type SettingName = keyof typeof Settings.entries;

/** Names of settings in the order of the document. */
export const SETTING_NAMES = Object.keys(Settings.entries) as SettingName[];

/** Free country data, which npm brings. */
export const COUNTRY_DATABASE = join(
  ROOT,
  'node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
);

/** A setting is unknown or malformed: the message names it and the rule. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Throws `SettingError`. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  refuseUnknown(Object.keys(env));
  const given = Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const value = givenValue(name, env);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const result = v.safeParse(Settings, given);
  if (!result.success) {
    const [issue] = result.issues;
    throw new SettingError(`${v.getDotPath(issue)} ${issue.message}.`);
  }
  const settings = result.output;
  if (settings.SMTP_URL !== undefined && settings.MAIL_FROM === undefined)
    throw new SettingError('MAIL_FROM is missing: with SMTP_URL it must be the sender of mails.');
  return { ...settings, CONTENT_URL: settings.CONTENT_URL ?? contentUrlOf(settings.PUBLIC_URL) };
}

/** An empty value counts as none, since a service manager can only set, not leave out. */
function givenValue(
  name: SettingName,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const file = env[`${name}_FILE`];
  const value = env[name];
  if (!file) return value || undefined;
  if (value) throw new SettingError(`${name} and ${name}_FILE are both set: one of them says the value.`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new SettingError(`${name}_FILE: ${(error as NodeJS.ErrnoException).code ?? error} for ${file}.`);
  }
}

/** The content service has a host of its own, at the same port. An address of numbers has no names below it. */
function contentUrlOf(publicUrl: string): string {
  const { protocol, hostname, port } = new URL(publicUrl);
  const isNumbers = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return new URL(`${protocol}//content.${isNumbers ? 'localhost' : hostname}:${port}`).origin;
}

/** Other programs' variables are in the environment too: only a name that was meant for this one is refused. */
function refuseUnknown(names: readonly string[]): void {
  const known = SETTING_NAMES.flatMap((name) => [name, `${name}_FILE`]);
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = known.find((other) => isTypingMistake(name, other));
    if (meant !== undefined) throw new SettingError(`${name} is no setting. Is ${meant} meant?`);
  }
}

/** One letter more, less or other, or two that were swapped; a plural `S` too. */
function isTypingMistake(name: string, other: string): boolean {
  if (name.length < 5 || Math.abs(name.length - other.length) > 1) return false;
  let start = 0;
  while (start < name.length && name[start] === other[start]) start += 1;
  const rest = name.slice(start);
  const otherRest = other.slice(start);
  const isSwapped =
    rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
  return (
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    rest.slice(1) === otherRest.slice(1) ||
    isSwapped
  );
}

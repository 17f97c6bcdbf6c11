/** Which function gets which secret: each only what its `env.ts` names, and each a key and a database role of its own. */
import type { SetupFile } from '../../tooling/setup-file.ts';
import { isNone } from './questions.ts';

/** Keys that setup draws. */
const isKey = (name: string): boolean => name.endsWith('_KEY');

export interface SecretsInput {
  fn: string;
  /** The names of the function's secrets: required and optional ones. */
  names: readonly string[];
  file: Pick<SetupFile, 'answers' | 'keys' | 'passwords' | 'redis'>;
}

/** Keys that several functions have to share: one makes what another one reads. */
const SHARED: readonly string[] = ['CHANNEL_KEY'];
const keyOf = (fn: string, name: string): string =>
  SHARED.includes(name) ? `shared.${name}` : `${fn}.${name}`;

/** The keys that a function needs and that setup has yet to draw, as `<function>.<NAME>` or `shared.<NAME>`. */
export const keysOf = ({ fn, names }: Pick<SecretsInput, 'fn' | 'names'>): string[] =>
  names.filter(isKey).map((name) => keyOf(fn, name));

/** The values for one function. A key that setup didn't draw is left out: the provider has it already. */
export function secretsOf({ fn, names, file }: SecretsInput): Record<string, string> {
  const own = redisOf({ fn, file });
  const entries = names.flatMap((name) => {
    const value =
      name === 'DATABASE_URL'
        ? urlFor(fn, file)
        : (own[name] ?? file.keys[keyOf(fn, name)] ?? file.answers[name]);
    return value === undefined || isNone(value) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The function's own token of Redis, if setup drew one. It opens the salt too, unless there is a second Redis for it. */
function redisOf({ fn, file: { answers, redis } }: Omit<SecretsInput, 'names'>): Record<string, string> {
  const token = redis?.tokens[fn];
  if (redis === undefined || token === undefined) return {};
  return {
    UPSTASH_REDIS_REST_TOKEN: token,
    ...(isNone(answers.SALT_REDIS_REST_URL) && {
      SALT_REDIS_REST_URL: redis.url,
      SALT_REDIS_REST_TOKEN: token,
    }),
  };
}

export const roleOf = (fn: string): string => `vendor_${fn}`;

/** The database's address with the function's own role, or the owner's if there is no password of the role. */
export function urlFor(
  fn: string,
  { answers, passwords }: Pick<SetupFile, 'answers' | 'passwords'>,
): string | undefined {
  const { DATABASE_URL: owner } = answers;
  const password = passwords[roleOf(fn)];
  if (owner === undefined || password === undefined) return owner;
  const url = new URL(owner);
  url.username = roleOf(fn);
  url.password = password;
  return url.href;
}

import type { AuthKeys } from '../../lib/accounts/auth/auth-keys.ts';
import type { SetupFile } from '../../tooling/setup-file.ts';

/** The keys of sign-in, from the environment, or otherwise those that setup drew; undefined if neither has them. */
export function readAuthKeys(
  env: Readonly<Record<string, string | undefined>>,
  { keys }: Pick<SetupFile, 'keys'>,
): AuthKeys | undefined {
  if (env.AUTH_KEY) return { current: env.AUTH_KEY, previous: env.AUTH_KEY_OLD };
  const current = keys['account.AUTH_KEY'];
  return current === undefined ? undefined : { current, previous: keys['account.AUTH_KEY_OLD'] };
}

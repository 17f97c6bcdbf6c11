/** The keys of sign-in, and what is signed or encrypted with them (docs/operations.md#auth_key). */
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';

export interface AuthKeys {
  /** AUTH_KEY: signs and encrypts. */
  current: string;
  /** AUTH_KEY_OLD, while a rotation lasts: what it signed is valid, and what it encrypted is read. */
  previous?: string | undefined;
}

/** The first answer that isn't undefined or false, of the key in use and then of the one before. */
export async function withEitherKey<T>(
  { current, previous }: AuthKeys,
  ask: (key: string) => Promise<T>,
): Promise<T> {
  const answer = await ask(current);
  return answer || previous === undefined ? answer : ask(previous);
}

/**
 * What is encrypted with the old key, encrypted with the one in use. Returns the same text if the key in use opens it. Undefined: no key
 * opens it.
 */
export async function renewSealed(keys: AuthKeys, sealed: string): Promise<string | undefined> {
  if ((await open(keys.current, sealed)) !== undefined) return sealed;
  const data = keys.previous === undefined ? undefined : await open(keys.previous, sealed);
  return data === undefined ? undefined : symmetricEncrypt({ key: keys.current, data });
}

/** The library's cipher is authenticated: another key doesn't open it. */
const open = (key: string, data: string): Promise<string | undefined> =>
  symmetricDecrypt({ key, data }).catch(() => undefined);

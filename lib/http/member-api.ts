import { findApiToken } from '../accounts/find-api-token.ts';
import type { StoresEnv } from './connect-stores.ts';
import { rememberOwners, TOKEN_FRESH_MS } from './remember-owners.ts';
import { createSessionApi } from './session-api.ts';

/** Makes the resources of an API for members, once per isolate: those of a session API, and the token lookup. */
export function createMemberApi(env: StoresEnv & { PUBLIC_URL: string }) {
  const api = createSessionApi(env);
  const { guard } = api;
  const find = (hash: string) => findApiToken(api, hash);
  return { ...api, tokens: rememberOwners({ guard, find, freshMs: TOKEN_FRESH_MS }) };
}

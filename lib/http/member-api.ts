import { findApiToken } from '../accounts/find-api-token.ts';
import { rememberTokens } from './api-token-gate.ts';
import type { StoresEnv } from './connect-stores.ts';
import { createSessionApi } from './session-api.ts';

/** Makes the resources of an API for members, once per isolate: those of a session API, and the token lookup. */
export function createMemberApi(env: StoresEnv & { PUBLIC_URL: string }) {
  const api = createSessionApi(env);
  return { ...api, tokens: rememberTokens({ find: (hash) => findApiToken(api, hash) }) };
}

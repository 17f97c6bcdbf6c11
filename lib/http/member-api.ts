import { findApiToken } from '../accounts/find-api-token.ts';
import { rememberTokens } from './api-token-gate.ts';
import type { StoresEnv } from './connect-stores.ts';
import { createSessionApi } from './session-api.ts';

/** What an API for members makes once an isolate: what one for sessions does, and the tokens that it knows. */
export function createMemberApi(env: StoresEnv & { PUBLIC_URL: string }) {
  const api = createSessionApi(env);
  return { ...api, tokens: rememberTokens({ find: (hash) => findApiToken(api, hash) }) };
}

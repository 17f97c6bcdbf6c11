import type { Context, MiddlewareHandler } from 'hono';
import type { MemberActor } from '../context.ts';
import { requireApiToken, type TokenLookup } from './api-token-gate.ts';
import { requireSession, type SessionResources } from './session-gate.ts';

export interface MemberResources extends SessionResources {
  tokens: TokenLookup;
}

export interface MemberVariables {
  actor: MemberActor;
}

/**
 * Returns the member who asks: the owner of the API token, or, without an `Authorization` header, the person who is signed in. With that
 * header the cookie is ignored. Throws `UNAUTHORIZED`, or `FORBIDDEN` if another site's page uses the session.
 */
export const requireMember = (c: Context, resources: MemberResources): Promise<MemberActor> =>
  c.req.raw.headers.get('authorization')
    ? requireApiToken(c, resources.tokens)
    : requireSession(c, resources, 'Send an API token, `Authorization: Bearer vapi_...`, or sign in.');

/** Passes members and sets `actor`; see `requireMember`. */
export function memberGate<Resources extends MemberResources>(): MiddlewareHandler<{
  Variables: MemberVariables & { resources: Resources };
}> {
  return async function memberGate(c, next) {
    c.set('actor', await requireMember(c, c.var.resources));
    await next();
  };
}

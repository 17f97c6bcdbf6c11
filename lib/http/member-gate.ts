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
 * Who asks: the bearer of an API token, or, without an `Authorization` header, a person who is signed in. With the header the cookie isn't
 * looked at. Throws `UNAUTHORIZED`, and `FORBIDDEN` for a session that another site's page uses.
 */
export const requireMember = (c: Context, resources: MemberResources): Promise<MemberActor> =>
  c.req.raw.headers.has('authorization')
    ? requireApiToken(c, resources.tokens)
    : requireSession(c, resources, 'Send an API token, `Authorization: Bearer vapi_...`, or sign in.');

/** Lets members pass, as `actor`; see `requireMember`. */
export function memberGate<Resources extends MemberResources>(): MiddlewareHandler<{
  Variables: MemberVariables & { resources: Resources };
}> {
  return async function memberGate(c, next) {
    c.set('actor', await requireMember(c, c.var.resources));
    await next();
  };
}

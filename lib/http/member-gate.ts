import type { Context, MiddlewareHandler } from 'hono';
import type { FoundApiToken } from '../accounts/find-api-token.ts';
import type { MemberActor } from '../context.ts';
import { DomainError } from '../errors.ts';
import { requireApiToken } from './api-token-gate.ts';
import type { RouteContract } from './contract.ts';
import type { OwnerLookUp } from './remember-owners.ts';
import { requireSession, type SessionResources } from './session-gate.ts';

export interface MemberResources extends SessionResources {
  tokens: OwnerLookUp<FoundApiToken>;
}

export interface MemberVariables {
  actor: MemberActor;
}

/**
 * Returns the member who asks: the owner of the API token, or, without an `Authorization` header, the person who is signed in. With that
 * header the cookie is ignored. Throws `UNAUTHORIZED`, and the errors of `requireSession`.
 */
const requireMember = (
  c: Context,
  resources: MemberResources,
  contract: RouteContract,
): Promise<MemberActor> =>
  c.req.raw.headers.get('authorization')
    ? requireApiToken(c, resources.tokens)
    : requireSession(c, resources, { contract, absent: noCredentials });

const noCredentials = (): DomainError =>
  new DomainError('UNAUTHORIZED', 'Send an API token, `Authorization: Bearer vapi_...`, or sign in.');

/** Passes members and sets `actor`; see `requireMember`. */
export function memberGate<Resources extends MemberResources>(
  contract: RouteContract,
): MiddlewareHandler<{
  Variables: MemberVariables & { resources: Resources };
}> {
  return async function memberGate(c, next) {
    c.set('actor', await requireMember(c, c.var.resources, contract));
    await next();
  };
}

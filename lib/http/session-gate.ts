import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import type { FoundSession, SessionActor } from '../accounts/find-session.ts';
import { notSignedIn } from '../accounts/sessions.ts';
import { DomainError } from '../errors.ts';
import { needsConfirmed, type RouteContract } from './contract.ts';
import type { OwnerLookUp } from './remember-owners.ts';

export interface SessionVariables {
  actor: SessionActor;
}

export interface SessionResources {
  /** The origin of the service's own pages. Only these pages may use a session. */
  origin: string;
  sessions: {
    /** The cookie's name. */
    cookie: string;
    /** Finds the person of a cookie's value. */
    find: OwnerLookUp<FoundSession>;
  };
}

/**
 * Passes only people who are signed in and may call the route, and sets `actor`; see `requireSession`. Nothing is cached, so that a
 * sign-out takes effect at once. A token in `Authorization` is ignored.
 */
export function sessionGate<Resources extends SessionResources>(
  contract: RouteContract,
): MiddlewareHandler<{
  Variables: SessionVariables & { resources: Resources };
}> {
  return async function sessionGate(c, next) {
    c.set('actor', await requireSession(c, c.var.resources, { contract, absent: notSignedIn }));
    await next();
  };
}

/**
 * The person who is signed in by the request's cookie. Throws `FORBIDDEN` if another site's page sent the request, or if the route needs a
 * confirmed address and the person's isn't confirmed, and the error of `absent` without a session.
 */
export async function requireSession(
  c: Context,
  { origin, sessions }: SessionResources,
  { contract, absent }: { contract: RouteContract; absent: () => DomainError },
): Promise<SessionActor> {
  requireOwnPage(c.req.raw.headers, origin);
  const value = getCookie(c, sessions.cookie);
  const found = value === undefined ? undefined : await sessions.find(c, value);
  if (found === undefined) throw absent();
  if (!found.isConfirmed && needsConfirmed(contract))
    throw new DomainError(
      'FORBIDDEN',
      'Confirm your e-mail address first: open the link that was mailed to you.',
    );
  return found.actor;
}

/**
 * Browsers send the cookie with requests of other sites' pages too. `Sec-Fetch-Site` tells such requests apart, for every method. Older
 * browsers send only `Origin`; programs send neither.
 */
function requireOwnPage(headers: Headers, origin: string): void {
  const site = headers.get('sec-fetch-site');
  const isForeign =
    site === null
      ? ![null, origin].includes(headers.get('origin'))
      : site !== 'same-origin' && site !== 'none';
  if (isForeign) throw new DomainError('FORBIDDEN', 'Only pages of this service may use its sessions.');
}

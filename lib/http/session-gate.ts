import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import type { SessionActor } from '../accounts/find-session.ts';
import { DomainError } from '../errors.ts';

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
    find: (value: string) => Promise<SessionActor | undefined>;
  };
}

/**
 * Passes only people who are signed in and sets `actor`; others get `UNAUTHORIZED`. Nothing is cached, so that a sign-out takes effect at
 * once. A token in `Authorization` is ignored.
 */
export function sessionGate<Resources extends SessionResources>(): MiddlewareHandler<{
  Variables: SessionVariables & { resources: Resources };
}> {
  return async function sessionGate(c, next) {
    c.set('actor', await requireSession(c, c.var.resources, 'Sign in at `/api/auth/sign-in`.'));
    await next();
  };
}

/**
 * The person who is signed in by the request's cookie. Throws `FORBIDDEN` if another site's page sent the request, and `UNAUTHORIZED` with
 * `sentence` without a session.
 */
export async function requireSession(
  c: Context,
  { origin, sessions }: SessionResources,
  sentence: string,
): Promise<SessionActor> {
  requireOwnPage(c.req.raw.headers, origin);
  const value = getCookie(c, sessions.cookie);
  const actor = value === undefined ? undefined : await sessions.find(value);
  if (actor === undefined) throw new DomainError('UNAUTHORIZED', sentence);
  return actor;
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

import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import type { SessionActor } from '../accounts/find-session.ts';
import { DomainError } from '../errors.ts';

export interface SessionVariables {
  actor: SessionActor;
}

export interface SessionResources {
  /** Of the service's own pages, the only ones that may use a session. */
  origin: string;
  sessions: {
    /** The cookie's name. */
    cookie: string;
    /** Who a cookie's value belongs to. */
    find: (value: string) => Promise<SessionActor | undefined>;
  };
}

/**
 * Lets only people pass who are signed in, as `actor`; others get `UNAUTHORIZED`. Nothing is remembered: who signs out is out at
 * once. A token in `Authorization` opens nothing here.
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
 * Who is signed in by the request's cookie. Throws `FORBIDDEN` for a request of another site's page, and `UNAUTHORIZED` with this
 * sentence for one without a session.
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
 * A browser sends the cookie along with what other sites' pages ask. It says so in `Sec-Fetch-Site`, for every method; older browsers
 * send `Origin` alone. Programs send neither.
 */
function requireOwnPage(headers: Headers, origin: string): void {
  const site = headers.get('sec-fetch-site');
  const isForeign =
    site === null
      ? ![null, origin].includes(headers.get('origin'))
      : site !== 'same-origin' && site !== 'none';
  if (isForeign) throw new DomainError('FORBIDDEN', 'Only pages of this service may use its sessions.');
}

import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import type { SessionActor } from '../accounts/find-session.ts';
import { DomainError } from '../errors.ts';

export interface SessionVariables {
  actor: SessionActor;
}

export interface SessionResources {
  sessions: {
    /** The cookie's name. */
    cookie: string;
    /** Who a cookie's value belongs to. */
    find: (value: string) => Promise<SessionActor | undefined>;
  };
}

/**
 * Lets only people pass who are signed in, as `actor`; others get `UNAUTHORIZED`. Nothing is remembered: who signs out is out at
 * once. A token in `Authorization` opens nothing here. Other sites' pages are kept out by `originGate` and `SameSite`.
 */
export function sessionGate<Resources extends SessionResources>(): MiddlewareHandler<{
  Variables: SessionVariables & { resources: Resources };
}> {
  return async function sessionGate(c, next) {
    c.set('actor', await requireSession(c, c.var.resources));
    await next();
  };
}

async function requireSession(c: Context, { sessions }: SessionResources): Promise<SessionActor> {
  const value = getCookie(c, sessions.cookie);
  const actor = value === undefined ? undefined : await sessions.find(value);
  if (actor !== undefined) return actor;
  throw new DomainError('UNAUTHORIZED', 'Sign in at `/api/auth/sign-in`.');
}

import type { Sql } from './db.ts';

/** Who asks. Ownership follows from it, never from a body. */
export type Actor = { kind: 'public' } | { kind: 'apiToken'; tokenId: string; userId: string };

/** What a verb may use of the outside world. Made once a request and passed; `lib/` reads no clock, env or global. */
export interface Ports {
  sql: Sql;
  /** The present instant, epoch milliseconds. */
  now: () => number;
}

export interface Context<A extends Actor = Actor> extends Ports {
  actor: A;
}

export type MemberContext = Context<Extract<Actor, { kind: 'apiToken' }>>;

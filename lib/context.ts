import type { Sql } from './db.ts';

/** Who asks. Ownership follows from it, never from a body. */
export type Actor =
  | { kind: 'public' }
  | { kind: 'apiToken'; tokenId: string; userId: string }
  | { kind: 'session'; sessionId: string; userId: string }
  | {
      kind: 'ingestKey';
      keyId: string;
      projectId: string;
      environmentId: string;
      /** The environment's number in telemetry's tables. */
      environmentKey: number;
      outcomes: boolean;
    }
  | {
      kind: 'queryToken';
      tokenId: string;
      userId: string;
      scopes: readonly string[];
      /** Null: all that the person is a member of. */
      projectIds: readonly string[] | null;
      siteIds: readonly string[] | null;
    }
  | { kind: 'share'; shareId: string; siteId: string };

export type IngestKeyActor = Extract<Actor, { kind: 'ingestKey' }>;

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

/** Of verbs that take a person who is signed in. */
export type SessionContext = Context<Extract<Actor, { kind: 'session' }>>;

/** Of verbs that only read a site's reports: a member asks, or whoever has a share of the site. */
export type ReportContext = Context<Extract<Actor, { kind: 'apiToken' | 'share' }>>;

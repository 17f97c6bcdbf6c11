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
  | { kind: 'share'; shareId: string; siteId: string }
  /** Whoever runs the service: scripts on its own database. */
  | { kind: 'operator' };

export type ActorOf<Kind extends Actor['kind']> = Extract<Actor, { kind: Kind }>;

export type IngestKeyActor = ActorOf<'ingestKey'>;

/** A person, by an API token of theirs or signed in. */
export type MemberActor = ActorOf<'apiToken' | 'session'>;

/** Who may read a site's reports. */
export type ReaderActor = ActorOf<'apiToken' | 'session' | 'queryToken' | 'share' | 'operator'>;

/** What a verb may use of the outside world. Made once a request and passed; `lib/` reads no clock, env or global. */
export interface Ports {
  sql: Sql;
  /** The present instant, epoch milliseconds. */
  now: () => number;
}

export interface Context<A extends Actor = Actor> extends Ports {
  actor: A;
}

/** Of verbs on what belongs to projects, which their members may see and managers may change. */
export type MemberContext = Context<MemberActor>;

/** Of verbs that take a person who is signed in. */
export type SessionContext = Context<ActorOf<'session'>>;

/** Of verbs that take what a backend sends. */
export type IngestContext = Context<IngestKeyActor>;

/** Of verbs that only read a site's reports. */
export type ReportContext = Context<ReaderActor>;

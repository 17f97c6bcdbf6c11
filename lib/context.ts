import type { Sql } from './db.ts';
import type { Replica } from './replica.ts';

/** `read`: everything that it opens is only read, whatever the person's role is. */
export type KeyAccess = 'read' | 'write';

/** What a key or token of a person opens, of what the person may see at the moment. */
export interface Opened {
  /** Null: all projects. */
  projectIds: readonly string[] | null;
  /** Null: all sites of those projects. */
  siteIds: readonly string[] | null;
}

/** Who asks. Ownership follows from the actor, never from a body. */
export type Actor =
  | { kind: 'public' }
  | ({ kind: 'apiToken'; tokenId: string; userId: string; access: KeyAccess } & Opened)
  | { kind: 'session'; sessionId: string; userId: string }
  | {
      kind: 'ingestKey';
      keyId: string;
      projectId: string;
      environmentId: string;
      /** The environment's key in the telemetry tables. */
      environmentKey: number;
      outcomes: boolean;
    }
  | ({ kind: 'queryToken'; tokenId: string; userId: string; scopes: readonly string[] } & Opened)
  | {
      kind: 'share';
      shareId: string;
      siteId: string;
      /** The reports that it shows. */
      reports: readonly string[];
    }
  /** Whoever opened a link that resets a password. */
  | { kind: 'mailedLink'; userId: string }
  /** The operator of the service: scripts on its own database. */
  | { kind: 'operator' };

export type ActorOf<Kind extends Actor['kind']> = Extract<Actor, { kind: Kind }>;

export type IngestKeyActor = ActorOf<'ingestKey'>;

/** A person, by an API token or a session. */
export type MemberActor = ActorOf<'apiToken' | 'session'>;

/** A person who may change definitions and settings: also by a query token with the scope `control:write`. */
export type ControlActor = ActorOf<'apiToken' | 'session' | 'queryToken'>;

/** Actors that may read a site's reports. */
export type ReaderActor = ActorOf<'apiToken' | 'session' | 'queryToken' | 'share' | 'operator'>;

export type CountReports = (count: number) => Promise<void>;

/** What a verb uses of the outside world. Made once per request and passed on; `lib/` reads no clock, env or global. */
export interface Ports {
  sql: Sql;
  /** Answers questions where it can. Absent: the database does. */
  replica?: Replica | undefined;
  /** The present instant, epoch milliseconds. Reports of one request have the same. */
  now: () => number;
  /** How time passes, where `now` stands still. */
  clock?: (() => number) | undefined;
  /**
   * Counts reports that are about to be read in the asker's limit. Throws `RATE_LIMITED`. Absent where nobody asks, as in a cron.
   */
  countReports?: CountReports;
  /** Continues work after the answer is sent, which a later request or cron repeats. Absent where nothing is to follow. */
  afterwards?: ((work: Promise<unknown>) => void) | undefined;
}

export interface Context<A extends Actor = Actor> extends Ports {
  actor: A;
}

/** For verbs on data of projects: members may read, managers may change. */
export type MemberContext = Context<MemberActor>;

/** For verbs that need a person who is signed in. */
export type SessionContext = Context<ActorOf<'session'>>;

/** For verbs that accept data from a backend. */
export type IngestContext = Context<IngestKeyActor>;

/** For verbs that only read a site's reports. */
export type ReportContext = Context<ReaderActor>;

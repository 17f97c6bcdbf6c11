/** What a check of `npm run doctor` is, and what it works with. */
import type { Sql } from '../../lib/db.ts';
import type { Redis } from '../../lib/redis.ts';
import type { Provider } from '../../tooling/provider/connect-provider.ts';

export interface Patient {
  /** The service's address and that of the content service, without a final slash. */
  url: string;
  contentUrl: string | undefined;
  /** The database with its owner's rights; undefined if its address isn't known. */
  sql: Sql | undefined;
  /** Why the database can't be reached; undefined: it can, or its address isn't known. */
  databaseFault?: string | undefined;
  /** The Redis of the content service's guides. */
  redis: Redis | undefined;
  /** Why Redis can't be reached; undefined: it can, or its address isn't known. */
  redisFault?: string | undefined;
  /** The account at the provider; undefined where there is none, as with `npm run dev`. */
  provider: Pick<Provider, 'secrets' | 'queues' | 'backlog' | 'deployments'> | undefined;
  /** The connection strings of functions that have a role of their own, if their passwords are known: the role to it. */
  roles: ReadonlyMap<string, string>;
  fetch: typeof fetch;
  /** Epoch milliseconds. */
  now: () => number;
  /** How long a page view and a span may take to be in reports. */
  patienceMs: number;
}

export interface Finding {
  fault: string;
  /** The command, or the one action, that mends it. */
  mend: string;
}

/** `notChecked` says why a check could not be made, and how it could. */
export interface Outcome {
  findings: Finding[];
  /** What is right, in a few words. */
  well?: string;
  notChecked?: string;
}

export interface Check {
  title: string;
  run(patient: Patient): Promise<Outcome>;
}

/** The outcome of a check without a database. */
export const withoutDatabase = ({ databaseFault }: Patient): Outcome => ({
  findings: [],
  notChecked:
    databaseFault === undefined
      ? 'needs DATABASE_URL, the owner’s address of the database'
      : 'the database can’t be reached',
});

export const isLoopback = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);

export function ageOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}

import type { Actor, Context } from './context.ts';
import { type Fragment, isLate, reach, type Sql } from './db.ts';
import { TooLate } from './errors.ts';
import type { Replica } from './replica.ts';

/** Whose questions count together: a person, however they ask, or a share. Null: the operator, who has no bound. */
function askerOf(actor: Actor): string | null {
  if ('userId' in actor) return actor.userId;
  return actor.kind === 'share' ? actor.shareId : null;
}

/**
 * The first statement of a question's transaction. It takes one of the asker's slots (`begin_question`), and switches off just-in-time
 * compilation, which takes longer than any question. `reach` turns its refusal into `RATE_LIMITED`.
 */
const beginQuestion = (sql: Sql, actor: Actor) =>
  sql`select set_config('jit', 'off', true), begin_question(${askerOf(actor)}::uuid)`;

/** A statement's rows. */
export type Rows = Awaited<ReturnType<Sql>>;

export interface Asked {
  statements: readonly Fragment[];
  /**
   * Selects one row with one column: what the asker may see of what is asked about, and how it is defined. A replica's answer counts if it says the same as
   * the database. Absent: a replica isn't asked.
   */
  subject?: Fragment | undefined;
}

export interface DatabaseAnswer {
  /** Of each statement. */
  results: Rows[];
  /** As of when the answer is, epoch milliseconds: before now if a replica gave it that lags. */
  asOf: number;
}

/**
 * Runs a question's statements in one transaction that only reads, with one snapshot, in one round trip: on the replica, if there is
 * one that is near enough, and otherwise on the database.
 *
 * @throws `RATE_LIMITED` if the asker has too many questions in the database, `UNAVAILABLE`, `TooLate`
 */
export async function askDatabase(
  { sql, replica, actor, now }: Context,
  { statements, subject }: Asked,
): Promise<DatabaseAnswer> {
  const asked = [beginQuestion(sql, actor), ...statements];
  if (replica !== undefined && subject !== undefined) {
    const answer = await askReplica(replica, { sql, now, asked, subject });
    if (answer !== undefined) return answer;
  }
  const [, ...results] = await reach(sql.transaction(asked, READING).catch(refuseLate));
  return { results: results as Rows[], asOf: now() };
}

function refuseLate(error: unknown): never {
  throw isLate(error) ? new TooLate(error) : error;
}

const READING = { isolationLevel: 'RepeatableRead', readOnly: true } as const;

/** An older answer isn't given: the database itself is asked. */
const MAX_AGE_MS = 30_000;

interface State {
  subject: string | null;
  /** The position in the write-ahead log, in bytes: a number of up to 64 bits as a text. */
  position: string;
  /** When the last transaction that the replica has was committed. Null: never, or this isn't a replica. */
  replayed_at: Date | null;
}

const selectState = (sql: Sql, subject: Fragment): Fragment => sql`
  select (${subject})::text as subject, pg_last_xact_replay_timestamp() as replayed_at,
    ((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end) - '0/0')::text as position`;

/** Undefined if the answer doesn't count: the replica is away, too far behind, or knows another state of what is asked about. */
async function askReplica(
  replica: Replica,
  {
    sql,
    now,
    asked,
    subject,
  }: { sql: Sql; now: () => number; asked: readonly Fragment[]; subject: Fragment },
): Promise<DatabaseAnswer | undefined> {
  const state = selectState(sql, subject);
  const [given, wanted] = await Promise.all([
    replica.ask((on) => on.transaction([...asked, state], READING), now()),
    reach(sql.transaction([state])).then(([rows]) => rows?.[0] as State),
  ]);
  if (given === undefined) return undefined;
  const [, ...results] = given as Rows[];
  const had = results.pop()?.[0] as State;
  if (had.subject === null || had.subject !== wanted.subject) return undefined;
  const present = now();
  const isWhole = BigInt(had.position) >= BigInt(wanted.position);
  const asOf = isWhole ? present : (had.replayed_at?.getTime() ?? 0);
  return present - asOf > MAX_AGE_MS ? undefined : { results, asOf };
}

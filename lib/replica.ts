import { isPassingFault, isTooManyQuestions, reach, type Sql } from './db.ts';

/** After a fault the replica isn't asked for this time. */
const REST_MS = 10_000;

/** A copy of the database that only answers questions, and may be behind or away (docs/scale.md#a-read-replica). */
export interface Replica {
  /**
   * Runs `question`; undefined if the replica is away or was a moment ago.
   *
   * @throws what the question itself is to blame for, and `RATE_LIMITED`
   */
  ask<Result>(question: (sql: Sql) => PromiseLike<Result>, now: number): Promise<Result | undefined>;
}

export function createReplica(sql: Sql): Replica {
  let restsUntil = 0;
  return {
    ask: async (question, now) => {
      if (now < restsUntil) return undefined;
      try {
        return await question(sql);
      } catch (error) {
        if (isTooManyQuestions(error) || !isPassingFault(error)) return reach(Promise.reject(error));
        restsUntil = now + REST_MS;
        return undefined;
      }
    },
  };
}

import type { Actor } from './context.ts';
import type { Sql } from './db.ts';

/** Whose questions count together: a person, however they ask, or a share. Null: the operator, who has no bound. */
function askerOf(actor: Actor): string | null {
  if ('userId' in actor) return actor.userId;
  return actor.kind === 'share' ? actor.shareId : null;
}

/**
 * The first statement of a question's transaction. It takes one of the asker's slots (`begin_question`), and switches off just-in-time
 * compilation, which takes longer than any question. `reach` turns its refusal into `RATE_LIMITED`.
 */
export const beginQuestion = (sql: Sql, actor: Actor) =>
  sql`select set_config('jit', 'off', true), begin_question(${askerOf(actor)}::uuid)`;

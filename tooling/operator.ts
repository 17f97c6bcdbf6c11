import type { OperatorContext } from '../lib/accounts/api-keys.ts';
import type { Sql } from '../lib/db.ts';

/** The context for verbs that the operator of the service calls. */
export const asOperator = (sql: Sql): OperatorContext => ({
  sql,
  now: Date.now,
  actor: { kind: 'operator' },
  requestId: crypto.randomUUID(),
  tool: 'npm run account',
  inputHash: null,
});

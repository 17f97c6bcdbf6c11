import type { OperatorContext } from '../lib/accounts/api-keys.ts';
import type { Sql } from '../lib/db.ts';

/** What verbs get of whoever runs the service. */
export const asOperator = (sql: Sql): OperatorContext => ({
  sql,
  now: Date.now,
  actor: { kind: 'operator' },
  requestId: crypto.randomUUID(),
  tool: 'npm run account',
  inputHash: null,
});

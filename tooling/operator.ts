import type { OperatorContext } from '../lib/accounts/api-keys.ts';
import type { Sql } from '../lib/db.ts';

/** The context for verbs that the operator of the service calls. `tool` is the command, as the audit log names it. */
export const asOperator = (
  sql: Sql,
  { tool = 'npm run account', inputHash = null }: { tool?: string; inputHash?: string | null } = {},
): OperatorContext => ({
  sql,
  now: Date.now,
  actor: { kind: 'operator' },
  requestId: crypto.randomUUID(),
  tool,
  inputHash,
});

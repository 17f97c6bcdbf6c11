/** People who are signed in, as verbs of `lib/` take them. */
import { randomUUID } from 'node:crypto';
import type { AccountContext } from '../../lib/accounts/account-context.ts';
import type { ActorOf } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';

export interface Signed {
  userId: string;
  ctx: AccountContext & { actor: ActorOf<'session'> };
}

/** A person with the context of their calls. No mail is sent. */
export const signed = (sql: Sql, userId: string, sessionId: string): Signed => ({
  userId,
  ctx: {
    ...{ sql, now: Date.now, actor: { kind: 'session', userId, sessionId } },
    ...{ requestId: randomUUID(), tool: 'test', inputHash: null },
    ...{ publicUrl: 'https://vendor.example', authKeys: { current: 'a key' }, language: 'en' as const },
    ...{ sendInvitation: async () => {}, sendConfirmation: async () => {} },
  },
});

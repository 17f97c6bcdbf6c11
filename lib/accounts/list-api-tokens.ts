import type { Ports } from '../context.ts';
import { reach } from '../db.ts';

export interface ApiTokenSummary {
  id: string;
  name: string;
  createdAt: Date;
  /** Exact to a minute; null: never. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** The API tokens of the person with this address, newest first; never the tokens themselves. */
export async function listApiTokens(
  ctx: Pick<Ports, 'sql'>,
  { email }: { email: string },
): Promise<ApiTokenSummary[]> {
  const rows = await reach(ctx.sql`
    select t.id, t.name, t.created_at as "createdAt", t.last_used_at as "lastUsedAt", t.revoked_at as "revokedAt"
    from api_tokens t join users u on u.id = t.user_id
    where lower(u.email) = lower(${email}) order by t.created_at desc`);
  return rows as ApiTokenSummary[];
}

import type { Ports } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';

/** Revokes an API token: refused everywhere within 60 s. Throws `NOT_FOUND` for one that isn't there or was revoked before. */
export async function revokeApiToken(ctx: Pick<Ports, 'sql'>, { id }: { id: string }): Promise<void> {
  const revoked = await reach(ctx.sql`
    update api_tokens set revoked_at = now() where id::text = ${id} and revoked_at is null returning id`);
  if (revoked.length === 0) throw notFound('API token');
}

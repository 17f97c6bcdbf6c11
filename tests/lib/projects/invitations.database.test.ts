import { expect, test } from 'vitest';
import { inviteMember } from '../../../lib/projects/invitations.ts';
import { signed } from '../../security/signed.ts';
import { createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

test('only the invitation of an owner takes a fresh proof', async () => {
  const { sql } = database();
  const { userId, projectId } = await createTenant(sql);
  const [session] = await sql`
    update user_sessions set created_at = now() - interval '11 minutes' where user_id = ${userId} returning id`;
  const { ctx } = signed(sql, userId, session?.id);
  for (const role of ['viewer', 'admin'] as const)
    expect((await inviteMember(ctx, { projectId, role })).url).toContain('#');
  await expect(inviteMember(ctx, { projectId, role: 'owner' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

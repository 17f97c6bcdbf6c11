import { expect, test } from 'vitest';
import { listOrphans } from '../../../lib/projects/orphans.ts';
import { Orphan } from '../../../lib/projects/schemas.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTeam, expectFits, MEMBERS_MAY, outcomesOf } from '../../security/team.ts';
import { removeFrom } from '../../security/tenant.ts';
import { addShare } from '../../security/test-share.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

test('what people made who left is listed while it works, oldest first', async () => {
  const { sql } = database();
  const team = await createTeam(sql);
  const { projectId, siteId, viewer, admin, owner } = team;
  const list = () => listOrphans(viewer.ctx, { projectId });
  expect(await outcomesOf(team, ({ ctx }) => listOrphans(ctx, { projectId }))).toEqual(MEMBERS_MAY);

  const share = async (by: string | null, expiresAt?: string) => {
    const { shareId } = await addShare(sql, siteId, expiresAt === undefined ? {} : { expiresAt });
    await sql`update site_shares set created_by = ${by}, created_at = '2026-01-02T00:00:00Z' where id = ${shareId}`;
    return shareId;
  };
  const key = async (by: string | null, revokedAt: string | null = null) => {
    const { ingestKeyId, environmentId } = await addIngestKey(sql, projectId);
    await sql`
      update ingest_keys set created_by = ${by}, revoked_at = ${revokedAt}, created_at = '2026-01-01T00:00:00Z'
      where id = ${ingestKeyId}`;
    return { ingestKeyId, environmentId };
  };
  const [shareId] = [await share(admin.userId), await share(owner.userId), await share(null)];
  const [{ ingestKeyId, environmentId }] = [
    await key(admin.userId),
    await key(owner.userId),
    await key(null),
  ];
  const later = await share(admin.userId, '2126-01-01T00:00:00Z');
  await share(admin.userId, '2026-01-01T00:00:00Z');
  await key(admin.userId, '2026-01-02T00:00:00Z');
  await sql`update site_shares set created_at = '2026-01-03T00:00:00Z' where id = ${later}`;
  expect(await list()).toEqual([]);

  await removeFrom(sql, projectId, { ...admin, token: '', cookie: '' });
  const createdBy = { userId: admin.userId, name: 'admin', isMember: false };
  const shared = { kind: 'share', name: 'For the board', createdBy, siteId, site: 'Example' };
  expect(await list()).toEqual([
    {
      ...{
        kind: 'ingestKey',
        id: ingestKeyId,
        name: 'test',
        createdAt: '2026-01-01T00:00:00.000Z',
        createdBy,
      },
      ...{ environmentId, environment: 'production' },
    },
    { ...shared, id: shareId, createdAt: '2026-01-02T00:00:00.000Z' },
    { ...shared, id: later, createdAt: '2026-01-03T00:00:00.000Z' },
  ]);

  for (const orphan of await list()) expectFits(Orphan, orphan);

  await sql`delete from users where id = ${admin.userId}`;
  expect((await list()).map((orphan) => orphan.createdBy)).toEqual([null, null, null]);
  await sql`
    insert into site_shares (site_id, name, hash, reports, created_by)
    select ${siteId}, n::text, sha256(gen_random_uuid()::text::bytea), '{}', gen_random_uuid() from generate_series(1, 200) n`;
  expect(await list()).toHaveLength(200);
});

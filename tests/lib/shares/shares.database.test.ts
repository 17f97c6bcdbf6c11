import { expect, test } from 'vitest';
import { findShare } from '../../../lib/shares/find-share.ts';
import { isPassword } from '../../../lib/shares/password.ts';
import { CreatedShare, SHARED_REPORTS, Share } from '../../../lib/shares/schemas.ts';
import { createShareSecrets } from '../../../lib/shares/secret.ts';
import { createShare, listShares, revokeShare } from '../../../lib/shares/shares.ts';
import { hashToken } from '../../../lib/tokens.ts';
import {
  createTeam,
  endSessions,
  expectFits,
  linesOf,
  MANAGERS_MAY,
  MEMBERS_MAY,
  outcomeOf,
  outcomesOf,
  type SignedPerson,
} from '../../security/team.ts';
import { createSite } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();
const shareSecrets = createShareSecrets('s'.repeat(32));
const by = ({ ctx }: SignedPerson) => ({ ...ctx, shareSecrets });
const secretOf = ({ url }: { url: string | null }) => url?.split('/').at(-1) ?? '';
const find = async (share: { url: string | null }) =>
  findShare({ sql: database().sql }, await hashToken(secretOf(share)));

test('a share shows all reports unless it names some, and no frame shows it', async () => {
  const { sql } = database();
  const { admin, siteId, projectId } = await createTeam(sql);
  const share = await createShare(by(admin), { siteId, name: 'Board' });
  expectFits(CreatedShare, share);
  const secret = await shareSecrets.secretOf(share.id);
  expect(share).toEqual({
    ...{ id: share.id, name: 'Board', reports: SHARED_REPORTS, hasPassword: false, embedOrigins: [] },
    ...{ expiresAt: null, createdAt: expect.stringMatching(/^\d{4}-.+Z$/) },
    createdBy: { userId: admin.userId, name: 'admin', isMember: true },
    url: `https://vendor.example/api/v1/shares/${secret}`,
    pageUrl: `https://vendor.example/share/${secret}`,
  });
  expect(await find(share)).toEqual({
    ...{ shareId: share.id, siteId, name: 'Board', password: null, reports: SHARED_REPORTS },
    ...{
      embedOrigins: [],
      expiresAt: null,
      site: { name: 'Example', domain: 'example.com', timezone: 'UTC' },
    },
  });
  expect(await findShare({ sql }, await hashToken('no share'))).toBeUndefined();
  expect(await sql`select site from audit_log where project_id = ${projectId}`).toEqual([{ site: siteId }]);
  expect(await linesOf(sql, projectId)).toEqual([`share.create ${share.id} Board`]);
});

test('a share keeps what it was given, and of the password a hash', async () => {
  const { sql } = database();
  const { owner, siteId } = await createTeam(sql);
  const now = Date.UTC(2026, 0, 1);
  const ctx = { ...by(owner), now: () => now };
  const given = {
    name: 'B',
    reports: ['pages' as const],
    embedOrigins: ['*'],
    expiresAt: '2026-01-01T00:00:00.001Z',
  };
  const share = await createShare(ctx, { siteId, password: 'salt and brine', ...given });
  expect(share).toMatchObject({ ...given, hasPassword: true });
  expect(await listShares(ctx, { siteId })).toEqual([share]);
  const found = await find(share);
  expect(found).toMatchObject({ ...given, expiresAt: new Date(given.expiresAt) });
  expect(await isPassword('salt and brine', found?.password ?? '')).toBe(true);
  for (const expiresAt of ['2026-01-01T00:00:00.000Z', '2025-12-31T23:59:59Z'])
    await expect(createShare(ctx, { siteId, name: 'B', expiresAt })).rejects.toMatchObject({
      ...{ code: 'VALIDATION_ERROR', details: [{ path: 'expiresAt', message: 'must be in the future' }] },
    });
});

test('members see shares, oldest first; only managers make them and see their links', async () => {
  const { sql } = database();
  const team = await createTeam(sql);
  const { siteId, owner, admin, viewer } = team;
  expect(await outcomesOf(team, (person) => listShares(by(person), { siteId }))).toEqual(MEMBERS_MAY);
  expect(await listShares(by(viewer), { siteId })).toEqual([]);
  expect(
    await outcomesOf(team, (person) => createShare(by(person), { siteId, name: person.userId })),
  ).toEqual(MANAGERS_MAY);
  await sql`
    update site_shares set created_at = '2026-01-02T03:04:05Z', expires_at = '2026-01-03T00:00:00Z' where name = ${owner.userId}`;
  const shares = await listShares(by(owner), { siteId });
  expect(shares).toMatchObject([
    { name: owner.userId, createdAt: '2026-01-02T03:04:05.000Z', expiresAt: '2026-01-03T00:00:00.000Z' },
    { name: admin.userId, createdBy: { name: 'admin' } },
  ]);
  for (const share of shares) expect(await find(share)).toMatchObject({ shareId: share.id });
  expect(await listShares(by(admin), { siteId })).toEqual(shares);
  const withoutLinks = shares.map((share) => ({ ...share, url: null, pageUrl: null }));
  expect(await listShares(by(viewer), { siteId })).toEqual(withoutLinks);
  for (const share of [...shares, ...withoutLinks]) expectFits(Share, share);
  // A new key shows no links of the old one.
  const later = { ...by(owner), shareSecrets: createShareSecrets('t'.repeat(32)) };
  expect(await listShares(later, { siteId })).toEqual(withoutLinks);
});

test('managers revoke shares of the site', async () => {
  const { sql } = database();
  const team = await createTeam(sql);
  const { siteId, owner, projectId } = team;
  const otherSite = await createSite(sql, projectId);
  const share = await createShare(by(owner), { siteId, name: 'Board' });
  const kept = await createShare(by(owner), { siteId, name: 'Kept' });
  const one = { siteId, shareId: share.id };
  await expect(revokeShare(owner.ctx, { ...one, siteId: otherSite })).rejects.toMatchObject({
    ...{ code: 'NOT_FOUND', message: 'No such share.' },
  });
  expect(await find(share)).toBeDefined();
  expect(await outcomesOf(team, ({ ctx }) => revokeShare(ctx, one))).toEqual({
    ...MANAGERS_MAY,
    owner: 'NOT_FOUND',
  });
  expect(await find(share)).toBeUndefined();
  expect(await listShares(by(owner), { siteId })).toEqual([kept]);
  expect(await linesOf(sql, projectId)).toContain(`share.revoke ${share.id} Board`);
  await expect(revokeShare(team.stranger.ctx, one)).rejects.toMatchObject({ message: 'No such site.' });
});

test('a site has at most 100 shares', async () => {
  const { sql } = database();
  const { siteId, owner, projectId } = await createTeam(sql);
  await sql`
    insert into site_shares (site_id, name, hash, reports)
    select ${siteId}, n::text, sha256(gen_random_uuid()::text::bytea), '{}' from generate_series(1, 99) n`;
  const make = (id: string) => outcomeOf(createShare(by(owner), { siteId: id, name: 'B' }));
  expect([await make(siteId), await make(siteId)]).toEqual(['done', 'CONFLICT']);
  expect(await make(await createSite(sql, projectId))).toBe('done');
});

test('a session that has ended makes no share', async () => {
  const { sql } = database();
  const { siteId, owner, admin } = await createTeam(sql);
  await endSessions(sql, owner);
  expect(await outcomeOf(createShare(by(owner), { siteId, name: 'B' }))).toBe('UNAUTHORIZED');
  expect(await listShares(by(admin), { siteId })).toEqual([]);
});

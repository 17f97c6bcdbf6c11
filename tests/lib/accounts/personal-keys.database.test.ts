/** API keys and query tokens: the same rules for both. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createApiKey, listApiKeys, revokeApiKey } from '../../../lib/accounts/api-keys.ts';
import { findApiToken } from '../../../lib/accounts/find-api-token.ts';
import { findQueryToken } from '../../../lib/accounts/find-query-token.ts';
import { createQueryToken, listQueryTokens, revokeQueryToken } from '../../../lib/accounts/query-tokens.ts';
import { ApiKey, CreatedApiKey, CreatedQueryToken, QueryToken } from '../../../lib/accounts/schemas.ts';
import type { Sql } from '../../../lib/db.ts';
import { hashToken, isToken } from '../../../lib/tokens.ts';
import {
  createTeam,
  endSessions,
  expectFits,
  linesOf,
  outcomeOf,
  type SignedPerson,
} from '../../security/team.ts';
import { createSite } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

type Ctx = SignedPerson['ctx'];
interface Limits {
  projectIds?: string[];
  siteIds?: string[];
  expiresAt?: string;
}

const KINDS = [
  {
    ...{ kind: 'api-key', prefix: 'vapi' as const, actor: 'apiToken', rights: { access: 'read' } },
    ...{ listed: ApiKey, created: CreatedApiKey },
    create: (ctx: Ctx, limits: Limits = {}) =>
      createApiKey(ctx, { name: 'laptop', access: 'read', ...limits }),
    ...{ list: listApiKeys, find: findApiToken },
    revoke: (ctx: Ctx, apiKeyId: string) => revokeApiKey(ctx, { apiKeyId }),
    // Only the keys of the test: everybody has one of `createPerson`.
    clear: (sql: Sql, userId: string) => sql`delete from api_tokens where user_id = ${userId}`,
    fill: (sql: Sql, userId: string) => sql`
      insert into api_tokens (user_id, name, hash, revoked_at)
      select ${userId}, n::text, sha256(gen_random_uuid()::text::bytea), case when n > 99 then now() end from generate_series(1, 110) n`,
    setUsed: (sql: Sql, id: string, seconds: number) =>
      sql`update api_tokens set last_used_at = now() - make_interval(secs => ${seconds}) where id = ${id}`,
    end: (sql: Sql, id: string) => sql`update api_tokens set expires_at = now() where id = ${id}`,
    setMade: (sql: Sql, id: string, at: string) =>
      sql`update api_tokens set created_at = ${at} where id = ${id}`,
  },
  {
    ...{
      kind: 'query-token',
      prefix: 'vqry' as const,
      actor: 'queryToken',
      rights: { scopes: ['sites:read'] },
    },
    ...{ listed: QueryToken, created: CreatedQueryToken },
    create: (ctx: Ctx, limits: Limits = {}) =>
      createQueryToken(ctx, { name: 'laptop', scopes: ['sites:read'], ...limits }),
    ...{ list: listQueryTokens, find: findQueryToken },
    revoke: (ctx: Ctx, queryTokenId: string) => revokeQueryToken(ctx, { queryTokenId }),
    clear: (sql: Sql, userId: string) => sql`delete from query_tokens where user_id = ${userId}`,
    fill: (sql: Sql, userId: string) => sql`
      insert into query_tokens (user_id, name, scopes, hash, revoked_at)
      select ${userId}, n::text, '{}', sha256(gen_random_uuid()::text::bytea), case when n > 99 then now() end from generate_series(1, 110) n`,
    setUsed: (sql: Sql, id: string, seconds: number) =>
      sql`update query_tokens set last_used_at = now() - make_interval(secs => ${seconds}) where id = ${id}`,
    end: (sql: Sql, id: string) => sql`update query_tokens set expires_at = now() where id = ${id}`,
    setMade: (sql: Sql, id: string, at: string) =>
      sql`update query_tokens set created_at = ${at} where id = ${id}`,
  },
];

describe.each(KINDS)('$kind', ({ kind, prefix, actor, rights, create, list, find, revoke, ...stored }) => {
  const { clear, fill, setUsed, end, setMade, listed, created } = stored;

  async function withoutKeys() {
    const { sql } = database();
    const team = await createTeam(sql);
    await clear(sql, team.admin.userId);
    return { sql, ...team, ctx: team.admin.ctx };
  }

  test('without limits it opens everything, in each project a line says so', async () => {
    const { sql, ctx, projectId, admin, stranger } = await withoutKeys();
    const [other] =
      await sql`select project_id as id from project_members where user_id = ${stranger.userId}`;
    await sql`insert into project_members (project_id, user_id, role) values (${other?.id}, ${admin.userId}, 'viewer')`;
    const { token, ...made } = await create(ctx);
    expect(isToken(prefix, token)).toBe(true);
    const opened = { projectIds: null, siteIds: null };
    expect(made).toEqual({
      ...{ id: expect.any(String), name: 'laptop', ...rights, ...opened, expiresAt: null, lastUsedAt: null },
      createdAt: expect.stringMatching(/^\d{4}-.+Z$/),
    });
    expectFits(created, { ...made, token });
    expectFits(listed, made);
    expect(await list(ctx)).toEqual([made]);
    expect(await find({ sql }, await hashToken(token))).toEqual({
      ...{
        actor: { kind: actor, tokenId: made.id, userId: admin.userId, ...rights, ...opened },
        endsAt: null,
      },
    });
    expect(await find({ sql }, await hashToken('unknown'))).toBeUndefined();
    for (const id of [projectId, other?.id])
      expect(await linesOf(sql, id)).toEqual([`${kind}.create ${made.id} laptop`]);
    const second = await create(ctx);
    await setMade(sql, second.id, '2026-01-02T03:04:05Z');
    expect(await list(ctx)).toMatchObject([
      { id: second.id, createdAt: '2026-01-02T03:04:05.000Z' },
      { id: made.id },
    ]);
  });

  test('it opens the named projects and sites until it ends', async () => {
    const { sql, ctx, projectId, siteId, admin, stranger } = await withoutKeys();
    const [other] =
      await sql`select project_id as id from project_members where user_id = ${stranger.userId}`;
    await sql`insert into project_members (project_id, user_id, role) values (${other?.id}, ${admin.userId}, 'viewer')`;
    const expiresAt = '2126-12-31T23:00:00.000Z';
    const all = { projectIds: [projectId], siteIds: [siteId], expiresAt };
    for (const limits of [all, { siteIds: [siteId] }, { projectIds: [projectId] }]) {
      const { token, ...made } = await create(ctx, limits);
      expect(made).toMatchObject({ projectIds: null, siteIds: null, expiresAt: null, ...limits });
      const found = await find({ sql }, await hashToken(token));
      expect(found?.actor).toMatchObject({
        projectIds: null,
        siteIds: null,
        ...('projectIds' in limits && { projectIds: limits.projectIds }),
        ...('siteIds' in limits && { siteIds: limits.siteIds }),
      });
      expect(found?.endsAt).toBe('expiresAt' in limits ? Date.parse(expiresAt) : null);
      expect(await linesOf(sql, projectId)).toContain(`${kind}.create ${made.id} laptop`);
    }
    expect(await linesOf(sql, other?.id)).toEqual([]);
    expect((await list(ctx)).map((key) => key.expiresAt)).toEqual([expiresAt, null, null]);
    for (const key of await list(ctx)) expectFits(listed, key);
  });

  test('nobody names what they don’t see, or a site outside the named projects', async () => {
    const { sql, ctx, projectId, siteId, stranger } = await withoutKeys();
    const [other] = await sql`
      select member.project_id as id, sites.id as site from project_members member join sites using (project_id)
      where user_id = ${stranger.userId}`;
    const outside = [
      ...[
        { projectIds: [other?.id] },
        { projectIds: [projectId, other?.id] },
        { projectIds: [randomUUID()] },
      ],
      ...[{ siteIds: [other?.site] }, { siteIds: [siteId, other?.site] }, { siteIds: [randomUUID()] }],
    ];
    for (const limits of outside)
      await expect(create(ctx, limits), JSON.stringify(limits)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'No such project or site.',
      });
    await sql`insert into project_members (project_id, user_id, role) values (${other?.id}, ${ctx.actor.userId}, 'viewer')`;
    expect(await outcomeOf(create(ctx, { projectIds: [projectId], siteIds: [other?.site] }))).toBe(
      'NOT_FOUND',
    );
    const both = {
      projectIds: [projectId, other?.id],
      siteIds: [other?.site, await createSite(sql, projectId)],
    };
    expect(await list(ctx)).toEqual([]);
    expect(await create(ctx, both)).toMatchObject(both);
  });

  test('it ends in the future, and then nothing finds it', async () => {
    const { sql, ctx } = await withoutKeys();
    const now = Date.UTC(2026, 0, 1);
    for (const expiresAt of ['2026-01-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z'])
      await expect(create({ ...ctx, now: () => now }, { expiresAt })).rejects.toMatchObject({
        ...{ code: 'VALIDATION_ERROR', details: [{ path: 'expiresAt' }] },
      });
    const { token, id } = await create({ ...ctx, now: () => now }, { expiresAt: '2126-01-01T00:00:00.001Z' });
    expect(await find({ sql }, await hashToken(token))).toMatchObject({ actor: { tokenId: id } });
    await end(sql, id);
    expect(await find({ sql }, await hashToken(token))).toBeUndefined();
    expect(await list(ctx)).toMatchObject([{ id }]);
  });

  test('its use is noted once a minute', async () => {
    const { sql, ctx } = await withoutKeys();
    const { token, id } = await create(ctx);
    const used = async () => (await list(ctx))[0]?.lastUsedAt;
    /** Whether a use this many seconds after the last one is noted. */
    const isNoted = async (seconds: number) => {
      await setUsed(sql, id, seconds);
      const before = await used();
      await find({ sql }, await hashToken(token));
      return (await used()) !== before;
    };
    await find({ sql }, await hashToken(token));
    expect(await used()).toEqual(expect.any(String));
    expect([await isNoted(55), await isNoted(65)]).toEqual([false, true]);
  });

  test('only its owner revokes it, once', async () => {
    const { sql, ctx, owner, projectId } = await withoutKeys();
    const { token, id } = await create(ctx);
    const kept = await create(ctx);
    expect(await outcomeOf(revoke(owner.ctx, id))).toBe('NOT_FOUND');
    expect([await outcomeOf(revoke(ctx, id)), await outcomeOf(revoke(ctx, id))]).toEqual([
      'done',
      'NOT_FOUND',
    ]);
    expect(await find({ sql }, await hashToken(token))).toBeUndefined();
    expect(await find({ sql }, await hashToken(kept.token))).toBeDefined();
    expect((await list(ctx)).map((key) => key.id)).toEqual([kept.id]);
    expect((await linesOf(sql, projectId)).filter((line) => line.startsWith(`${kind}.revoke`))).toEqual([
      `${kind}.revoke ${id} laptop`,
    ]);
  });

  test('a person has at most 100 that aren’t revoked', async () => {
    const { sql, ctx, admin } = await withoutKeys();
    await fill(sql, admin.userId);
    expect([await outcomeOf(create(ctx)), await outcomeOf(create(ctx))]).toEqual(['done', 'CONFLICT']);
    expect(await list(ctx)).toHaveLength(100);
  });

  test('a session that has ended makes none', async () => {
    const { sql, ctx, admin } = await withoutKeys();
    await endSessions(sql, admin);
    expect(await outcomeOf(create(ctx))).toBe('UNAUTHORIZED');
    expect(await list(ctx)).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ViewGrant } from '../../../lib/accounts/schemas.ts';
import { allowView, endView, isShown, listViewGrants, sendView } from '../../../lib/accounts/view-grants.ts';
import type { ActorOf } from '../../../lib/context.ts';
import { addQueryToken, type TokenLimits } from '../../security/session.ts';
import { createTeam, endSessions, expectFits, linesOf, outcomeOf, signIn } from '../../security/team.ts';
import { createPerson } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();
const PATH = '/sites?range=7d';

/** A person with a token, what the token may do, and a tab. */
async function withToken(limits: TokenLimits = {}) {
  const { sql } = database();
  const { owner, projectId, admin } = await createTeam(sql);
  const { queryTokenId } = await addQueryToken(sql, owner.userId, limits);
  const actor: ActorOf<'queryToken'> = {
    ...{ kind: 'queryToken', tokenId: queryTokenId, userId: owner.userId },
    ...{ scopes: [], projectIds: null, siteIds: null },
  };
  const tab = randomUUID();
  return {
    ...{ sql, owner, admin, projectId, queryTokenId, tab },
    allow: (minutes = 5) => allowView(owner.ctx, { queryTokenId, tab, minutes }),
    list: (shown?: string) => listViewGrants(owner.ctx, { tab, shown }),
    send: (path = PATH) => sendView({ ...owner.ctx, actor }, { path, projectId }),
  };
}

test('a token may change what a tab shows, for some minutes', async () => {
  const { sql, allow, list, queryTokenId, projectId, owner, tab } = await withToken();
  const granted = await allow(15);
  const [row] =
    await sql`select id, tab, session_id, expires_at - seen_at = interval '15 minutes' as right from view_grants where query_token_id = ${queryTokenId}`;
  expect(row).toEqual({ id: granted.id, tab, session_id: owner.ctx.actor.sessionId, right: true });
  expect(granted).toEqual({
    ...{ id: granted.id, queryTokenId, name: 'test', view: null },
    expiresAt: expect.stringMatching(/^\d{4}-.+Z$/),
  });
  expectFits(ViewGrant, granted);
  expect(await list()).toEqual([granted]);
  expect(await linesOf(sql, projectId)).toEqual([`view-grant.create ${queryTokenId} test`]);
});

test('a token changes one tab: the last that was allowed, from the start', async () => {
  const { allow, list, send, owner, queryTokenId } = await withToken();
  const first = await allow();
  await send();
  const tab = randomUUID();
  const second = await allowView(owner.ctx, { queryTokenId, tab, minutes: 1 });
  expect(second).toMatchObject({ view: null });
  expect(second.id).not.toBe(first.id);
  expect(await list()).toEqual([]);
  expect(await listViewGrants(owner.ctx, { tab })).toEqual([second]);
});

test.each<[string, TokenLimits, string]>([
  ['without the scope', { scopes: ['sites:read', 'control:write'] }, 'CONFLICT'],
  ['that has ended', { expiresAt: new Date(Date.now() - 1000) }, 'NOT_FOUND'],
  ['that ends later', { expiresAt: new Date(Date.now() + 3_600_000), scopes: ['view:write'] }, 'done'],
])('a token %s: %s', async (_, limits, outcome) => {
  const { allow, list, sql, projectId } = await withToken(limits);
  expect(await outcomeOf(allow())).toBe(outcome);
  expect([(await list()).length, (await linesOf(sql, projectId)).length]).toEqual(
    outcome === 'done' ? [1, 1] : [0, 0],
  );
});

test('only the caller’s own tokens that aren’t revoked are allowed, while the session lasts', async () => {
  const { sql, allow, admin, owner, queryTokenId, tab } = await withToken();
  expect(await outcomeOf(allowView(admin.ctx, { queryTokenId, tab, minutes: 5 }))).toBe('NOT_FOUND');
  await sql`update query_tokens set revoked_at = now() where id = ${queryTokenId}`;
  expect(await outcomeOf(allow())).toBe('NOT_FOUND');
  await sql`update query_tokens set revoked_at = null where id = ${queryTokenId}`;
  await sql`update user_sessions set expires_at = now() where user_id = ${owner.userId}`;
  expect(await outcomeOf(allow())).toBe('UNAUTHORIZED');
  await endSessions(sql, owner);
  expect(await outcomeOf(allow())).toBe('UNAUTHORIZED');
});

test('a view is sent to the tab, which says when it shows it', async () => {
  const { sql, allow, list, send, projectId, queryTokenId } = await withToken();
  const { id, ...granted } = await allow();
  expect(await list('2026-01-01T00:00:00.000Z')).toMatchObject([{ view: null }]);
  const sent = await send();
  if (sent === undefined) throw new Error('Nothing was sent.');
  expect(sent).toEqual({ grantId: id, sentAt: expect.any(Date), expiresAt: new Date(granted.expiresAt) });
  expect((await linesOf(sql, projectId)).filter((line) => line.startsWith('view.show'))).toEqual([
    `view.show ${id} -`,
  ]);
  const sentAt = sent.sentAt.toISOString();
  const view = { path: PATH, sentAt };
  const states = [await list(), await list(new Date(sent.sentAt.getTime() - 1).toISOString())];
  expect(states).toEqual(Array(2).fill([{ id, ...granted, view: { ...view, isShown: false } }]));
  expect(await isShown({ sql }, sent)).toBe(false);
  expect(await list(sentAt)).toEqual([{ id, ...granted, view: { ...view, isShown: true } }]);
  for (const grant of await list()) expectFits(ViewGrant, grant);
  expect(await isShown({ sql }, sent)).toBe(true);
  const [shown] = await sql`select shown_at from view_grants where query_token_id = ${queryTokenId}`;
  await list(sentAt);
  expect(await list()).toMatchObject([{ view: { isShown: true } }]);
  expect(await sql`select shown_at from view_grants where query_token_id = ${queryTokenId}`).toEqual([shown]);

  await sql`update view_grants set sent_at = sent_at - interval '1 second' where id = ${id}`;
  const next = await send('/sites/a');
  expect(await list()).toMatchObject([
    { view: { path: '/sites/a', sentAt: next?.sentAt.toISOString(), isShown: false } },
  ]);
  expect(await isShown({ sql }, sent)).toBe(false);
});

test('a tab that asks stays open', async () => {
  const { sql, allow, list, send, queryTokenId } = await withToken();
  await allow();
  await sql`update view_grants set seen_at = now() - interval '9 seconds' where query_token_id = ${queryTokenId}`;
  expect(await send()).toBeDefined();
  await sql`update view_grants set seen_at = now() - interval '11 seconds' where query_token_id = ${queryTokenId}`;
  expect(await send()).toBeUndefined();
  await list();
  expect(await send()).toBeDefined();
});

const ENDS: [string, (id: string) => PromiseLike<unknown>, isListed: boolean][] = [
  [
    'the grant is over',
    (id) => database().sql`update view_grants set expires_at = now() where query_token_id = ${id}`,
    false,
  ],
  [
    'the token is revoked',
    (id) => database().sql`update query_tokens set revoked_at = now() where id = ${id}`,
    false,
  ],
  [
    'the person signed out',
    (id) => database().sql`
    delete from user_sessions where user_id = (select user_id from query_tokens where id = ${id})`,
    false,
  ],
  [
    'the session is over',
    (id) => database().sql`
    update user_sessions set expires_at = now() where user_id = (select user_id from query_tokens where id = ${id})`,
    true,
  ],
];
test.each(ENDS)('no view is sent when %s', async (_, end, isListed) => {
  const { allow, list, send, queryTokenId, sql, projectId } = await withToken();
  await allow();
  await end(queryTokenId);
  expect(await send()).toBeUndefined();
  expect((await list()).length).toBe(isListed ? 1 : 0);
  expect((await linesOf(sql, projectId)).filter((line) => line.startsWith('view.show'))).toEqual([]);
});

test('a token that ended is no longer listed', async () => {
  const { sql, allow, list, queryTokenId } = await withToken({ expiresAt: new Date(Date.now() + 3_600_000) });
  await allow();
  expect(await list()).toHaveLength(1);
  await sql`update query_tokens set expires_at = now() where id = ${queryTokenId}`;
  expect(await list()).toEqual([]);
});

test('a tab is listed in its own session, by its own name', async () => {
  const { sql, allow, owner, admin, tab } = await withToken();
  await allow();
  expect(await listViewGrants(owner.ctx, { tab: randomUUID() })).toEqual([]);
  expect(await listViewGrants(admin.ctx, { tab })).toEqual([]);
  const elsewhere = await signIn(sql, await createPerson(sql));
  await sql`update user_sessions set user_id = ${owner.userId} where user_id = ${elsewhere.userId}`;
  expect(await listViewGrants(elsewhere.ctx, { tab })).toEqual([]);
});

test('its person ends a grant, from any session', async () => {
  const { sql, allow, list, send, owner, admin, projectId, queryTokenId } = await withToken();
  const { id: viewGrantId } = await allow();
  expect(await outcomeOf(endView(admin.ctx, { viewGrantId }))).toBe('NOT_FOUND');
  expect(await outcomeOf(endView(owner.ctx, { viewGrantId: randomUUID() }))).toBe('NOT_FOUND');
  const otherSession = { ...owner.ctx, actor: { ...owner.ctx.actor, sessionId: randomUUID() } };
  expect(await outcomeOf(endView(otherSession, { viewGrantId }))).toBe('done');
  expect(await outcomeOf(endView(owner.ctx, { viewGrantId }))).toBe('NOT_FOUND');
  expect([await list(), await send()]).toEqual([[], undefined]);
  expect(await linesOf(sql, projectId)).toContain(`view-grant.end ${queryTokenId} test`);
});

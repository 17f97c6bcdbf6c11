import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { bindCursor } from '../../../lib/bound-cursor.ts';
import { listAuditLog } from '../../../lib/projects/audit-log.ts';
import { renameProject } from '../../../lib/projects/projects.ts';
import { AuditEntry, type ListAuditLog } from '../../../lib/projects/schemas.ts';
import { createTeam, expectFits, MANAGERS_MAY, outcomesOf, type Team } from '../../security/team.ts';
import { removeFrom } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

interface Line {
  at?: string;
  actor?: object;
  action?: string;
  target?: string | null;
  result?: string;
  calls?: number;
  lastAt?: string | null;
}

async function addLine(projectId: string, line: Line) {
  const { at = '2026-11-01T00:00:00Z', actor = { kind: 'operator' }, action = 'goal.create' } = line;
  const { target = null, result = 'done', calls = 1, lastAt = null } = line;
  await database().sql`
    insert into audit_log (project_id, at, actor, action, request_id, target, result, calls, last_at)
    values (${projectId}, ${at}, ${JSON.stringify(actor)}, ${action}, 'r', ${target}, ${result}, ${calls}, ${lastAt})`;
}

type Filter = Omit<Partial<ListAuditLog>, 'projectId'>;
const list = ({ admin, projectId }: Team, filter: Filter = {}) =>
  listAuditLog(admin.ctx, { projectId, limit: 50, ...filter });

test('owners and admins read the log', async () => {
  const team = await createTeam(database().sql);
  const { projectId } = team;
  const read = () => outcomesOf(team, ({ ctx }) => listAuditLog(ctx, { projectId, limit: 1 }));
  expect(await read()).toEqual({ ...MANAGERS_MAY, viewer: 'FORBIDDEN' });
  expect(await list(team)).toEqual({ entries: [], nextCursor: null });
});

test('a line says who did what by which call', async () => {
  const { sql } = database();
  const team = await createTeam(sql);
  const { projectId, siteId, admin, owner, viewer } = team;
  const now = Date.UTC(2026, 10, 2);
  const call = { requestId: 'the call', tool: 'renameProject', inputHash: 'ab'.repeat(32) };
  await renameProject({ ...owner.ctx, ...call, now: () => now }, { projectId, name: 'New' });
  const tokenId = randomUUID();
  await addLine(projectId, {
    ...{ action: 'member.change', target: viewer.userId, calls: 3, lastAt: '2026-11-01T01:00:00Z' },
    actor: { kind: 'apiToken', userId: admin.userId, tokenId },
  });
  await sql`update audit_log set site = ${siteId} where action = 'member.change'`;
  const gone = randomUUID();
  await addLine(projectId, { at: '2026-10-01T00:00:00Z', actor: { kind: 'session', userId: gone } });
  await addLine(projectId, { at: '2026-09-01T00:00:00Z', target: 'a goal', result: 'FORBIDDEN' });
  await removeFrom(sql, projectId, { ...owner, token: '', cookie: '' });
  const nobody = { userId: null, name: null, email: null, tokenId: null };
  const byHand = {
    ...{ action: 'goal.create', site: null, target: null, requestId: 'r', tool: null },
    ...{ inputHash: null, result: 'done', calls: 1 },
  };
  for (const entry of (await list(team)).entries) expectFits(AuditEntry, entry);
  expect(await list(team)).toEqual({
    nextCursor: null,
    entries: [
      {
        ...{
          ...call,
          at: '2026-11-02T00:00:00.000Z',
          lastAt: '2026-11-02T00:00:00.000Z',
          action: 'project.rename',
        },
        ...{ site: null, target: { id: projectId, name: 'New' }, result: 'done', calls: 1 },
        actor: { ...nobody, kind: 'session', userId: owner.userId, name: 'owner' },
      },
      {
        ...{
          ...byHand,
          at: '2026-11-01T00:00:00.000Z',
          lastAt: '2026-11-01T01:00:00.000Z',
          action: 'member.change',
        },
        ...{ site: siteId, target: { id: viewer.userId, name: 'viewer' }, calls: 3 },
        actor: { kind: 'apiToken', userId: admin.userId, name: 'admin', email: admin.email, tokenId },
      },
      {
        ...{ ...byHand, at: '2026-10-01T00:00:00.000Z', lastAt: '2026-10-01T00:00:00.000Z' },
        actor: { ...nobody, kind: 'session', userId: gone },
      },
      {
        ...{ ...byHand, at: '2026-09-01T00:00:00.000Z', lastAt: '2026-09-01T00:00:00.000Z' },
        ...{
          target: { id: 'a goal', name: null },
          result: 'FORBIDDEN',
          actor: { ...nobody, kind: 'operator' },
        },
      },
    ],
  });
});

test('the log is read by action, person and result', async () => {
  const team = await createTeam(database().sql);
  const { projectId, owner, admin, stranger } = team;
  const lines: [string, string, string][] = [
    ['goal.create', 'done', owner.userId],
    ['goal.delete', 'FORBIDDEN', admin.userId],
    ['goals.create', 'dry_run', admin.userId],
    ['goal', 'unchanged', owner.userId],
  ];
  for (const [index, [action, result, userId]] of lines.entries())
    await addLine(projectId, {
      ...{ at: `2026-11-0${index + 1}T00:00:00Z`, action, result },
      actor: { kind: 'session', userId },
    });
  const found = async (filter: Filter) => (await list(team, filter)).entries.map(({ action }) => action);
  expect(await found({})).toEqual(['goal', 'goals.create', 'goal.delete', 'goal.create']);
  expect(await found({ action: 'goal' })).toEqual(['goal', 'goal.delete', 'goal.create']);
  expect(await found({ action: 'goal.create' })).toEqual(['goal.create']);
  expect(await found({ userId: admin.userId })).toEqual(['goals.create', 'goal.delete']);
  expect(await found({ userId: stranger.userId })).toEqual([]);
  expect(await found({ result: 'done' })).toEqual(['goal.create']);
  expect(await found({ result: 'failed' })).toEqual(['goal.delete']);
  expect(await found({ action: 'goal', userId: owner.userId, result: 'done' })).toEqual(['goal.create']);
});

test('pages follow each other without a gap, also within one microsecond', async () => {
  const team = await createTeam(database().sql);
  const { projectId } = team;
  const instants = ['00:00:00.000001', '00:00:00.000002', '00:00:00.000002', '00:00:00.000002', '00:00:01'];
  for (const [index, time] of instants.entries())
    await addLine(projectId, { at: `2026-11-01T${time}Z`, target: String(index) });
  const { entries, nextCursor } = await list(team);
  expect([entries.length, nextCursor]).toEqual([5, null]);
  expect([entries[0]?.target?.id, entries[4]?.target?.id]).toEqual(['4', '0']);
  const paged: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list(team, { limit: 2, ...(cursor !== undefined && { cursor }) });
    paged.push(...page.entries.map(({ target }) => String(target?.id)));
    sizes.push(page.entries.length);
    cursor = page.nextCursor;
  }
  expect(sizes).toEqual([2, 2, 1]);
  expect(paged).toEqual(entries.map(({ target }) => target?.id));
  expect((await list(team, { limit: 5 })).nextCursor).toBeNull();
  const { nextCursor: cursor } = await list(team, { limit: 4 });
  expect(await list(team, { limit: 1, cursor: cursor ?? '' })).toMatchObject({
    entries: [{ target: { id: '0' } }],
    nextCursor: null,
  });
});

test('a cursor continues the request that it came from, and nothing else', async () => {
  const team = await createTeam(database().sql);
  const { projectId } = team;
  for (const at of ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z']) await addLine(projectId, { at });
  const cursor = (await list(team, { limit: 1 })).nextCursor ?? '';
  await expect(list(team, { cursor, action: 'goal' })).rejects.toMatchObject({ code: 'CONFLICT' });
  const id = randomUUID();
  const positions = [
    '',
    `x1-${id}`,
    `1-${id}f`,
    `-${id}`,
    `${'9'.repeat(18)}-${id}`,
    `1-${id.slice(1)}`,
    `1-${id.toUpperCase()}G`,
    `1${id}`,
    'x',
  ];
  for (const wrong of [
    'x',
    ...(await Promise.all(positions.map((position) => bindCursor(position, { projectId })))),
  ])
    await expect(list(team, { cursor: wrong }), wrong).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  // The longest position is one of the year 5138.
  const future = await bindCursor(`${'9'.repeat(17)}-${id}`, { projectId });
  expect((await list(team, { cursor: future })).entries).toHaveLength(2);
});

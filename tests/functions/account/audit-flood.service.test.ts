/** A viewer who is refused again and again doesn't fill the owner's audit log. */
import { expect, test } from 'vitest';
import { auditAttempt, MAX_REFUSED_LINES } from '../../../lib/audit.ts';
import type { AuditEntry } from '../../../lib/projects/schemas.ts';
import { addMember, createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { newBrowser } from './browser.ts';

const stack = useStack();

async function createWorld() {
  const tenant = await createTenant(stack().sql);
  const viewer = await addMember(stack().sql, tenant.projectId, 'viewer');
  const owner = newBrowser(stack(), tenant.cookie);
  const log = `/api/v1/projects/${tenant.projectId}/audit-log?limit=100&result=failed`;
  const lines = async (): Promise<AuditEntry[]> => (await owner.json('GET', log)).data;
  return { ...tenant, viewer, lines };
}

test('a refused call that is repeated is one line with a count, also at the same moment', async () => {
  const { siteId, viewer, lines } = await createWorld();
  const browser = newBrowser(stack(), viewer.cookie);
  const path = `/api/v1/sites/${siteId}/analytics/goals`;
  const refuse = async (name: string) => (await browser.send('POST', path, { name, event: 'x' })).status;
  const answers = await Promise.all(Array.from({ length: 12 }, () => refuse('Same')));
  expect(new Set(answers)).toEqual(new Set([403]));
  const [line, ...others] = await lines();
  expect([line?.calls, others]).toEqual([12, []]);
  expect(Date.parse(line?.lastAt ?? '')).toBeGreaterThanOrEqual(Date.parse(line?.at ?? ''));
  await refuse('Another');
  expect((await lines()).map(({ calls }) => calls)).toEqual([1, 12]);
});

test('from the maximum on refused calls only count, and a dry run still has its line', async () => {
  const { projectId, viewer, lines } = await createWorld();
  const { sql } = stack();
  const start = Date.now();
  const attempt = (n: number, result: 'FORBIDDEN' | 'dry_run') =>
    auditAttempt(
      {
        ...{ sql, now: () => start + n, requestId: `request ${n}`, tool: 'createGoal' },
        actor: { kind: 'session', userId: viewer.userId, sessionId: crypto.randomUUID() },
        inputHash: n.toString(16).padStart(64, '0'),
      },
      { action: 'goal.create', projectId, result },
    );
  const over = 5;
  for (let n = 0; n < MAX_REFUSED_LINES + over; n++) await attempt(n, 'FORBIDDEN');
  const countOf = async () => {
    const [row] = await sql`
      select count(*)::integer as lines, sum(calls)::integer as calls from audit_log where project_id = ${projectId}`;
    return row;
  };
  expect(await countOf()).toEqual({ lines: MAX_REFUSED_LINES, calls: MAX_REFUSED_LINES + over });
  expect((await lines())[0]?.calls).toBe(1 + over);
  await attempt(MAX_REFUSED_LINES + over, 'dry_run');
  expect((await countOf())?.lines).toBe(MAX_REFUSED_LINES + 1);
});

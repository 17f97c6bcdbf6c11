import { expect, test } from 'vitest';
import { expireAudit } from '../../../lib/projects/expire-audit.ts';
import { createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();
const NOW = Date.parse('2026-11-24T03:45:00.000Z');

test('lines go after their time, in pieces, once a day', async () => {
  const { sql } = database();
  const { projectId } = await createTenant(sql);
  const line = (at: string, result: string) => sql`
    insert into audit_log (project_id, at, actor, action, request_id, result)
    values (${projectId}, ${at}, '{"kind": "operator"}', 'goal.create', 'r', ${result})`;
  for (const at of ['2024-10-24T03:44:59Z', '2024-10-24T03:45:00Z', '2026-11-01T00:00:00Z'])
    await line(at, 'done');
  for (const result of ['FORBIDDEN', 'dry_run'])
    for (const at of ['2026-08-26T03:44:59Z', '2026-08-26T03:45:00Z']) await line(at, result);
  const left = async () => {
    const rows =
      await sql`select at, result from audit_log where project_id = ${projectId} order by at, result`;
    return rows.map(({ at, result }) => `${at.toISOString()} ${result}`);
  };
  const before = await left();
  expect(before).toHaveLength(7);
  const run = (at: number) => expireAudit({ sql, now: () => at }, { maxRows: 2 });
  expect(await run(NOW - 1)).toEqual({ deletedRows: 0 });
  expect(await run(NOW + 15 * 60_000)).toEqual({ deletedRows: 0 });
  expect(await run(NOW)).toEqual({ deletedRows: 3 });
  expect(await left()).toEqual([
    '2024-10-24T03:45:00.000Z done',
    '2026-08-26T03:45:00.000Z FORBIDDEN',
    '2026-08-26T03:45:00.000Z dry_run',
    '2026-11-01T00:00:00.000Z done',
  ]);
});

import type { Actor } from '../context.ts';
import type { Sql } from '../db.ts';

export type ProjectAction =
  | 'project.rename'
  | 'member.invite'
  | 'member.uninvite'
  | 'member.join'
  | 'member.change'
  | 'member.remove'
  | 'environment.create'
  | 'environment.rename'
  | 'environment.delete'
  | 'ingest-key.create'
  | 'ingest-key.revoke'
  | 'origins.replace'
  | 'retention.replace';

interface Audited {
  sql: Sql;
  now: () => number;
  actor: Actor;
  requestId: string;
}

/**
 * Part of other statements: a line in the project's audit log if `done` has a row, whose `id` is what it was done to and
 * `project_id` where. Of the id a hash is kept, as of all that is audited.
 */
export const insertProjectAudit = (ctx: Audited, action: ProjectAction) => ctx.sql`
  insert into audit_log (project_id, at, actor, action, subject, request_id)
  select done.project_id, ${new Date(ctx.now()).toISOString()}::timestamptz, ${JSON.stringify(ctx.actor)}::jsonb,
    ${action}, sha256(convert_to(done.project_id::text || ' ' || done.id::text, 'UTF8')), ${ctx.requestId}
  from done
`;

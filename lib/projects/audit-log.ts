/** A project's audit log. lib/audit.ts writes its lines. */
import { memberProject, requireRole } from '../access.ts';
import { bindCursor, openCursor } from '../bound-cursor.ts';
import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { refuseCursor } from '../errors.ts';
import type { Role } from '../roles.ts';
import type { AuditEntry, ListAuditLog } from './schemas.ts';

interface AuditRow {
  id: string;
  at: Date;
  action: string;
  actor: { kind: string; userId?: string; tokenId?: string };
  actor_name: string | null;
  actor_email: string | null;
  site: string | null;
  target: string | null;
  target_name: string | null;
  request_id: string;
  tool: string | null;
  input_hash: string | null;
  result: string;
  calls: number;
  last_at: Date | null;
  micros: string;
}

export interface AuditPage {
  entries: AuditEntry[];
  /** The cursor of the next, older page; null at the end. */
  nextCursor: string | null;
}

/** Microseconds since 1970 and the id of the last line on the page. */
const POSITION = /^(\d{1,17})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * A project's audit log, newest first. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, because the log shows other members' actions, and
 * `VALIDATION_ERROR` for an invalid cursor. Reads the primary key of `audit_log` backwards: `limit` rows per page, and
 * with a filter as many as it leaves out, at most the project's log. Persons by the primary keys of `users` and `project_members`.
 */
export async function listAuditLog(
  ctx: SessionContext,
  { limit, cursor, ...request }: ListAuditLog,
): Promise<AuditPage> {
  const { projectId, action = null, userId = null, result = null } = request;
  const [, micros = null, id = null] =
    cursor === undefined ? [] : (POSITION.exec(await openCursor(cursor, request)) ?? refuseCursor());
  const rows = await reach(ctx.sql`
    select target.role, line.id, line.at, line.action, line.actor, person.name as actor_name,
      case when member.user_id is not null then person.email end as actor_email, line.site, line.target, line.request_id,
      coalesce(line.target_name, case when line.action like 'member.%' then (
        select name from users where users.id = line.target::uuid) end) as target_name,
      line.tool, encode(line.input_hash, 'hex') as input_hash, line.result, line.calls, line.last_at,
      (extract(epoch from line.at) * 1000000)::bigint::text as micros
    from (${memberProject(ctx, projectId)}) target
    left join lateral (
      select * from audit_log
      where audit_log.project_id = target.id and target.role in ('owner', 'admin') and (
        ${micros}::bigint is null or (audit_log.at, audit_log.id) <
          (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::uuid))
        and (${action}::text is null or audit_log.action = ${action} or starts_with(audit_log.action, ${action} || '.'))
        and (${userId}::text is null or audit_log.actor ->> 'userId' = ${userId})
        and (${result}::text is null
          or case when ${result} = 'done' then audit_log.result = 'done' else audit_log.result not in ('done', 'dry_run', 'unchanged') end)
      order by audit_log.at desc, audit_log.id desc limit ${limit + 1}
    ) line on true
    left join users person on person.id = (line.actor ->> 'userId')::uuid
    left join project_members member on member.user_id = person.id and member.project_id = target.id
    order by line.at desc, line.id desc
  `);
  requireRole<{ role: Role }>(rows, { what: 'project' });
  const lines = (rows as (AuditRow | { id: null })[]).flatMap((row) => (row.id === null ? [] : [row]));
  const page = lines.slice(0, limit);
  const last = page.at(-1);
  const more = lines.length > limit && last !== undefined;
  const nextCursor = more ? await bindCursor(`${last.micros}-${last.id}`, request) : null;
  return { entries: page.map(toEntry), nextCursor };
}

const toEntry = ({
  at,
  action,
  actor,
  actor_name,
  actor_email,
  site,
  target,
  target_name,
  request_id,
  tool,
  input_hash,
  result,
  calls,
  last_at,
}: AuditRow): AuditEntry => ({
  at: at.toISOString(),
  action,
  actor: {
    kind: actor.kind,
    userId: actor.userId ?? null,
    name: actor_name,
    email: actor_email,
    tokenId: actor.tokenId ?? null,
  },
  site,
  target: target === null ? null : { id: target, name: target_name },
  requestId: request_id,
  tool,
  inputHash: input_hash,
  result,
  calls,
  lastAt: (last_at ?? at).toISOString(),
});

import type { SessionContext } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Language } from '../languages.ts';
import type { SendMail } from '../mail.ts';
import type { Project, Role } from './schemas.ts';

/** Of verbs that change something of a project. */
export interface ProjectContext extends SessionContext {
  /** As in the log and in the answer's `X-Request-Id`. */
  requestId: string;
}

export interface AccountContext extends ProjectContext {
  /** Where browsers reach the service, without a final slash. */
  publicUrl: string;
  sendMail: SendMail;
  /** Of the caller, and so of what is mailed for them. */
  language: Language;
}

export interface ProjectRow {
  id: string;
  name: string;
  role: Role;
  created_at: Date;
}

export const toProject = ({ id, name, role, created_at }: ProjectRow): Project => ({
  id,
  name,
  role,
  createdAt: created_at.toISOString(),
});

/**
 * Part of other statements: the project if the caller is a member of it, with the caller's role; no row otherwise. One look-up
 * by the primary key of `project_members`.
 */
export const memberProject = (ctx: SessionContext, projectId: string) => ctx.sql`
  select project_id as id, role from project_members where project_id = ${projectId} and user_id = ${ctx.actor.userId}
`;

/** The same for an environment of the project: somebody else's environment is not found, whatever the project. */
export const memberEnvironment = (ctx: SessionContext, projectId: string, environmentId: string) => ctx.sql`
  select member.project_id as id, member.role, environments.id as environment_id
  from project_members member
  join environments on environments.project_id = member.project_id
  where member.project_id = ${projectId} and member.user_id = ${ctx.actor.userId} and environments.id = ${environmentId}
`;

/** What a statement answers that changes something of a project: the caller's role, and what was written, if it was. */
export type Written<Row> = { role: Role } & (Row | { id: null });

/**
 * The row that was written. Throws `NOT_FOUND` (of `what`) without any, `FORBIDDEN` for those whose role isn't in `may`, by default
 * viewers, and else what `refused` makes, by default `NOT_FOUND` too, if nothing was written.
 */
export function requireWritten<Row extends { id: string }>(
  rows: readonly Written<Row>[],
  {
    what,
    may = MANAGERS,
    refused = () => notFound(what),
  }: { what: string; may?: readonly Role[]; refused?: () => DomainError },
): Row {
  const [row] = rows;
  if (row === undefined) throw notFound(what);
  if (!may.includes(row.role)) throw lesserRole(may);
  if (row.id === null) throw refused();
  return row;
}

export const MANAGERS: readonly Role[] = ['owner', 'admin'];
export const OWNERS: readonly Role[] = ['owner'];

export const lesserRole = (may: readonly Role[]): DomainError =>
  new DomainError(
    'FORBIDDEN',
    may.includes('admin')
      ? 'You are a viewer of this project. Viewers may only read.'
      : 'Only owners of this project may do this.',
  );

/** First in a transaction whose next statement must see what others did to the project's members or environments. */
export const lockProject = (ctx: SessionContext, projectId: string) =>
  ctx.sql`select from projects where id = ${projectId} for update`;

/** Invitations: each is a link that makes one person a member of a project. */

import { MANAGERS, memberProject, OWNERS, requireWritten, stillHeld } from '../access.ts';
import type { AccountContext } from '../accounts/account-context.ts';
import { requireProof } from '../accounts/proofs.ts';
import { notSignedIn } from '../accounts/sessions.ts';
import type { ProjectContext } from '../audit.ts';
import { insertProjectAudit } from '../audit.ts';
import { toBase64Url } from '../bytes.ts';
import type { Ports, SessionContext } from '../context.ts';
import { type Fragment, reach, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { listed } from '../listed.ts';
import { MAILS } from '../mails.ts';
import type { Role } from '../roles.ts';
import { hashToken } from '../tokens.ts';
import { inTurn, turnOfPerson, turnOfProject, turnOfProjects } from '../turns.ts';
import { hasRoomForProject, type ProjectRow, tooManyProjects, toProject } from './project.ts';
import type {
  CreatedInvitation,
  Invitation,
  InvitationPreview,
  InviteMember,
  JoinProject,
  OneInvitation,
  OneProject,
  PreviewInvitation,
  Project,
} from './schemas.ts';

const VALID_DAYS = 7;
const MAX_INVITATIONS_A_PROJECT = 100;
const SECRET_BYTES = 32;

interface InvitationRow {
  id: string;
  invited_role: Role;
  created_at: Date;
  expires_at: Date;
}

const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  role: row.invited_role,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});

/**
 * Part of other statements: the condition that `invitation` hasn't ended and its maker may still give its role. By the primary key of
 * `project_members`.
 */
const isOpen = (sql: Sql) => sql`
  invitation.expires_at >= now() and exists (
    select from project_members maker
    where maker.user_id = invitation.created_by and maker.project_id = invitation.project_id
      and ${mayInvite(sql, sql`maker.role`, sql`invitation.role`)})`;

/** Part of other statements: the condition that a member with one role may invite somebody with the other. */
const mayInvite = (sql: Sql, role: Fragment, invited: Fragment) =>
  sql`(${role} = 'owner' or (${role} = 'admin' and ${invited} <> 'owner'))`;

/** A project's open invitations, oldest first, without their links. Throws `NOT_FOUND`. At most 100 rows, by index. */
export async function listInvitations(ctx: SessionContext, { projectId }: OneProject): Promise<Invitation[]> {
  const rows = await reach(ctx.sql`
    select invitation.id, invitation.role as invited_role, invitation.created_at, invitation.expires_at
    from (${memberProject(ctx, projectId)}) target
    left join project_invitations invitation on invitation.project_id = target.id and ${isOpen(ctx.sql)}
    order by invitation.created_at, invitation.id
  `);
  return listed<InvitationRow>(rows, 'project').map(toInvitation);
}

/**
 * Makes a link that lets one signed-in person join the project within 7 days; mails it if an address is given. Only owners invite owners,
 * after a fresh proof (`requireProof`).
 * Throws `NOT_FOUND`, `FORBIDDEN`, `CONFLICT` for too many invitations, and `UNAUTHORIZED` if the caller's session has ended meanwhile. Throws `RATE_LIMITED` or `UNAVAILABLE` if the mail isn't sent,
 * which voids the link. Also deletes the project's expired invitations, by `project_invitations_project`.
 */
export async function inviteMember(
  ctx: AccountContext,
  { projectId, role, email }: InviteMember,
): Promise<CreatedInvitation> {
  if (role === 'owner') await requireProof(ctx);
  const secret = toBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const hash = await hashToken(secret);
  const expiresAt = new Date(ctx.now() + VALID_DAYS * 24 * 60 * 60 * 1000).toISOString();
  const { sql, actor } = ctx;
  const rows = await inTurn(
    sql,
    [turnOfPerson(sql, actor.userId), turnOfProject(sql, projectId)],
    sql`
    with target as (${memberProject(ctx, projectId)}), ended as (
      delete from project_invitations using target where project_id = target.id and expires_at < now()
    ), done as (
      insert into project_invitations (project_id, role, hash, created_by, expires_at)
      select target.id, ${role}, decode(${hash}, 'hex'), ${actor.userId}::uuid, ${expiresAt}::timestamptz
      from target
      where ${mayInvite(sql, sql`target.role`, sql`${role}::text`)} and ${stillHeld(ctx)}
        and (select count(*) from project_invitations where project_id = target.id and expires_at >= now())
          < ${MAX_INVITATIONS_A_PROJECT}
      returning id, project_id, role, created_at, expires_at
    ), audited as (${insertProjectAudit(ctx, 'member.invite')})
    select target.role, ${stillHeld(ctx)} as held, done.id, done.role as invited_role, done.created_at, done.expires_at
    from target left join done on true
  `,
  );
  if (rows[0]?.held === false) throw notSignedIn();
  const row = requireWritten<InvitationRow>(rows, {
    what: 'project',
    may: role === 'owner' ? OWNERS : MANAGERS,
    refused: tooMany,
  });
  const url = `${ctx.publicUrl}/join#${secret}`;
  if (email !== undefined) await mail(ctx, { projectId, invitationId: row.id }, { email, url });
  return { ...toInvitation(row), url };
}

/** Mails the link of an invitation; takes the invitation back if that fails. */
async function mail(
  ctx: AccountContext,
  invitation: OneInvitation,
  { email, url }: { email: string; url: string },
): Promise<void> {
  try {
    await ctx.sendInvitation({ to: email, ...MAILS[ctx.language].invitation(url, VALID_DAYS) });
  } catch (error) {
    await revokeInvitation(ctx, invitation);
    throw error;
  }
}

const tooMany = (): DomainError =>
  new DomainError(
    'CONFLICT',
    `A project has at most ${MAX_INVITATIONS_A_PROJECT} open invitations. Take one back.`,
  );

/** Revokes an invitation: its link is invalid from now on. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. */
export async function revokeInvitation(
  ctx: ProjectContext,
  { projectId, invitationId }: OneInvitation,
): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberProject(ctx, projectId)}), done as (
      delete from project_invitations using target
      where project_invitations.id = ${invitationId} and project_id = target.id and target.role in ('owner', 'admin')
      returning project_invitations.id, project_id
    ), audited as (${insertProjectAudit(ctx, 'member.uninvite')})
    select target.role, done.id from target left join done on true
  `);
  requireWritten(rows, { what: 'project', refused: () => notFound('invitation') });
}

interface PreviewRow {
  name: string;
  role: Role;
  expires_at: Date;
}

/**
 * Shows an invitation to the holder of its link and doesn't use it up. Throws the same `NOT_FOUND` for invitations that are used, revoked,
 * expired or unknown, and for those whose maker may not give the role any more. Uses the unique index on `hash`.
 */
export async function previewInvitation(
  ctx: Pick<Ports, 'sql'>,
  { secret }: PreviewInvitation,
): Promise<InvitationPreview> {
  const [row] = (await reach(ctx.sql`
    select projects.name, invitation.role, invitation.expires_at
    from project_invitations invitation join projects on projects.id = invitation.project_id
    where invitation.hash = decode(${await hashToken(secret)}, 'hex') and ${isOpen(ctx.sql)}
  `)) as PreviewRow[];
  if (row === undefined) throw notFound('invitation');
  return { projectName: row.name, role: row.role, expiresAt: row.expires_at.toISOString() };
}

/** The turn of an invitation's project, by the hash of the invitation's secret. */
export const turnOfInvitation = (sql: Sql, hash: string): Fragment =>
  turnOfProjects(sql, sql`select project_id from project_invitations where hash = decode(${hash}, 'hex')`);

/**
 * Part of other statements, which take `turnOfInvitation` first: has a row if the invitation is open. Who withdraws it waits until the
 * transaction ends. Uses the unique index on `hash`.
 */
export const openInvitation = (sql: Sql, hash: string): Fragment => sql`
  select true from project_invitations invitation
  where invitation.hash = decode(${hash}, 'hex') and ${isOpen(sql)} for share of invitation`;

/**
 * Makes the caller a member and uses the invitation up. Throws `NOT_FOUND` as `previewInvitation` does, and `CONFLICT` if the caller is
 * already a member or has the maximum number of projects; then the link stays valid. Uses the unique index on `hash`.
 */
export async function joinProject(ctx: ProjectContext, { secret }: JoinProject): Promise<Project> {
  const { sql, actor } = ctx;
  const { userId } = actor;
  const hash = await hashToken(secret);
  const rows = await inTurn(
    sql,
    [turnOfPerson(sql, userId), turnOfInvitation(sql, hash)],
    sql`
    with open as (
      select id, project_id, role, exists (
        select from project_members member where member.user_id = ${userId} and member.project_id = invitation.project_id
      ) as is_member, ${hasRoomForProject(ctx)} as has_room
      from project_invitations invitation
      where invitation.hash = decode(${hash}, 'hex') and ${isOpen(sql)}
    ), used as (
      delete from project_invitations using open
      where project_invitations.id = open.id and not open.is_member and open.has_room
      returning open.project_id, open.role
    ), done as (
      insert into project_members (project_id, user_id, role) select project_id, ${userId}::uuid, role from used
      on conflict do nothing returning user_id as id, project_id, role
    ), audited as (${insertProjectAudit(ctx, 'member.join')})
    select projects.id, projects.name, done.role, projects.created_at, open.is_member, open.has_room
    from open join projects on projects.id = open.project_id left join done on true
  `,
  );
  const [row] = rows as (Omit<ProjectRow, 'role'> & {
    role: Role | null;
    is_member: boolean;
    has_room: boolean;
  })[];
  if (row?.is_member) throw new DomainError('CONFLICT', 'You are a member of this project already.');
  if (row?.has_room === false) throw tooManyProjects();
  // The caller was made a member meanwhile.
  if (row === undefined || row.role === null) throw notFound('invitation');
  return toProject({ ...row, role: row.role });
}

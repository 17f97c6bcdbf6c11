import { toBase64Url } from '../bytes.ts';
import { reach } from '../db.ts';
import { DomainError } from '../errors.ts';
import { MAILS } from '../mails.ts';
import { hashToken } from '../tokens.ts';
import { insertProjectAudit } from './audit.ts';
import { type InvitationRow, toInvitation } from './invitation.ts';
import {
  type AccountContext,
  MANAGERS,
  memberProject,
  OWNERS,
  requireWritten,
  type Written,
} from './project.ts';
import type { CreatedInvitation, NewInvitation } from './schemas.ts';

const VALID_DAYS = 7;
const MAX_INVITATIONS_A_PROJECT = 100;
const SECRET_BYTES = 32;

/**
 * Makes a link that lets whoever opens it, signed in, join the project, once and within 7 days; mailed if an address is given.
 * Only owners invite owners. Throws `NOT_FOUND`, `FORBIDDEN`, `CONFLICT` for a project with too many, `UNAVAILABLE` when it
 * couldn't be mailed: the link is void then. Deletes the project's that are over, by `project_invitations_project`.
 */
export async function inviteMember(
  ctx: AccountContext,
  projectId: string,
  { role, email }: NewInvitation,
): Promise<CreatedInvitation> {
  const secret = toBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const hash = await hashToken(secret);
  const expiresAt = new Date(ctx.now() + VALID_DAYS * 24 * 60 * 60 * 1000).toISOString();
  const rows = await reach(ctx.sql`
    with target as (${memberProject(ctx, projectId)}), ended as (
      delete from project_invitations using target where project_id = target.id and expires_at < now()
    ), done as (
      insert into project_invitations (project_id, role, hash, created_by, expires_at)
      select target.id, ${role}, decode(${hash}, 'hex'), ${ctx.actor.userId}::uuid, ${expiresAt}::timestamptz
      from target
      where (target.role = 'owner' or (target.role = 'admin' and ${role}::text <> 'owner'))
        and (select count(*) from project_invitations where project_id = target.id and expires_at >= now())
          < ${MAX_INVITATIONS_A_PROJECT}
      returning id, project_id, role, created_at, expires_at
    ), audited as (${insertProjectAudit(ctx, 'member.invite')})
    select target.role, done.id, done.role as invited_role, done.created_at, done.expires_at
    from target left join done on true
  `);
  const row = requireWritten(rows as Written<InvitationRow>[], {
    what: 'project',
    may: role === 'owner' ? OWNERS : MANAGERS,
    refused: tooMany,
  });
  const url = `${ctx.publicUrl}/join#${secret}`;
  if (email !== undefined) await mail(ctx, row.id, { email, url });
  return { ...toInvitation(row), url };
}

async function mail(ctx: AccountContext, id: string, { email, url }: { email: string; url: string }) {
  try {
    await ctx.sendMail({ to: email, ...MAILS[ctx.language].invitation(url, VALID_DAYS) });
  } catch (error) {
    await reach(ctx.sql`delete from project_invitations where id = ${id}`);
    throw error;
  }
}

const tooMany = (): DomainError =>
  new DomainError(
    'CONFLICT',
    `A project has at most ${MAX_INVITATIONS_A_PROJECT} open invitations. Take one back.`,
  );

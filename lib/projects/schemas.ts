/** Projects, their members and environments at the boundary (docs/accounts.md#projects-and-roles). */
import * as v from 'valibot';
import { Email } from '../accounts/auth/schemas.ts';
import { Id, Instant, LastUsed, Name } from '../fields.ts';

export const ROLES = ['owner', 'admin', 'viewer'] as const;
export const Role = v.picklist(ROLES);
export type Role = v.InferOutput<typeof Role>;

export const NewProject = v.strictObject({ name: Name });
export type NewProject = v.InferOutput<typeof NewProject>;

export const Project = v.object({
  id: Id,
  name: v.string(),
  role: v.pipe(Role, v.description('The caller’s own.')),
  createdAt: Instant,
});
export type Project = v.InferOutput<typeof Project>;

export const Member = v.object({
  userId: Id,
  email: v.string(),
  name: v.string(),
  role: Role,
  createdAt: v.pipe(Instant, v.description('Since when.')),
});
export type Member = v.InferOutput<typeof Member>;

export const MemberChange = v.strictObject({ role: Role });
export type MemberChange = v.InferOutput<typeof MemberChange>;

export const NewInvitation = v.strictObject({
  role: Role,
  email: v.optional(
    v.pipe(
      Email,
      v.description(
        'The link is sent there, in the language of `Accept-Language`. Default: nowhere, hand it on yourself.',
      ),
    ),
  ),
});
export type NewInvitation = v.InferOutput<typeof NewInvitation>;

export const Invitation = v.object({ id: Id, role: Role, createdAt: Instant, expiresAt: Instant });
export type Invitation = v.InferOutput<typeof Invitation>;

export const CreatedInvitation = v.object({
  ...Invitation.entries,
  url: v.pipe(
    v.string(),
    v.description('The link, shown this once: only a hash of its secret, after the `#`, is stored.'),
  ),
});
export type CreatedInvitation = v.InferOutput<typeof CreatedInvitation>;

/** 32 random bytes in base64url. */
export const INVITATION_SECRET = /^[A-Za-z0-9_-]{43}$/;

export const HeldInvitation = v.strictObject({
  secret: v.pipe(
    v.string(),
    v.description('What the invitation’s link has after the `#`.'),
    v.regex(INVITATION_SECRET),
  ),
});
export type HeldInvitation = v.InferOutput<typeof HeldInvitation>;

export const InvitationPreview = v.object({ projectName: v.string(), role: Role, expiresAt: Instant });
export type InvitationPreview = v.InferOutput<typeof InvitationPreview>;

export const NewEnvironment = v.strictObject({
  name: v.pipe(
    v.string(),
    v.description('As in `deployment.environment.name`: `production`, `staging-eu`.'),
    v.regex(
      /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/,
      'must be lower-case letters, digits, `.`, `_` and `-`',
    ),
  ),
});
export type NewEnvironment = v.InferOutput<typeof NewEnvironment>;

export const Environment = v.object({ id: Id, name: v.string(), createdAt: Instant });
export type Environment = v.InferOutput<typeof Environment>;

export const NewIngestKey = v.strictObject({
  name: Name,
  outcomes: v.optional(
    v.pipe(v.boolean(), v.description('Whether it may record outcomes too, beside telemetry.')),
    false,
  ),
});
export type NewIngestKey = v.InferOutput<typeof NewIngestKey>;

export const IngestKey = v.object({
  id: Id,
  name: v.string(),
  outcomes: v.boolean(),
  createdAt: Instant,
  lastUsedAt: LastUsed,
});
export type IngestKey = v.InferOutput<typeof IngestKey>;

export const CreatedIngestKey = v.object({
  ...IngestKey.entries,
  key: v.pipe(v.string(), v.description('Shown this once: only its hash is stored.')),
});
export type CreatedIngestKey = v.InferOutput<typeof CreatedIngestKey>;

export const AuditEntry = v.object({
  at: Instant,
  action: v.string(),
  actor: v.object({ kind: v.string(), userId: v.nullable(Id), tokenId: v.nullable(Id) }),
  site: v.nullable(Id),
  requestId: v.string(),
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;

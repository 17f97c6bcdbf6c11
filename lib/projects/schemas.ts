/** Schemas of projects and of everything in them. */
import * as v from 'valibot';
import { Email, InvitationSecret } from '../accounts/auth/schemas.ts';
import { BOUND_CHARS } from '../bound-cursor.ts';
import { described, Id, Instant, LastUsed, Name } from '../fields.ts';
import { Maker } from '../maker.ts';
import { Cursor, Limit } from '../paging.ts';
import { Role } from '../roles.ts';

/** Input of verbs that need only a project's id. */
export const OneProject = v.strictObject({ projectId: Id });
export type OneProject = v.InferOutput<typeof OneProject>;

export const CreateProject = v.strictObject({ name: Name });
export type CreateProject = v.InferOutput<typeof CreateProject>;

export const RenameProject = v.strictObject({ projectId: Id, name: Name });
export type RenameProject = v.InferOutput<typeof RenameProject>;

export const Project = v.object({
  id: Id,
  name: v.string(),
  role: v.pipe(Role, v.description('The caller’s role.')),
  createdAt: Instant,
});
export type Project = v.InferOutput<typeof Project>;

export const Member = v.object({
  userId: Id,
  email: v.string(),
  name: v.string(),
  role: Role,
  createdAt: v.pipe(Instant, v.description('When the person joined.')),
});
export type Member = v.InferOutput<typeof Member>;

/** Input of verbs that need only a member of a project. */
export const OneMember = v.strictObject({ projectId: Id, userId: Id });
export type OneMember = v.InferOutput<typeof OneMember>;

export const ChangeMember = v.strictObject({ ...OneMember.entries, role: Role });
export type ChangeMember = v.InferOutput<typeof ChangeMember>;

export const InviteMember = v.strictObject({
  projectId: Id,
  role: Role,
  email: v.optional(
    v.pipe(
      Email,
      v.description(
        'The link is mailed to this address, in the language of `Accept-Language`. Default: no mail; pass the link on yourself.',
      ),
    ),
  ),
});
export type InviteMember = v.InferOutput<typeof InviteMember>;

/** Input of verbs that need only an invitation to a project. */
export const OneInvitation = v.strictObject({ projectId: Id, invitationId: Id });
export type OneInvitation = v.InferOutput<typeof OneInvitation>;

export const Invitation = v.object({ id: Id, role: Role, createdAt: Instant, expiresAt: Instant });
export type Invitation = v.InferOutput<typeof Invitation>;

export const CreatedInvitation = v.object({
  ...Invitation.entries,
  url: v.pipe(
    v.string(),
    v.description('The link, shown only here: only a hash of its secret (the part after `#`) is stored.'),
  ),
});
export type CreatedInvitation = v.InferOutput<typeof CreatedInvitation>;

export const PreviewInvitation = v.strictObject({ secret: InvitationSecret });
export type PreviewInvitation = v.InferOutput<typeof PreviewInvitation>;

export const JoinProject = v.strictObject({ secret: InvitationSecret });
export type JoinProject = v.InferOutput<typeof JoinProject>;

export const InvitationPreview = v.object({ projectName: v.string(), role: Role, expiresAt: Instant });
export type InvitationPreview = v.InferOutput<typeof InvitationPreview>;

/** Input of verbs that need only an environment of a project. */
export const OneEnvironment = v.strictObject({ projectId: Id, environmentId: Id });
export type OneEnvironment = v.InferOutput<typeof OneEnvironment>;

const EnvironmentName = v.pipe(
  v.string(),
  v.description('The same name as in `deployment.environment.name`: `production`, `staging-eu`.'),
  v.regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/, 'must be lower-case letters, digits, `.`, `_` and `-`'),
);

export const CreateEnvironment = v.strictObject({ projectId: Id, name: EnvironmentName });
export type CreateEnvironment = v.InferOutput<typeof CreateEnvironment>;

export const RenameEnvironment = v.strictObject({ ...OneEnvironment.entries, name: EnvironmentName });
export type RenameEnvironment = v.InferOutput<typeof RenameEnvironment>;

export const Environment = v.object({ id: Id, name: v.string(), createdAt: Instant });
export type Environment = v.InferOutput<typeof Environment>;

export const CreateIngestKey = v.strictObject({
  ...OneEnvironment.entries,
  name: Name,
  outcomes: v.optional(
    v.pipe(v.boolean(), v.description('Whether the key may also record outcomes.')),
    false,
  ),
});
export type CreateIngestKey = v.InferOutput<typeof CreateIngestKey>;

/** Input of verbs that need only an ingest key of an environment. */
export const OneIngestKey = v.strictObject({ ...OneEnvironment.entries, ingestKeyId: Id });
export type OneIngestKey = v.InferOutput<typeof OneIngestKey>;

export const IngestKey = v.object({
  id: Id,
  name: v.string(),
  outcomes: v.boolean(),
  createdAt: Instant,
  createdBy: Maker,
  lastUsedAt: LastUsed,
});
export type IngestKey = v.InferOutput<typeof IngestKey>;

export const CreatedIngestKey = v.object({
  ...IngestKey.entries,
  key: v.pipe(v.string(), v.description('Shown only here, because only its hash is stored.')),
});
export type CreatedIngestKey = v.InferOutput<typeof CreatedIngestKey>;

const orphan = { id: Id, name: v.string(), createdAt: Instant, createdBy: Maker };

/** A share or an ingest key that works although its maker left the project. */
export const Orphan = v.variant('kind', [
  v.object({
    ...{ kind: v.literal('share'), ...orphan, siteId: Id },
    site: v.pipe(v.string(), v.description('The site’s name.')),
  }),
  v.object({
    ...{ kind: v.literal('ingestKey'), ...orphan, environmentId: Id },
    environment: v.pipe(v.string(), v.description('The environment’s name.')),
  }),
]);
export type Orphan = v.InferOutput<typeof Orphan>;

/** The longest cursor: microseconds, a dash and an id. */
const MAX_AUDIT_CURSOR_LENGTH = 60 + BOUND_CHARS;

/** The longest action has 18 characters. */
const MAX_ACTION_LENGTH = 40;

export const ListAuditLog = v.strictObject({
  projectId: Id,
  action: v.optional(
    v.pipe(
      v.string(),
      v.description('One action, as `member.invite`, or all actions on one kind of thing, as `member`.'),
      v.maxLength(MAX_ACTION_LENGTH),
      v.regex(/^[a-z-]+(?:\.[a-z-]+)?$/, 'must be an action, or its part before the dot'),
    ),
  ),
  userId: v.optional(v.pipe(Id, v.description('Only what this person did, or a key of theirs.'))),
  result: v.optional(
    v.pipe(v.picklist(['done', 'failed']), v.description('`failed`: refused and failed calls only.')),
  ),
  limit: Limit(50),
  cursor: Cursor(MAX_AUDIT_CURSOR_LENGTH),
});
export type ListAuditLog = v.InferOutput<typeof ListAuditLog>;

export const AuditEntry = v.object({
  at: Instant,
  action: v.string(),
  actor: v.object({
    kind: v.string(),
    userId: v.nullable(Id),
    name: described(
      v.nullable(v.string()),
      'The person’s present name. Null: no person, or the account is gone.',
    ),
    email: described(
      v.nullable(v.string()),
      'The person’s address. Null: no member of the project any more.',
    ),
    tokenId: v.nullable(Id),
  }),
  site: v.nullable(Id),
  target: described(
    v.nullable(v.object({ id: v.string(), name: v.nullable(v.string()) })),
    'What was changed, with its name at that time; of a person the present name. Null: a visitor, a call that was refused, or a line of the ' +
      'first release.',
  ),
  requestId: v.string(),
  tool: described(
    v.nullable(v.string()),
    'The operation that was called. Null: not known, of the first release.',
  ),
  inputHash: described(
    v.nullable(v.string()),
    'Hex SHA-256 of the checked input, of an agent’s tool of its arguments, as JSON with its keys in order and without secrets. Null: nothing was checked.',
  ),
  result: described(
    v.string(),
    '`done`, the code of the error that the caller got, or of an agent’s call `dry_run` (only tried) or `unchanged` (it was so already).',
  ),
  calls: described(
    v.pipe(v.number(), v.integer()),
    'How many calls the line counts. More than 1: calls that changed nothing were repeated.',
  ),
  lastAt: described(Instant, 'When the last of these calls came.'),
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;

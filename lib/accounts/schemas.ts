/** Schemas of accounts and of a person's own keys. */
import * as v from 'valibot';
import { ExpiresAt, Id, Instant, LastUsed, Name } from '../fields.ts';
import { Email } from './auth/schemas.ts';

export const CreateAccount = v.strictObject({
  /** Default: a new id. */
  id: v.optional(Id),
  email: Email,
  name: Name,
  emailConfirmed: v.optional(
    v.pipe(v.boolean(), v.description('Whoever makes the account vouches for the address.')),
    false,
  ),
});
export type CreateAccount = v.InferOutput<typeof CreateAccount>;

const MAX_NAMED = 100;
const Ids = (description: string) =>
  v.pipe(v.array(Id), v.description(description), v.minLength(1), v.maxLength(MAX_NAMED));

/** What a key or token opens at most, in requests. */
const opens = {
  projectIds: v.optional(Ids('Projects that you are a member of. Default: all of them, later ones too.')),
  siteIds: v.optional(Ids('Sites of those projects. Default: all of them.')),
  expiresAt: ExpiresAt,
};

/** The same in answers. Null: no such limit. */
const opened = {
  projectIds: v.nullable(v.array(Id)),
  siteIds: v.nullable(v.array(Id)),
  expiresAt: v.nullable(Instant),
};

const Access = v.picklist(['read', 'write']);

export const CreateApiKey = v.strictObject({
  name: Name,
  access: v.optional(
    v.pipe(Access, v.description('With `read` the key changes nothing, whatever your role.')),
    'write',
  ),
  ...opens,
});
export type CreateApiKey = v.InferOutput<typeof CreateApiKey>;

/** Input of verbs that need only an API key's id. */
export const OneApiKey = v.strictObject({ apiKeyId: Id });
export type OneApiKey = v.InferOutput<typeof OneApiKey>;

export const ListApiTokens = v.strictObject({ email: Email });
export type ListApiTokens = v.InferOutput<typeof ListApiTokens>;

export const CreateApiToken = v.strictObject({ email: Email, name: Name });
export type CreateApiToken = v.InferOutput<typeof CreateApiToken>;

export const RevokeApiToken = v.strictObject({ id: v.pipe(v.string(), v.maxLength(36)) });
export type RevokeApiToken = v.InferOutput<typeof RevokeApiToken>;

export const ApiKey = v.object({
  id: Id,
  name: v.string(),
  access: Access,
  ...opened,
  createdAt: Instant,
  lastUsedAt: LastUsed,
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

export const CreatedApiKey = v.object({
  ...ApiKey.entries,
  token: v.pipe(v.string(), v.description('Shown only here, because only its hash is stored.')),
});
export type CreatedApiKey = v.InferOutput<typeof CreatedApiKey>;

export const AccountDeletion = v.object({
  projects: v.pipe(
    v.array(v.object({ id: Id, name: v.string(), members: v.number(), sites: v.number() })),
    v.description(
      'Projects whose only owner the person is. Each of them needs another owner, or is deleted, before the account can be.',
    ),
  ),
});
export type AccountDeletion = v.InferOutput<typeof AccountDeletion>;

export const SCOPES = [
  'sites:read',
  'analytics:read',
  'telemetry:read',
  'outcomes:read',
  'control:write',
  'view:write',
] as const;
const Scope = v.picklist(SCOPES);

export const CreateQueryToken = v.strictObject({
  name: Name,
  scopes: v.pipe(
    v.array(Scope),
    v.minLength(1),
    v.maxLength(SCOPES.length),
    v.check((scopes) => new Set(scopes).size === scopes.length, 'must not name a scope twice'),
  ),
  ...opens,
});
export type CreateQueryToken = v.InferOutput<typeof CreateQueryToken>;

/** Input of verbs that need only a query token's id. */
export const OneQueryToken = v.strictObject({ queryTokenId: Id });
export type OneQueryToken = v.InferOutput<typeof OneQueryToken>;

export const QueryToken = v.object({
  id: Id,
  name: v.string(),
  scopes: v.array(Scope),
  ...opened,
  createdAt: Instant,
  lastUsedAt: LastUsed,
});
export type QueryToken = v.InferOutput<typeof QueryToken>;

/** Input of `allowView`. */
export const AllowView = v.strictObject({
  queryTokenId: Id,
  tab: v.pipe(Id, v.description('Made by the page for the tab that it is in, and known to nobody else.')),
  minutes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(15)),
});
export type AllowView = v.InferOutput<typeof AllowView>;

/** Input of `listViewGrants`. */
export const OfTab = v.strictObject({
  tab: Id,
  shown: v.pipe(
    v.optional(Instant),
    v.description('`sentAt` of the view that the tab shows now. Its sender learns that it is shown.'),
  ),
});
export type OfTab = v.InferOutput<typeof OfTab>;

/** Input of verbs that need only a view grant's id. */
export const OneViewGrant = v.strictObject({ viewGrantId: Id });
export type OneViewGrant = v.InferOutput<typeof OneViewGrant>;

export const ViewGrant = v.object({
  id: Id,
  queryTokenId: Id,
  name: v.pipe(v.string(), v.description('The token’s name.')),
  expiresAt: Instant,
  view: v.pipe(
    v.nullable(
      v.object({
        path: v.pipe(v.string(), v.description('Of the dashboard, with its query.')),
        sentAt: Instant,
        isShown: v.boolean(),
      }),
    ),
    v.description('What the token asked for last. Null: nothing yet.'),
  ),
});
export type ViewGrant = v.InferOutput<typeof ViewGrant>;

export const CreatedQueryToken = v.object({
  ...QueryToken.entries,
  token: v.pipe(v.string(), v.description('Shown this once: only its hash is stored.')),
});
export type CreatedQueryToken = v.InferOutput<typeof CreatedQueryToken>;

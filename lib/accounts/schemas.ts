/** A person's own keys at the boundary (contract section 2). */
import * as v from 'valibot';

const Instant = v.pipe(v.string(), v.isoTimestamp());
const Id = v.pipe(v.string(), v.uuid());
const Name = v.pipe(
  v.string(),
  v.description('White space around it is cut.'),
  v.trim(),
  v.minLength(1),
  v.maxLength(100),
);
const LastUsed = v.nullable(v.pipe(Instant, v.description('Exact to a minute.')));

export const NewApiKey = v.strictObject({ name: Name });
export type NewApiKey = v.InferOutput<typeof NewApiKey>;

export const ApiKey = v.object({ id: Id, name: v.string(), createdAt: Instant, lastUsedAt: LastUsed });
export type ApiKey = v.InferOutput<typeof ApiKey>;

export const CreatedApiKey = v.object({
  ...ApiKey.entries,
  token: v.pipe(v.string(), v.description('Shown this once: only its hash is stored.')),
});
export type CreatedApiKey = v.InferOutput<typeof CreatedApiKey>;

export const SCOPES = [
  'sites:read',
  'analytics:read',
  'telemetry:read',
  'outcomes:read',
  'control:write',
  'view:write',
] as const;
const Scope = v.picklist(SCOPES);

const MAX_NAMED = 100;
const Ids = (description: string) =>
  v.pipe(
    v.array(v.pipe(v.string(), v.uuid())),
    v.description(description),
    v.minLength(1),
    v.maxLength(MAX_NAMED),
  );

/** One that the calendar has: others roll over into the next month, or are none. */
const isInstant = (text: string): boolean =>
  /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(text) &&
  new Date(text).toJSON()?.startsWith(text.slice(0, 19)) === true;

export const NewQueryToken = v.strictObject({
  name: Name,
  scopes: v.pipe(
    v.array(Scope),
    v.minLength(1),
    v.maxLength(SCOPES.length),
    v.check((scopes) => new Set(scopes).size === scopes.length, 'must not name a scope twice'),
  ),
  projectIds: v.optional(Ids('Projects that you are a member of. Default: all of them, later ones too.')),
  siteIds: v.optional(Ids('Sites of those projects. Default: all of them.')),
  expiresAt: v.optional(
    v.pipe(
      v.string(),
      v.check(isInstant, 'must be an instant like 2026-12-31T23:00:00.000Z'),
      v.metadata({
        jsonSchema: {
          type: 'string',
          format: 'date-time',
          description: 'In UTC, and to come. Default: it stays until it is revoked.',
        },
      }),
    ),
  ),
});
export type NewQueryToken = v.InferOutput<typeof NewQueryToken>;

export const QueryToken = v.object({
  id: Id,
  name: v.string(),
  scopes: v.array(Scope),
  projectIds: v.nullable(v.array(Id)),
  siteIds: v.nullable(v.array(Id)),
  expiresAt: v.nullable(Instant),
  createdAt: Instant,
  lastUsedAt: LastUsed,
});
export type QueryToken = v.InferOutput<typeof QueryToken>;

export const CreatedQueryToken = v.object({
  ...QueryToken.entries,
  token: v.pipe(v.string(), v.description('Shown this once: only its hash is stored.')),
});
export type CreatedQueryToken = v.InferOutput<typeof CreatedQueryToken>;

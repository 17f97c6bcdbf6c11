/**
 * Everything that there is a maximum of (docs/limits.md#numbers-of-things), one below it, and then made several times at once on a real
 * server: one more is made. A new limit is one more entry of `COUNTED`.
 */
import { describe, expect, test } from 'vitest';
import { createApiKey } from '../../lib/accounts/api-keys.ts';
import { createQueryToken } from '../../lib/accounts/query-tokens.ts';
import { createAnnotation } from '../../lib/annotations/annotations.ts';
import type { Sql } from '../../lib/db.ts';
import { DomainError } from '../../lib/errors.ts';
import { createFunnel } from '../../lib/goals/funnel-definitions.ts';
import { createGoal } from '../../lib/goals/goal-definitions.ts';
import { createEnvironment } from '../../lib/projects/environments.ts';
import { createIngestKey } from '../../lib/projects/ingest-keys.ts';
import { inviteMember, joinProject } from '../../lib/projects/invitations.ts';
import { createProject } from '../../lib/projects/projects.ts';
import { createSegment } from '../../lib/segments/segments.ts';
import { createShareSecrets } from '../../lib/shares/secret.ts';
import { createShare } from '../../lib/shares/shares.ts';
import { createSite } from '../../lib/sites/sites.ts';
import { replaceOrigins, setOrigin } from '../../lib/telemetry/origins.ts';
import { useDatabase } from '../services/database.ts';
import { addIngestKey } from './session.ts';
import { signed } from './signed.ts';
import { createTenant } from './tenant.ts';

const AT_ONCE = 8;
const shareSecrets = createShareSecrets('s'.repeat(32));

async function createWorld(sql: Sql) {
  const { userId, projectId, siteId } = await createTenant(sql);
  const [session] = await sql`select id from user_sessions where user_id = ${userId}`;
  const { environmentId } = await addIngestKey(sql, projectId);
  return { ...{ sql, projectId, siteId, environmentId }, ...signed(sql, userId, session?.id) };
}
type World = Awaited<ReturnType<typeof createWorld>>;

interface Counted {
  name: string;
  most: number;
  count: (world: World) => Promise<Record<string, unknown>[]>;
  /** Makes that number, without the limit. */
  fill: (world: World, more: number) => Promise<unknown>;
  make: (world: World, n: number) => Promise<unknown>;
}

const COUNTED: readonly Counted[] = [
  {
    name: 'API keys of a person',
    most: 100,
    count: ({ sql, userId }) => sql`select count(*)::integer as n from api_tokens where user_id = ${userId}`,
    fill: ({ sql, userId }, more) => sql`
      insert into api_tokens (user_id, name, hash)
      select ${userId}, 'x', sha256(convert_to(${userId} || n, 'UTF8')) from generate_series(1, ${more}::integer) n`,
    make: ({ ctx }) => createApiKey(ctx, { name: 'x', access: 'write' }),
  },
  {
    name: 'query tokens of a person',
    most: 100,
    count: ({ sql, userId }) =>
      sql`select count(*)::integer as n from query_tokens where user_id = ${userId}`,
    fill: ({ sql, userId }, more) => sql`
      insert into query_tokens (user_id, name, scopes, hash)
      select ${userId}, 'x', '{}', sha256(convert_to(${userId} || n, 'UTF8')) from generate_series(1, ${more}::integer) n`,
    make: ({ ctx }) => createQueryToken(ctx, { name: 'x', scopes: ['sites:read'] }),
  },
  {
    name: 'projects of a person, made or joined',
    most: 100,
    count: ({ sql, userId }) =>
      sql`select count(*)::integer as n from project_members where user_id = ${userId}`,
    fill: ({ sql, userId }, more) => sql`
      with project as (insert into projects (name) select 'x' from generate_series(1, ${more}::integer) returning id)
      insert into project_members (project_id, user_id, role) select id, ${userId}, 'owner' from project`,
    make: async ({ sql, ctx }, n) => {
      if (n % 2 === 0) return createProject(ctx, { name: 'x' });
      const host = await createWorld(sql);
      const { url } = await inviteMember(host.ctx, { projectId: host.projectId, role: 'viewer' });
      return joinProject(ctx, { secret: url.split('#')[1] ?? '' });
    },
  },
  {
    name: 'open invitations of a project',
    most: 100,
    count: ({ sql, projectId }) =>
      sql`select count(*)::integer as n from project_invitations where project_id = ${projectId}`,
    fill: ({ sql, projectId, userId }, more) => sql`
      insert into project_invitations (project_id, role, hash, created_by, expires_at)
      select ${projectId}, 'viewer', sha256(convert_to(${userId} || n, 'UTF8')), ${userId}, now() + interval '1 day'
      from generate_series(1, ${more}::integer) n`,
    make: ({ ctx, projectId }) => inviteMember(ctx, { projectId, role: 'viewer' }),
  },
  {
    name: 'environments of a project',
    most: 50,
    count: ({ sql, projectId }) =>
      sql`select count(*)::integer as n from environments where project_id = ${projectId}`,
    fill: ({ sql, projectId }, more) => sql`
      insert into environments (project_id, name) select ${projectId}, 'e' || n from generate_series(1, ${more}::integer) n`,
    make: ({ ctx, projectId }, n) => createEnvironment(ctx, { projectId, name: `new-${n}` }),
  },
  {
    name: 'ingest keys of an environment',
    most: 100,
    count: ({ sql, environmentId }) =>
      sql`select count(*)::integer as n from ingest_keys where environment_id = ${environmentId}`,
    fill: ({ sql, environmentId }, more) => sql`
      insert into ingest_keys (environment_id, name, outcomes, hash)
      select ${environmentId}, 'x', false, sha256(convert_to(${environmentId} || n, 'UTF8'))
      from generate_series(1, ${more}::integer) n`,
    make: ({ ctx, projectId, environmentId }) =>
      createIngestKey(ctx, { projectId, environmentId, name: 'x', outcomes: false }),
  },
  {
    name: 'origins of an environment, one by one',
    most: 50,
    count: ({ sql, environmentId }) =>
      sql`select count(*)::integer as n from environment_origins where environment_id = ${environmentId}`,
    fill: ({ sql, environmentId }, more) => sql`
      insert into environment_origins (environment_id, origin)
      select ${environmentId}, 'https://' || n || '.example' from generate_series(1, ${more}::integer) n`,
    make: ({ ctx, projectId, environmentId }, n) =>
      setOrigin(ctx, { projectId, environmentId, origin: `https://new-${n}.example`, remove: false }),
  },
  {
    name: 'origins of an environment, all of them',
    most: 50,
    count: ({ sql, environmentId }) =>
      sql`select count(*)::integer as n from environment_origins where environment_id = ${environmentId}`,
    fill: async () => {},
    make: ({ ctx, projectId, environmentId }, n) => {
      const origins = Array.from({ length: 50 }, (_, k) => ({ origin: `https://new-${n}-${k}.example` }));
      return replaceOrigins(ctx, { projectId, environmentId, origins });
    },
  },
  {
    name: 'sites of a project',
    most: 1000,
    count: ({ sql, projectId }) =>
      sql`select count(*)::integer as n from sites where project_id = ${projectId}`,
    fill: ({ sql, projectId }, more) => sql`
      insert into sites (project_id, domain, name) select ${projectId}, 'x.example', 'x' from generate_series(1, ${more}::integer)`,
    make: ({ ctx, projectId }, n) => {
      const site = { domain: 'x.example', domains: [], name: 'x', timezone: 'UTC' };
      return createSite(ctx, n % 2 === 0 ? { ...site, projectId } : site);
    },
  },
  {
    name: 'shares of a site',
    most: 100,
    count: ({ sql, siteId }) => sql`select count(*)::integer as n from site_shares where site_id = ${siteId}`,
    fill: ({ sql, siteId }, more) => sql`
      insert into site_shares (site_id, name, hash, reports)
      select ${siteId}, 'x', sha256(convert_to(${siteId} || n, 'UTF8')), '{overview}' from generate_series(1, ${more}::integer) n`,
    make: ({ ctx, siteId }) => createShare({ ...ctx, shareSecrets }, { siteId, name: 'x' }),
  },
  {
    name: 'goals of a site',
    most: 100,
    count: ({ sql, siteId }) => sql`select count(*)::integer as n from site_goals where site_id = ${siteId}`,
    fill: ({ sql, siteId }, more) => sql`
      insert into site_goals (site_id, name, kind, pattern)
      select ${siteId}, 'g' || n, 1, 'x' from generate_series(1, ${more}::integer) n`,
    make: ({ ctx, siteId }, n) => createGoal(ctx, { siteId, name: `new ${n}`, event: 'x' }),
  },
  {
    name: 'funnels of a site',
    most: 100,
    count: ({ sql, siteId }) =>
      sql`select count(*)::integer as n from site_funnels where site_id = ${siteId}`,
    fill: ({ sql, siteId }, more) => sql`
      insert into site_funnels (site_id, name, steps)
      select ${siteId}, 'f' || n, '[]' from generate_series(1, ${more}::integer) n`,
    make: ({ ctx, siteId }, n) =>
      createFunnel(ctx, {
        ...{ siteId, name: `new ${n}` },
        steps: [{ event: 'a' }, { event: 'b' }],
      }),
  },
  {
    name: 'annotations of a site',
    most: 100,
    count: ({ sql, siteId }) =>
      sql`select count(*)::integer as n from site_annotations where site_id = ${siteId}`,
    fill: ({ sql, siteId }, more) => sql`
      insert into site_annotations (site_id, date, text)
      select ${siteId}, '2026-11-01', 'x' from generate_series(1, ${more}::integer)`,
    make: ({ ctx, siteId }) => createAnnotation(ctx, { siteId, date: '2026-11-02', text: 'x' }),
  },
  {
    name: 'shared segments of a site',
    most: 50,
    count: ({ sql, siteId }) =>
      sql`select count(*)::integer as n from site_segments where site_id = ${siteId} and user_id is null`,
    fill: ({ sql, siteId }, more) => sql`
      insert into site_segments (site_id, name, filters)
      select ${siteId}, 's' || n, '{}' from generate_series(1, ${more}::integer) n`,
    make: ({ ctx, siteId }, n) =>
      createSegment(ctx, { siteId, name: `new ${n}`, filters: { country: 'PT' }, shared: true }),
  },
];

/** Refusals are expected. Faults of the service aren't. */
const settled = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error) => {
    if (error instanceof DomainError && error.code !== 'UNAVAILABLE') return error.code;
    throw error;
  });

describe('on a server', () => {
  const database = useDatabase();

  test.for(COUNTED)(
    '$name: at most $most, however many are made at once',
    async ({ most, count, fill, make }) => {
      const world = await createWorld(database().sql);
      const countNow = async () => (await count(world))[0]?.n as number;
      await fill(world, most - 1 - (await countNow()));
      const many = Array.from({ length: AT_ONCE }, (_, n) => settled(make(world, n)));
      const refused = (await Promise.all(many)).filter(
        (answer) => answer === 'CONFLICT' || answer === 'VALIDATION_ERROR',
      );
      expect(await countNow()).toBe(most);
      expect(refused.length === 0 || refused.length === AT_ONCE - 1).toBe(true);
    },
  );
});

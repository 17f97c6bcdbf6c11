/** What people who left a project made there, and what still works: shares and ingest keys. */
import { memberProject } from '../access.ts';
import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { listed } from '../listed.ts';
import { type Maker, makerOf } from '../maker.ts';
import type { OneProject, Orphan } from './schemas.ts';

/** One screen of them. The next ones follow when these are revoked. */
const MAX_LISTED = 200;

interface OrphanRow {
  kind: Orphan['kind'];
  id: string;
  name: string;
  created_at: Date;
  holder_id: string;
  holder: string;
  maker: Maker;
}

/**
 * Shares and ingest keys whose makers are no members any more, oldest first, at most 200. Shares that ended and keys that are revoked give
 * nothing and are left out. Throws `NOT_FOUND`. Reads the shares and keys of one project, by the indexes of its sites and environments.
 */
export async function listOrphans(ctx: SessionContext, { projectId }: OneProject): Promise<Orphan[]> {
  const { sql } = ctx;
  const rows = await reach(sql`
    with target as (${memberProject(ctx, projectId)}), made as (
      select 'share' as kind, share.id, share.name, share.created_at, share.created_by, site.id as holder_id,
        site.name as holder
      from target join sites site on site.project_id = target.id join site_shares share on share.site_id = site.id
      where share.expires_at is null or share.expires_at > now()
      union all
      select 'ingestKey', key.id, key.name, key.created_at, key.created_by, environment.id, environment.name
      from target join environments environment on environment.project_id = target.id
      join ingest_keys key on key.environment_id = environment.id and key.revoked_at is null
    ), orphans as (
      select made.* from made, target
      where made.created_by is not null and not exists (
        select from project_members member where member.project_id = target.id and member.user_id = made.created_by)
      order by made.created_at, made.id
      limit ${MAX_LISTED}
    )
    select orphan.*, ${makerOf(sql, { userId: sql`orphan.created_by`, projectId: sql`target.id` })} as maker
    from target left join orphans orphan on true
    order by orphan.created_at, orphan.id`);
  return listed<OrphanRow>(rows, 'project').map(toOrphan);
}

function toOrphan({ kind, id, name, created_at, holder_id, holder, maker }: OrphanRow): Orphan {
  const common = { id, name, createdAt: created_at.toISOString(), createdBy: maker };
  return kind === 'share'
    ? { kind, ...common, siteId: holder_id, site: holder }
    : { kind, ...common, environmentId: holder_id, environment: holder };
}

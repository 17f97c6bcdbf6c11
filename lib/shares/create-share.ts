import { reach } from '../db.ts';
import { DomainError } from '../errors.ts';
import { requireToCome } from '../fields.ts';
import { memberSite } from '../sites/member-site.ts';
import type { SitesContext } from '../sites/site.ts';
import { requireWritten, type Written } from '../sites/written.ts';
import { hashToken } from '../tokens.ts';
import { hashPassword } from './password.ts';
import { type CreatedShare, type NewShare, SHARED_REPORTS } from './schemas.ts';
import { createShareSecret } from './secret.ts';
import { type ShareRow, shareColumns, toShare } from './share.ts';

const MAX_SHARES_A_SITE = 100;

const random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

/**
 * Makes a public link to a site's reports: to all that there are, unless some are named. Throws `VALIDATION_ERROR` for an end that has passed, `NOT_FOUND`, `FORBIDDEN` for
 * viewers, `CONFLICT` when the site has as many as it may. Counts those by the index `site_shares_site`.
 */
export async function createShare(
  ctx: SitesContext,
  siteId: string,
  { name, password, reports = [...SHARED_REPORTS], expiresAt }: NewShare,
): Promise<CreatedShare> {
  requireToCome(expiresAt, ctx.now());
  const secret = createShareSecret(random);
  const stored = password === undefined ? null : await hashPassword(password, random);
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), share as (
      insert into site_shares (site_id, name, hash, password, reports, expires_at)
      select target.id, ${name}, decode(${await hashToken(secret)}, 'hex'), ${stored}, ${reports}::text[],
        ${expiresAt ?? null}::timestamptz
      from target
      where target.role in ('owner', 'admin')
        and (select count(*) from site_shares where site_id = target.id) < ${MAX_SHARES_A_SITE}
      returning *
    )
    select target.role, ${shareColumns(ctx.sql)} from target left join share on true
  `);
  const row = requireWritten(rows as Written<ShareRow>[], siteFull);
  return { ...toShare(row), url: `${ctx.publicUrl}/api/v1/shares/${secret}` };
}

const siteFull = (): DomainError =>
  new DomainError('CONFLICT', `A site has at most ${MAX_SHARES_A_SITE} shares. Revoke one.`);

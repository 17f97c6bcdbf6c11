/** Shares: members create, list and revoke public links to a site's reports. */
import { memberSite, requireWritten, stillHeld } from '../access.ts';
import { notSignedIn } from '../accounts/sessions.ts';
import { type AuditedContext, insertSiteAudit } from '../audit.ts';
import { reach, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { requireToCome } from '../fields.ts';
import { listed } from '../listed.ts';
import { type Maker, makerOf } from '../maker.ts';
import type { Role } from '../roles.ts';
import type { OneSite } from '../sites/schemas.ts';
import type { SitesContext } from '../sites/site.ts';
import { hashToken } from '../tokens.ts';
import { inTurn, turnOfPerson, turnOfSite } from '../turns.ts';
import { hashPassword } from './password.ts';
import {
  type CreatedShare,
  type CreateShare,
  type OneShare,
  SHARED_REPORTS,
  type Share,
  type SharedReport,
} from './schemas.ts';
import type { ShareSecrets } from './secret.ts';

const MAX_SHARES_A_SITE = 100;

const random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

export interface ShareContext extends SitesContext {
  shareSecrets: ShareSecrets;
}

interface ShareRow {
  id: string;
  /** Of its link's secret, in hex. */
  hash: string;
  name: string;
  has_password: boolean;
  reports: SharedReport[];
  embed_origins: string[];
  created_at: Date;
  expires_at: Date | null;
  maker: Maker;
}

/** The columns of a `ShareRow`, of a share of the site `target`. */
const shareColumns = (sql: Sql) =>
  sql`share.id, encode(share.hash, 'hex') as hash, share.name, share.password is not null as has_password, share.reports, share.embed_origins, share.created_at, share.expires_at,
    ${makerOf(sql, { userId: sql`share.created_by`, projectId: sql`target.project_id` })} as maker`;

const toShare = (row: ShareRow, links: Pick<Share, 'url' | 'pageUrl'>): Share => ({
  id: row.id,
  name: row.name,
  reports: row.reports,
  hasPassword: row.has_password,
  embedOrigins: row.embed_origins,
  expiresAt: row.expires_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  createdBy: row.maker,
  ...links,
});

const linksOf = ({ publicUrl }: ShareContext, secret: string) => ({
  url: `${publicUrl}/api/v1/shares/${secret}`,
  pageUrl: `${publicUrl}/share/${secret}`,
});

const NO_LINKS = { url: null, pageUrl: null };

/** The links of a share, as long as its secret was made with the present key. */
async function foundLinks(
  ctx: ShareContext,
  { id, hash }: ShareRow,
): Promise<Pick<Share, 'url' | 'pageUrl'>> {
  const secret = await ctx.shareSecrets.secretOf(id);
  return (await hashToken(secret)) === hash ? linksOf(ctx, secret) : NO_LINKS;
}

/**
 * A site's shares, also those that have ended, oldest first; owners and admins see their links. Throws `NOT_FOUND`. Uses the index
 * `site_shares_site`, at most 100 rows.
 */
export async function listShares(ctx: ShareContext, { siteId }: OneSite): Promise<Share[]> {
  const rows = await reach(ctx.sql`
    select target.role, ${shareColumns(ctx.sql)}
    from (${memberSite(ctx, siteId)}) target
    left join site_shares share on share.site_id = target.id
    order by share.created_at, share.id
  `);
  const found = listed<ShareRow & { role: Role }>(rows, 'site');
  return Promise.all(
    found.map(async (row) => toShare(row, row.role === 'viewer' ? NO_LINKS : await foundLinks(ctx, row))),
  );
}

/**
 * Creates a public link to a site's reports: to all of them, unless the input names some. Throws `VALIDATION_ERROR` for an end in the
 * past, `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` at the site's maximum number. Counts by the index `site_shares_site`.
 */
export async function createShare(
  ctx: ShareContext,
  { siteId, name, password, reports = [...SHARED_REPORTS], embedOrigins = [], expiresAt }: CreateShare,
): Promise<CreatedShare> {
  requireToCome(expiresAt, ctx.now());
  const id = crypto.randomUUID();
  const secret = await ctx.shareSecrets.secretOf(id);
  const stored = password === undefined ? null : await hashPassword(password, random);
  const { sql, actor } = ctx;
  const rows = await inTurn(
    sql,
    [turnOfPerson(sql, actor.userId), turnOfSite(sql, siteId)],
    sql`
    with target as (${memberSite(ctx, siteId)}), share as (
      insert into site_shares (id, site_id, name, hash, password, reports, embed_origins, expires_at, created_by)
      select ${id}::uuid, target.id, ${name}, decode(${await hashToken(secret)}, 'hex'), ${stored}, ${reports}::text[],
        ${embedOrigins}::text[],
        ${expiresAt ?? null}::timestamptz, ${actor.userId}::uuid
      from target
      where target.role in ('owner', 'admin') and ${stillHeld(ctx)}
        and (select count(*) from site_shares where site_id = target.id) < ${MAX_SHARES_A_SITE}
      returning *
    ), audited as (${insertSiteAudit(ctx, 'share.create', ctx.sql`share`)})
    select target.role, ${stillHeld(ctx)} as held, ${shareColumns(sql)} from target left join share on true
  `,
  );
  if (rows[0]?.held === false) throw notSignedIn();
  const row = requireWritten<ShareRow>(rows, { what: 'site', refused: siteFull });
  const links = linksOf(ctx, secret);
  return { ...toShare(row, links), ...links };
}

/**
 * Deletes a share. Its reports are refused at once; its name and whether it has a password stay visible for up to 30 s. Throws
 * `NOT_FOUND`, also for another site's share, or `FORBIDDEN` for viewers. Uses primary keys.
 */
export async function revokeShare(ctx: AuditedContext, { siteId, shareId }: OneShare): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), revoked as (
      delete from site_shares share
      using target
      where share.id = ${shareId}::uuid and share.site_id = target.id and target.role in ('owner', 'admin')
      returning share.id, share.name
    ), audited as (${insertSiteAudit(ctx, 'share.revoke', ctx.sql`revoked`)})
    select target.role, revoked.id from target left join revoked on true
  `);
  requireWritten(rows, { what: 'site', refused: () => notFound('share') });
}

const siteFull = (): DomainError =>
  new DomainError('CONFLICT', `A site has at most ${MAX_SHARES_A_SITE} shares. Revoke one.`);
